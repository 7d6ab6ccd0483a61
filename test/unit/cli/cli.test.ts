import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentEvent } from '../../../src/core/words/events';
import { toolsWithoutFolder } from '../../../src/cli/built-in';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionStore } from '../../../src/sessions/session-store';
import { sessionLines } from '../../../src/sessions/session-text';
import { SessionWriter } from '../../../src/sessions/session-writer';
import { caseSample } from '../../hosts/random-cases';
import { runCli } from '../../support/processes/run-cli';
import { answerWith, FakeEndpoint, streamParts, streamText } from '../../support/servers/fake-endpoint';
import { everyEvent } from '../../support/agent/every-event';
import { llamaCpp, ollama } from '../../support/servers/recorded-answers';

interface ParseAnswer {
  readonly id?: unknown;
  readonly calls?: readonly unknown[];
  readonly errors?: readonly { readonly code: string }[];
  readonly error?: string;
}

const READ =
  '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read_file「末」\npath:「始」a.txt「末」\n<<<[END_TOOL_REQUEST]>>>';

describe('command line', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-cli-')));
    writeFileSync(path.join(folder, 'notes.txt'), 'a plum\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('shows a session file as text', async () => {
    const writer = new SessionWriter(new NodeSessionFolder(folder), undefined, {
      workspace: '',
      redact: (text) => text,
      onFile: () => undefined,
      onError: assert.ifError,
    });
    // The display of abandoned messages is tested with its texts.
    for (const event of everyEvent.filter(({ type }) => type !== 'rewind')) writer.add(event);
    writer.close();
    const file = readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '';
    const { stdout, stderr, code } = await runCli(['replay', path.join(folder, file)]);
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    assert.match(
      stdout,
      /^# Change it\.\n\nBegan 2023-11-14T22:13:20\.000Z\n\n## You\n\nChange it\.\nPlease\.\n/,
    );
    assert.match(
      stdout,
      /## Parley \(vcp\)\n\n> Hm\.\n\nI will\. 🙂.*\n\n### edit_file: success\n\n```json\n/,
    );
    assert.match(stdout, /Which\?\none\n/);
    assert.match(stdout, /```\nEdited\.\n```\n\n### a call: not a complete call\n/);

    const stored = await new SessionStore(new NodeSessionFolder(folder)).load(path.basename(file, '.jsonl'));
    assert.ok(stored);
    const exported = path.join(folder, 'exported.jsonl');
    writeFileSync(
      exported,
      sessionLines(stored, (text) => text),
    );
    assert.deepEqual(await runCli(['replay', exported]), { stdout, stderr: '', code: 0 });
  });

  it('says that another file is not a session', async () => {
    const { stderr, code } = await runCli(['replay', path.join(folder, 'notes.txt')]);
    assert.match(stderr, /notes\.txt is not a readable session file/);
    assert.equal(code, 1);
    assert.equal((await runCli(['replay'])).code, 2);
  });

  const NEXT = 'See "parley --help". Put text that begins with "-" after "--".';
  const strays: readonly { readonly args: readonly string[]; readonly says: string }[] = [
    { args: ['tools', '--fast'], says: `tools: unknown option --fast. ${NEXT}` },
    { args: ['tools', '-x'], says: `tools: unknown option -x. ${NEXT}` },
    { args: ['tools', '--json=yes'], says: 'tools: --json takes no value. Leave the value out.' },
    {
      args: ['parse', '--protocol'],
      says: 'parse: --protocol needs a value. Write one that begins with "-" as --protocol=VALUE.',
    },
    {
      args: ['parse', '--protocol', '--tools', 'x'],
      says: 'parse: --protocol needs a value. Write one that begins with "-" as --protocol=VALUE.',
    },
    {
      args: ['parse', '--protocol', 'vcp', 'reply.txt'],
      says: 'parse: "reply.txt" is not expected here. Give the reply on standard input: < FILE.',
    },
    {
      args: ['parse', '--jsonl', 'cases.jsonl'],
      says: 'parse: "cases.jsonl" is not expected here. Give the reply on standard input: < FILE.',
    },
    {
      args: ['parse', '--jsonl', '--protocol', 'vcp'],
      says: 'parse: --protocol cannot be combined with --jsonl. Give the protocol and the tools in each line.',
    },
    {
      args: ['parse', '--jsonl', '--tools', 'tools.json'],
      says: 'parse: --tools cannot be combined with --jsonl. Give the protocol and the tools in each line.',
    },
    {
      args: ['prompt', '--protocol', 'vcp', 'tools.json'],
      says: 'prompt: "tools.json" is not expected here. Give your own tools with --tools FILE.',
    },
    {
      args: ['tools', 'read_file'],
      says: 'tools: "read_file" is not expected here. Run "parley tools" to list every tool.',
    },
    {
      args: ['call', '--workspace', '.', '--jsonl', 'read_file'],
      says: 'call: "read_file" is not expected here. Give the calls on standard input, one a line.',
    },
    {
      args: ['call', '--workspace', '.', 'read_file', '{}'],
      says: 'call: give the name of one tool.',
    },
    {
      args: ['check', 'command', '--jsonl', 'ls'],
      says: 'check: with --jsonl the commands come on standard input.',
    },
    {
      args: ['check', 'path', '--jsonl', 'a.txt'],
      says: 'check: give --jsonl, and the paths on standard input, one case a line.',
    },
    {
      args: ['run', '--workspace', '.', '--model', 'demo', 'read', 'notes.txt'],
      says: 'run: give the task as one word in quotes.',
    },
    {
      args: ['run', '--workspace', '.', '--model', 'demo', '--model-name', 'qwen3', 'read notes.txt'],
      says: 'run: --model-name needs --base-url. Give the address of the server as well.',
    },
    { args: ['replay', 'a.jsonl', 'b.jsonl'], says: 'replay: give one session file.' },
    {
      args: ['--version', 'parse'],
      says: '--version: "parse" is not expected here. Run "parley --version" alone.',
    },
  ];
  for (const { args, says } of strays) {
    it(`ignores no argument: ${args.join(' ')}`, async () => {
      assert.deepEqual(await runCli(args), { code: 2, stdout: '', stderr: `parley ${says}\n` });
    });
  }

  it('parses a reply', async () => {
    const { stdout, code } = await runCli(['parse', '--protocol', 'vcp'], `Let me look.\n${READ}`);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      protocol: 'vcp',
      text: 'Let me look.\n',
      reasoning: '',
      calls: [
        {
          id: 'c1',
          name: 'read_file',
          arguments: { path: 'a.txt' },
          start: 13,
          end: 13 + READ.length,
          notes: [],
        },
      ],
      errors: [],
      warnings: [],
    });
  });

  it('answers one line for each case with the same id, with input cut anywhere', async () => {
    const lines = [
      JSON.stringify({ id: 'x1', protocol: 'vcp', text: READ, tools: [] }),
      JSON.stringify({ id: 2, protocol: 'vcp', text: READ.slice(0, 60), tools: [] }),
      JSON.stringify({
        id: 3,
        protocol: 'vcp',
        text: READ,
        tools: [{ name: 'write_file', description: '', parameters: {} }],
      }),
      JSON.stringify({ id: 4, protocol: 'nonsense', text: '' }),
      JSON.stringify({ id: 'x5', protocol: 'vcp' }),
      'no json',
    ];
    for (const chunk of [[], ['--chunk', '1'], ['--chunk', '7']]) {
      const { stdout, code } = await runCli(['parse', '--jsonl', ...chunk], lines.join('\n'));
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as ParseAnswer);
      assert.equal(code, 0);
      assert.deepEqual(
        answers.map(({ id, calls, errors, error }) => [
          id,
          calls?.length,
          errors?.map((each) => each.code),
          error !== undefined,
        ]),
        [
          ['x1', 1, [], false],
          [2, 0, ['unfinished'], false],
          [3, 0, ['unknown-tool'], false],
          [4, undefined, undefined, true],
          ['x5', undefined, undefined, true],
          [null, undefined, undefined, true],
        ],
      );
    }
  });

  it('finds out the protocol of a reply', async () => {
    const replies = {
      vcp: READ,
      json: '{"tool_calls":[{"name":"a","arguments":{}}]}',
      xml: '<tool_code>{"name":"a","arguments":{}}</tool_code>',
      envelope: '{"action":"tool_call","tool_calls":[{"name":"a","arguments":{}}]}',
      invoke: '<function_calls><invoke name="a"></invoke></function_calls>',
      hermes: '<tool_call>a</tool_call>',
    };
    const lines = Object.values(replies).map((text) => JSON.stringify({ protocol: 'auto', text }));
    const { stdout } = await runCli(['parse', '--jsonl'], lines.join('\n'));
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { protocol: string; calls: unknown[] });
    assert.deepEqual(
      answers.map(({ protocol, calls }) => [protocol, calls.length]),
      Object.keys(replies).map((id) => [id, 1]),
    );
  });

  it('recovers calls in other formats only on request and repairs as strictly as requested', async () => {
    const tools = [
      {
        name: 'read',
        description: '',
        parameters: { type: 'object', properties: { path: { type: 'string' } } },
      },
    ];
    const leak = 'Look.\n<tool_call>{"name":"read","arguments":{"path":"a",}}</tool_call>';
    const lines = [
      { id: 'own', protocol: 'hermes', text: leak, tools },
      { id: 'strict', protocol: 'hermes', text: leak, tools, strictness: 'strict' },
      { id: 'foreign', protocol: 'vcp', text: leak, tools },
      { id: 'no tools', protocol: 'vcp', text: leak },
      { id: 'text', protocol: 'vcp', text: leak, tools, recovery: 'text' },
    ].map((each) => JSON.stringify(each));
    const read = async (args: string[]): Promise<unknown[]> => {
      const { stdout } = await runCli(['parse', '--jsonl', ...args], lines.join('\n'));
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Required<ParseAnswer> & { warnings: { code: string }[] })
        .map(({ id, calls, errors, warnings }) => [
          id,
          calls.length,
          ...[...errors, ...warnings].map(({ code }) => code),
        ]);
    };
    assert.deepEqual(await read([]), [
      ['own', 1],
      ['strict', 0, 'needs-repair'],
      ['foreign', 0, 'foreign-block'],
      ['no tools', 0, 'foreign-block'],
      ['text', 0, 'foreign-block'],
    ]);
    assert.deepEqual(await read(['--recovery', 'run']), [
      ['own', 1],
      ['strict', 0, 'needs-repair'],
      ['foreign', 1],
      ['no tools', 0, 'foreign-block'],
      ['text', 0, 'foreign-block'],
    ]);
    assert.equal((await runCli(['parse', '--protocol', 'vcp', '--recovery', 'maybe'], '')).code, 2);
  });

  it('parses recorded native lines', async () => {
    const chunk = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const stream =
      chunk({ tool_calls: [{ index: 0, id: 'k', function: { name: 'x', arguments: '{"a":1}' } }] }, null) +
      chunk({}, 'tool_calls');
    for (const id of ['native', 'auto']) {
      const { stdout } = await runCli(['parse', '--protocol', id, '--chunk', '5'], stream);
      assert.deepEqual((JSON.parse(stdout) as { calls: unknown }).calls, [
        { id: 'k', name: 'x', arguments: { a: 1 }, start: 0, end: 7, notes: [] },
      ]);
    }
  });

  it('prints what a model is told, and the tools', async () => {
    const text = await runCli(['prompt', '--protocol', 'vcp']);
    assert.match(text.stdout, /TOOL_DEFINITION[^]*\nedit_file\(path, old, new, expect\?: integer\): /);
    const native = await runCli(['prompt', '--protocol', 'native']);
    assert.ok((JSON.parse(native.stdout) as { name: string }[]).some(({ name }) => name === 'edit_file'));
    const tools = await runCli(['tools', '--json']);
    assert.deepEqual(
      (JSON.parse(tools.stdout) as { name: string }[]).map(({ name }) => name),
      toolsWithoutFolder().map(({ spec }) => spec.name),
    );
  });

  it('evaluates JavaScript unasked, in the engine that is shipped', async () => {
    const { stdout, code } = await runCli(
      ['call', 'eval_js', '--workspace', folder],
      '{"code":"console.log(typeof process); 6 * 7"}',
    );
    assert.deepEqual([code, stdout], [0, 'Printed:\nundefined\nResult: 42\n']);
  });

  it('moves and deletes with --allow-moves, and refuses it without', async () => {
    const lines = [
      { id: 1, tool: 'move_path', arguments: { from: 'notes.txt', to: 'old/notes.txt' } },
      { id: 2, tool: 'write_file', arguments: { path: 'new.txt', content: 'x' } },
      { id: 3, tool: 'delete_path', arguments: { path: 'old' } },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const call = async (options: readonly string[]): Promise<unknown[]> => {
      const { stdout } = await runCli(['call', '--workspace', folder, '--jsonl', ...options], input);
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { status: string; result: string });
      return answers.flatMap(({ status, result }) => [status, result]);
    };
    const why =
      'Not executed: it needs approval, because it moves or deletes; --allow-moves lets it through.';
    const [first, text] = await call(['--allow-edits']);
    assert.deepEqual([first, text], ['denied', `${why} Do without it, or ask the user.`]);
    rmSync(path.join(folder, 'new.txt'));
    assert.deepEqual(
      (await call(['--allow-moves'])).filter((_, index) => index !== 3),
      [
        'success',
        'Moved notes.txt to old/notes.txt.',
        'denied',
        'success',
        'Deleted old (a folder with 1 file).',
      ],
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  const task = "read notes.txt then replace 'plum' with 'pear' in notes.txt";
  for (const protocol of ['native', 'vcp']) {
    it(`edits a real file with --allow-edits over ${protocol}, and refuses it without`, async () => {
      const refused = await runCli([
        'run',
        '--workspace',
        folder,
        '--model',
        'demo',
        '--protocol',
        protocol,
        task,
      ]);
      assert.equal(refused.code, 0);
      assert.match(
        refused.stdout,
        /needs approval, because it changes a file; --allow-edits lets it through/,
      );
      assert.equal(readFileSync(path.join(folder, 'notes.txt'), 'utf8'), 'a plum\n');
      const done = await runCli([
        'run',
        '--workspace',
        folder,
        '--model',
        'demo',
        '--protocol',
        protocol,
        '--allow-edits',
        task,
      ]);
      assert.equal(done.code, 0);
      assert.equal(readFileSync(path.join(folder, 'notes.txt'), 'utf8'), 'a pear\n');
    });
  }

  describe('run asks the server what it says of itself', () => {
    let endpoint: FakeEndpoint;
    beforeEach(async () => {
      endpoint = await FakeEndpoint.start();
    });
    afterEach(() => endpoint.stop());

    const task = (...options: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
      runCli(['run', '--workspace', folder, ...options, '--json', 'say hello']);
    const atEndpoint = (model: string): string[] => ['--base-url', endpoint.baseUrl, '--model-name', model];
    const profileFile = (profile: object): string => {
      const file = path.join(folder, 'profile.json');
      writeFileSync(file, JSON.stringify(profile));
      return file;
    };

    it('and leaves native tools if its template drops them', async () => {
      endpoint.metadata = llamaCpp(32768, false);
      assert.equal((await task(...atEndpoint('smollm2-9b'))).code, 0);
      assert.equal(endpoint.requests[0]?.body.tools, undefined);
      assert.match(JSON.stringify(endpoint.requests[0]?.body.messages), /function_calls/);
      assert.deepEqual(endpoint.metadataRequests, ['GET /v1/models', 'GET /props']);
    });

    it('and uses native tools if it supports them or says nothing', async () => {
      endpoint.metadata = llamaCpp(32768, true);
      await task(...atEndpoint('smollm2-9b'));
      endpoint.metadata = {};
      await task(...atEndpoint('smollm2-9b'));
      for (const { body } of endpoint.requests) assert.ok(body.tools);
    });

    it('and describes tools briefly if the window is small', async () => {
      const length = async (window: number): Promise<number> => {
        endpoint.metadata = llamaCpp(window, true);
        await task(...atEndpoint('smollm2-9b'));
        return JSON.stringify(endpoint.requests.at(-1)?.body.tools).length;
      };
      assert.ok((await length(8192)) < (await length(65536)));
    });

    it('and takes steps as plain text if the model is small and the server can force them', async () => {
      endpoint.metadata = llamaCpp(32768, true);
      assert.equal((await task(...atEndpoint('smollm2-135m'))).code, 0);
      const { tools, messages } = endpoint.requests.at(-1)?.body ?? {};
      assert.equal(tools, undefined);
      assert.match(JSON.stringify(messages), /Tool: append_lines/);
    });

    it('and has Ollama load the model if it reports the window only then', async () => {
      endpoint.metadata = { ...ollama({}), 'POST /api/generate': { done: true } };
      const { stderr } = await task(...atEndpoint('qwen3:8b'));
      assert.match(stderr, /^Ollama loads qwen3:8b/);
      const questions = ['GET /api/ps', 'POST /api/show', 'GET /api/version'];
      assert.deepEqual(
        endpoint.metadataRequests.filter((each) => each.includes('/api/')),
        [...questions, 'POST /api/generate', ...questions],
      );
    });

    it('and gets the key by the command of a profile, and a new one if it is refused', async () => {
      const tries = path.join(folder, 'tries');
      const apiKeyCommand = `node -e "const f=require('fs');f.appendFileSync('${tries}','x');console.log('key-'+f.readFileSync('${tries}').length)"`;
      const { baseUrl } = endpoint;
      const file = profileFile({ provider: 'openai', baseUrl, model: 'm', protocol: 'vcp', apiKeyCommand });
      endpoint.next(
        answerWith(401, 'application/json', '{"error":{"message":"expired"}}'),
        streamText('Hello.'),
      );
      const { stdout, stderr, code } = await task('--profile', file);
      assert.equal(code, 0, stderr);
      const sent = endpoint.requests.map(({ headers }) => headers.authorization);
      assert.deepEqual(sent, ['Bearer key-1', 'Bearer key-2']);
      assert.doesNotMatch(stdout + stderr, /key-\d/);
    });

    it('and says what is wrong with such a command', async () => {
      const { baseUrl } = endpoint;
      const profile = { provider: 'openai', baseUrl, model: 'm', protocol: 'vcp', apiKeyCommand: 'exit 3' };
      const { stdout, code } = await task('--profile', profileFile(profile));
      assert.equal(code, 1);
      assert.match(stdout, /The command of \\"apiKeyCommand\\" failed \(3\)/);
      assert.deepEqual(endpoint.requests, []);
    });

    it('and takes a profile from a file, whose window may be too large', async () => {
      endpoint.metadata = llamaCpp(8192, true);
      const file = profileFile({
        provider: 'openai',
        baseUrl: endpoint.baseUrl,
        model: 'smollm2-135m',
        contextWindow: 32768,
        protocol: 'vcp',
        headers: { 'x-team': '${secret:TEAM}' },
        extraBody: { temperature: 0.2 },
      });
      process.env['TEAM'] = 'blue';
      try {
        const { stderr, code } = await task('--profile', file);
        assert.equal(code, 0, stderr);
        assert.match(
          stderr,
          /^For smollm2-135m the server reports a context window of 8192 tokens, the profile 32768\./,
        );
      } finally {
        delete process.env['TEAM'];
      }
      const [request] = endpoint.requests;
      assert.equal(request?.headers['x-team'], 'blue');
      assert.match(JSON.stringify(request.body), /TOOL_REQUEST.*"temperature":0.2/);
    });

    const wrong: [string, object | string, RegExp][] = [
      ['a field that there is not', { provider: 'openai', windows: 1 }, /is not a model profile: .*windows/s],
      ['no address', { provider: 'openai', model: 'm' }, /needs both "baseUrl" and "model"/],
      ['a model of VS Code', { provider: 'vscode', model: 'copilot/x' }, /which only the editor can use/],
      [
        'a secret that is not set',
        {
          provider: 'openai',
          model: 'm',
          baseUrl: 'http://127.0.0.1:9/v1',
          headers: { a: '${secret:NOT_SET_HERE}' },
        },
        /needs "NOT_SET_HERE"/,
      ],
      ['a list', [], /is not a model profile/],
    ];
    for (const [name, profile, says] of wrong) {
      it(`and refuses a profile with ${name}`, async () => {
        const { code, stderr } = await task('--profile', profileFile(profile as object));
        assert.equal(code, 2);
        assert.match(stderr, says);
      });
    }

    it('and refuses a profile beside an address', async () => {
      const { code, stderr } = await task('--profile', 'p.json', ...atEndpoint('m'));
      assert.equal(code, 2);
      assert.match(stderr, /--profile cannot be combined/);
    });
  });

  it('follows the sentences of the README in the sample project', async () => {
    const readme = readFileSync('README.md', 'utf8');
    const [, block = ''] = /can join with `then`:\n\n((?: {4}.+\n)+)/.exec(readme) ?? [];
    const task = block
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .join(' then ');
    cpSync('test/fixtures/sample-workspace', folder, { recursive: true });
    const allowed = ['--allow-edits', '--allow', 'node --test'];
    const { stdout, stderr, code } = await runCli(
      ['run', '--workspace', folder, '--model', 'demo', '--json', ...allowed, task],
      '',
    );
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    const ended = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentEvent)
      .flatMap((event) => (event.type === 'tool-end' ? [[event.result.toolName, event.result.status]] : []));
    assert.deepEqual(ended, [
      ['read_file', 'success'],
      ['edit_file', 'success'],
      ['search_text', 'success'],
      ['run_shell_command', 'success'],
    ]);
  });

  it('does the tasks of the README in the sample project', async () => {
    const readme = readFileSync('README.md', 'utf8');
    const [, block = ''] = /try these with the demo model[^:]*:\n\n((?: {4}.+\n)+)/.exec(readme) ?? [];
    const sentences = block
      .trim()
      .split('\n')
      .map((line) => line.trim());
    cpSync('test/fixtures/sample-workspace', folder, { recursive: true });
    const allowed = ['--allow-edits', '--allow', 'node --test'];
    const answers: string[] = [];
    for (const sentence of sentences) {
      const { stdout, code } = await runCli(
        ['run', '--workspace', folder, '--model', 'demo', ...allowed, sentence],
        '',
      );
      assert.equal(code, 0, sentence);
      answers.push(stdout);
    }
    const [explained = '', found = '', fixed = ''] = answers;
    assert.match(explained, /is JavaScript, 6 lines\.[^]*exports `greet`[^]*used by `test\/greet\.test\.js`/);
    assert.match(found, /defined in `src\/greet\.js` \(line 2\)[^]*Tests use it in `test\/greet\.test\.js`/);
    assert.match(
      fixed,
      /The tests pass now\.[^]*`src\/total\.js`, line 3: `price - tip` became `price \+ tip`/,
    );
    assert.match(readFileSync(path.join(folder, 'src/total.js'), 'utf8'), /return price \+ tip;/);
    const again = await runCli(
      ['run', '--workspace', folder, '--model', 'demo', ...allowed, 'Run the tests'],
      '',
    );
    assert.match(again.stdout, /The tests pass; there is nothing to fix\./);
  });

  it('runs a task on an endpoint, with its events as lines, and never shows the key', async () => {
    const endpoint = await FakeEndpoint.start();
    try {
      writeFileSync(path.join(folder, 'show.js'), 'console.log(JSON.stringify(process.env))');
      endpoint.next(
        streamParts(vcp, [
          {
            type: 'call',
            call: { id: 'e', name: 'run_shell_command', arguments: { command: 'node show.js' } },
          },
        ]),
      );
      const { stdout, stderr, code } = await runCli(
        [
          'run',
          '--workspace',
          folder,
          '--base-url',
          endpoint.baseUrl,
          '--model-name',
          'm',
          '--api-key-env',
          'ACME_GATEWAY',
          '--protocol',
          'vcp',
          '--allow',
          'node show.js',
          '--json',
          'go',
        ],
        '',
        { ACME_GATEWAY: 'canary-77' },
      );
      assert.equal(code, 0);
      assert.equal(endpoint.requests[0]?.headers.authorization, 'Bearer canary-77');
      const events = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type);
      assert.deepEqual([events[0], events.at(-1)], ['run-start', 'run-end']);
      assert.match(stdout, /GIT_PAGER/);
      assert.doesNotMatch(stdout + stderr, /canary/);
    } finally {
      await endpoint.stop();
    }
  });

  it('G32.visible: sends a request again that failed for a while, and says so beside the answer', async () => {
    const endpoint = await FakeEndpoint.start();
    try {
      endpoint.next((response) => {
        response.writeHead(503, { 'retry-after': '1' });
        response.end();
      });
      const address = ['--base-url', endpoint.baseUrl, '--model-name', 'm'];
      const { stdout, stderr, code } = await runCli(['run', '--workspace', folder, ...address, 'go']);
      assert.equal(code, 0);
      assert.equal(stdout.trim(), 'All done.');
      assert.match(stderr, /failed \(503\)\. Trying again in 1 s \(2 of 5\)\./);
      assert.equal(endpoint.requests.length, 2);
    } finally {
      await endpoint.stop();
    }
  });

  it('calls tools, one a line, under the same policy', async () => {
    const lines = [
      { id: 't1', tool: 'read_file', arguments: { file_path: 'notes.txt' } },
      { id: 't2', tool: 'files_writeFile', arguments: { path: 'new.txt', content: 'x' } },
      { id: 't3', tool: 'read_file', arguments: { path: '../../etc/passwd' } },
      { id: 't4', tool: 'nothing', arguments: {} },
      { id: 't5', tool: 'run_shell_command', arguments: { command: 'echo hi' } },
      { id: 't6', arguments: {} },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const { stdout } = await runCli(
      ['call', '--workspace', folder, '--jsonl', '--allow-edits', '--allow', 'echo'],
      input,
    );
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; status: string; result: string });
    assert.deepEqual(
      answers.map(({ id, status }) => `${id} ${status}`),
      ['t1 success', 't2 success', 't3 denied', 't4 error', 't5 success', 't6 error'],
    );
    assert.match(answers[0]?.result ?? '', /a plum/);
    assert.equal(readFileSync(path.join(folder, 'new.txt'), 'utf8'), 'x');
  });

  it('loads skills, keeps a list, and says that there is no user to ask', async () => {
    const home = path.join(folder, 'home');
    for (const [place, name] of [
      [path.join(home, '.agents/skills/letters'), 'letters'],
      [path.join(folder, '.claude/skills/forms'), 'forms'],
    ] as const) {
      mkdirSync(place, { recursive: true });
      writeFileSync(path.join(place, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n---\nDo ${name}.`);
    }
    mkdirSync(path.join(folder, '.claude/skills/bad'));
    writeFileSync(path.join(folder, '.claude/skills/bad/SKILL.md'), 'bad');
    const lines = [
      { id: 't1', tool: 'call_skill', arguments: { name: 'letters' } },
      { id: 't2', tool: 'call_skill', arguments: { name: 'forms', args: 'all' } },
      { id: 't3', tool: 'update_todos', arguments: { items: [{ text: 'a', status: 'pending' }] } },
      { id: 't4', tool: 'ask_user', arguments: { question: 'Why?' } },
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const { stdout, stderr } = await runCli(['call', '--workspace', folder, '--jsonl'], input, {
      HOME: home,
      USERPROFILE: home,
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; status: string; result: string });
    assert.deepEqual(
      answers.map(({ id, status }) => `${id} ${status}`),
      ['t1 success', 't2 success', 't3 success', 't4 error'],
    );
    assert.match(answers[0]?.result ?? '', /^Skill letters of the user\.[^]*Do letters\.$/);
    assert.match(
      answers[1]?.result ?? '',
      /^Skill forms of the workspace\.[^]*Arguments: all\n\nDo forms\.$/,
    );
    assert.match(answers[2]?.result ?? '', /^The todo list has 1 item/);
    assert.match(answers[3]?.result ?? '', /^No user is available to answer\. Decide yourself/);
    assert.match(stderr, /^The skill in .*bad is left out: .*\n$/);
  });

  it('continues when the model asks in an unattended run', async () => {
    const endpoint = await FakeEndpoint.start();
    try {
      const call = { id: 'q', name: 'ask_user', arguments: { question: 'Which?', options: ['a', 'b'] } };
      const asked = streamParts(vcp, [{ type: 'call', call }]);
      endpoint.next(asked, asked);
      const where = ['--workspace', folder, '--base-url', endpoint.baseUrl, '--model-name', 'm'];
      const { stdout, code } = await runCli(['run', ...where, '--protocol', 'vcp', '--json', 'go']);
      assert.equal(code, 0);
      assert.match(stdout, /"status":"error","result":"No user is available to answer/);
      assert.doesNotMatch(stdout, /"type":"question/);
      assert.match(JSON.stringify(endpoint.requests[2]?.body.messages), /No user is available to answer/);
    } finally {
      await endpoint.stop();
    }
  });

  it('shows its usage for every form of the request, and its version', async () => {
    const { stdout: usage } = await runCli(['--help']);
    assert.match(usage, /^parley: the engine/);
    const wanted = { code: 0, stdout: usage, stderr: '' };
    const commands = [...usage.matchAll(/^ {2}parley (\w+)/gm)].map(([, name = '']) => name);
    const known = [
      'call',
      'check',
      'doctor',
      'grammar',
      'parse',
      'prompt',
      'replay',
      'run',
      'serve',
      'tools',
    ];
    assert.deepEqual([...new Set(commands)].sort(), known);
    const asked = [
      ['help'],
      ['-h'],
      ...caseSample(commands).map((name) => [name, '-h']),
      ['run', '--json', '--help'],
    ];
    for (const args of asked) assert.deepEqual(await runCli(args), wanted, args.join(' '));
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.deepEqual(await runCli(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
  });

  const wrong: [string, string[]][] = [
    ['an unknown command', ['dance']],
    ['an unknown option', ['parse', '--protocol', 'vcp', '--fast']],
    ['an unknown protocol', ['prompt', '--protocol', 'nope']],
    ['no task', ['run', '--workspace', '.', '--model', 'demo']],
    ['no workspace', ['run', '--model', 'demo', 'list']],
    [
      'a model beside an endpoint',
      ['run', '--workspace', '.', '--base-url', 'http://127.0.0.1:9', '--model', 'qwen3', 'list'],
    ],
    ['a missing folder', ['call', 'read_file', '--workspace', '/nowhere/at/all']],
    ['a file as the folder', ['run', '--workspace', 'package.json', '--model', 'demo', 'list']],
  ];
  for (const [what, args] of wrong) {
    it(`ends with 2 and one sentence for ${what}`, async () => {
      const { code, stdout, stderr } = await runCli(args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^parley/);
    });
  }
});
