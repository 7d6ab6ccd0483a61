import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { native } from '../../../src/protocols/native/native';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { runCli } from '../../support/processes/run-cli';
import {
  answerWith,
  FakeEndpoint,
  streamParts,
  streamText,
  type EndpointReply,
} from '../../support/servers/fake-endpoint';
import { NeedsReasoning } from '../../support/servers/needs-reasoning';
import { llamaCpp } from '../../support/servers/recorded-answers';

const READ = { id: 'r', name: 'read_file', arguments: { path: 'notes.txt' } };

describe('run with every field of a profile', () => {
  let folder: string;
  let endpoint: FakeEndpoint;
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-profile-')));
    writeFileSync(path.join(folder, 'notes.txt'), 'a plum\n');
    endpoint = await FakeEndpoint.start();
  });
  afterEach(async () => {
    await endpoint.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const withProfile = (
    profile: object,
    options: readonly string[] = ['--json'],
    env: Record<string, string> = {},
  ): ReturnType<typeof runCli> => {
    const file = path.join(folder, 'profile.json');
    const whole = { provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', ...profile };
    writeFileSync(file, JSON.stringify(whole));
    return runCli(['run', '--workspace', folder, '--profile', file, ...options, 'go'], '', env);
  };
  const bodies = (): Readonly<Record<string, unknown>>[] =>
    endpoint.requests.map(({ body }) => body as unknown as Record<string, unknown>);
  const vllm = { 'GET /v1/models': { data: [{ id: 'm', owned_by: 'vllm', max_model_len: 32768 }] } };

  it('apiKeyCommand: the key comes from the command, again after a refusal, and is never shown', async () => {
    const tokens = path.join(folder, 'token.cjs');
    const count = path.join(folder, 'count');
    writeFileSync(
      tokens,
      `const fs = require('node:fs'); const file = ${JSON.stringify(count)};
       const n = fs.existsSync(file) ? +fs.readFileSync(file, 'utf8') + 1 : 1;
       fs.writeFileSync(file, String(n)); console.log('canary-' + n);`,
    );
    endpoint.metadata = llamaCpp(32768, true);
    endpoint.next(answerWith(401, 'application/json', '{"error":{"message":"expired canary-1"}}'));
    endpoint.next(streamParts(native, [{ type: 'call', call: READ }]));
    const profile = { apiKeyCommand: `"${process.execPath}" "${tokens}"` };
    const { code, stdout, stderr } = await withProfile(profile, ['--json'], { PARLEY_API_KEY: 'other-key' });
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      endpoint.requests.map(({ headers }) => headers.authorization),
      ['Bearer canary-1', 'Bearer canary-2', 'Bearer canary-2'],
    );
    assert.equal(readFileSync(count, 'utf8'), '2');
    assert.doesNotMatch(stdout + stderr, /canary|other-key/);
  });

  it('apiKeyCommand: one that fails is named, and nothing is sent', async () => {
    const { code, stderr } = await withProfile({ apiKeyCommand: 'exit 3' }, []);
    assert.equal(code, 1);
    assert.match(stderr, /The command of "apiKeyCommand" failed \(3\)\. Run it in a terminal to see why\./);
    assert.equal(endpoint.requests.length, 0);
  });

  it('timeouts: a silent server is given up after the time of the profile', async () => {
    const never: EndpointReply = () => undefined;
    endpoint.next(never);
    const { code, stderr } = await withProfile({ timeouts: { firstEvent: 0.3 } }, []);
    assert.equal(code, 1);
    assert.match(stderr, /0\.3 s/);
    assert.equal(endpoint.requests.length, 1);
  });

  for (const [reasoning, expected] of [
    ['echo', 'Hm, notes.'],
    ['drop', undefined],
  ] as const) {
    it(`reasoning: ${reasoning}`, async () => {
      endpoint.next((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const { id, name, arguments: args } = READ;
        const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
        for (const [delta, finish_reason] of [
          [{ reasoning_content: 'Hm, notes.' }, null],
          [{ tool_calls: [call] }, 'tool_calls'],
        ]) {
          response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
        }
        response.end('data: [DONE]\n\n');
      });
      const { code } = await withProfile({ reasoning });
      assert.equal(code, 0);
      const messages = bodies()[1]?.['messages'] as Record<string, unknown>[];
      const reply = messages.find(({ role }) => role === 'assistant');
      assert.equal(reply?.['reasoning_content'], expected);
    });
  }

  it('reasoning: what the endpoint requires costs one request in a run', async () => {
    const replies = [1, 2].map(() => streamParts(native, [{ type: 'call', call: READ }]));
    const rule = new NeedsReasoning(() => replies.pop() ?? streamText('Done.'));
    endpoint.always(rule.answer);
    const { code } = await withProfile({});
    assert.deepEqual([code, rule.refusals, endpoint.requests.length], [0, 1, 4]);
  });

  it('prompt: the tools are described in full or briefly, for any window', async () => {
    const length = async (prompt: string, contextWindow: number): Promise<number> => {
      await withProfile({ prompt, contextWindow });
      return JSON.stringify(bodies().at(-1)?.['tools']).length;
    };
    const [full, short] = [await length('auto', 65_536), await length('auto', 12_000)];
    assert.ok(short < full);
    assert.deepEqual([await length('full', 12_000), await length('short', 65_536)], [full, short]);
  });

  it('asks llama.cpp alone for its progress, by profile and by address alike', async () => {
    endpoint.metadata = llamaCpp(32768, true);
    await withProfile({ model: 'smollm2-135m' });
    const byProfile = bodies().length;
    await runCli(['run', '--workspace', folder, '--base-url', endpoint.baseUrl, '--model-name', 'm', 'go']);
    const all = bodies().length;
    endpoint.metadata = vllm;
    await withProfile({});
    assert.ok(byProfile > 0 && all > byProfile);
    assert.deepEqual(
      bodies().map((body) => body['return_progress']),
      bodies().map((_, at) => (at < all ? true : undefined)),
    );
  });

  it('asks only vLLM and SGLang for special tokens in text protocols', async () => {
    const asked = async (told: object, protocol: string): Promise<unknown> => {
      endpoint.metadata = told as typeof endpoint.metadata;
      await withProfile({ protocol });
      return bodies().at(-1)?.['skip_special_tokens'];
    };
    assert.equal(await asked(vllm, 'vcp'), false);
    assert.equal(await asked(vllm, 'native'), undefined);
    const sglang = { 'GET /v1/models': { data: [{ id: 'm', owned_by: 'sglang', max_model_len: 32768 }] } };
    assert.equal(await asked(sglang, 'vcp'), false);
    assert.equal(await asked(llamaCpp(32768, true), 'vcp'), undefined);
  });

  it('asks a server in the network through the proxy of the environment, as requests go', async () => {
    const through: string[] = [];
    const proxy = createServer((request, response) => {
      through.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    // SAFETY: a listening TCP server has an address with a port.
    const { port } = proxy.address() as AddressInfo;
    try {
      const profile = { baseUrl: 'http://parley-test.local:8000/v1' };
      await withProfile(profile, [], { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '' });
      assert.equal(through[0], 'GET http://parley-test.local:8000/v1/models');
      assert.equal(through.at(-1), 'POST http://parley-test.local:8000/v1/chat/completions');
    } finally {
      proxy.close();
      proxy.closeAllConnections();
    }
  });

  const sampled: readonly { readonly profile: object; readonly sent: Readonly<Record<string, unknown>> }[] = [
    { profile: {}, sent: {} },
    {
      profile: { temperature: 0.3, topP: 0.9, seed: 7 },
      sent: { temperature: 0.3, top_p: 0.9, seed: 7 },
    },
    {
      profile: { temperature: 0.3, seed: 7, extraBody: { temperature: 1, seed: 8 } },
      sent: { temperature: 1, seed: 8 },
    },
    { profile: { steps: 'one' }, sent: { temperature: 0.2 } },
    { profile: { steps: 'one', temperature: 0 }, sent: { temperature: 0 } },
    { profile: { steps: 'many', model: 'qwen2.5-1.5b' }, sent: {} },
    { profile: { model: 'qwen2.5-1.5b' }, sent: { temperature: 0.2 } },
  ];
  for (const { profile, sent } of sampled) {
    it(`samples as ${JSON.stringify(profile)} says`, async () => {
      await withProfile(profile);
      const [{ temperature, top_p, seed } = {}] = bodies();
      const sampling = Object.entries({ temperature, top_p, seed }).filter(
        ([, value]) => value !== undefined,
      );
      assert.deepEqual(Object.fromEntries(sampling), sent);
    });
  }

  it('steps: one offers few small tools and lists the files', async () => {
    const asked = async (steps: string): Promise<readonly [string[], boolean]> => {
      await withProfile({ steps });
      const { tools, messages } = bodies().at(-1) as {
        readonly tools: readonly { readonly function: { readonly name: string } }[];
        readonly messages: readonly { readonly content: string }[];
      };
      const names = tools.map(({ function: { name } }) => name);
      return [names, messages.some(({ content }) => content.includes('notes.txt'))];
    };
    const [few, isListed] = await asked('one');
    const [many, isListedToo] = await asked('many');
    assert.ok(few.length <= 10 && few.includes('append_lines') && few.includes('delete_file'), few.join());
    assert.ok(many.includes('load_tools') && !many.includes('append_lines'), many.join());
    assert.deepEqual([isListed, isListedToo], [true, false]);
  });

  it('fails if the model wrote calls that were not run, and nothing else was done', async () => {
    const args = { path: 'b.txt', content: 'b' };
    const foreign = (name: string, values: object): EndpointReply =>
      streamText(`<tool_call>\n${JSON.stringify({ name, arguments: values })}\n</tool_call>`);
    endpoint.next(foreign('write_file', args), foreign('write_file', args));
    const refused = await withProfile({ protocol: 'vcp' }, []);
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(refused.stderr, /Write calls outside of code fences, exactly in this form/);
    endpoint.next(
      foreign('read_file', { path: 'notes.txt' }),
      foreign('write_file', args),
      foreign('write_file', args),
    );
    assert.equal((await withProfile({ protocol: 'vcp' }, [])).code, 0);
  });

  it('moves to the form that the model writes, if the protocol was left open', async () => {
    const call = '{"name": "read_file", "arguments": {"path": "notes.txt"}}';
    endpoint.next(streamText(`<tool_call>\n${call}\n</tool_call>`));
    const { code, stderr } = await withProfile({}, []);
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/^\[form-moved\] .*"hermes"/gm)?.length, 1, stderr);
    assert.match(stderr, /\[read_file\] success/);
    assert.deepEqual(
      bodies().map((body) => 'tools' in body),
      [true, false],
    );
  });

  it('prints the warnings of sub-agents and advice beside the answer', async () => {
    const task = { id: 's', name: 'call_sub_agent', arguments: { task: 'look' } };
    const foreign = streamText('<tool_call>\n{"name": "read_file", "arguments": {}}\n</tool_call>');
    const called = streamParts(vcp, [{ type: 'call', call: task }]);
    // Its definition comes first. The sub-agent is told once how to call, and so is the agent.
    endpoint.next(called, called, foreign, foreign, foreign);
    const { code, stderr } = await withProfile({ protocol: 'vcp' }, []);
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/^\[foreign-block\] /gm)?.length, 3, stderr);
    assert.match(stderr, /form of another protocol\. Try `--protocol hermes`\./);
  });
});
