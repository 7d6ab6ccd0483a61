import { deepEqual, equal, match, ok } from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { limits } from '../../../src/base/limits';
import { redact } from '../../../src/base/redact';
import type { Hooks } from '../../../src/core/run/hooks';
import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { Verdict } from '../../../src/core/words/verdict';
import { programHooks, type HookSetting, type HookSettings } from '../../../src/node/hooks';
import { eventually } from '../../support/eventually';

const NEVER = new AbortController().signal;
const AUTO: Verdict = { decision: 'auto', reason: 'inside the workspace' };
const KEY = 'canary-of-a-key-0123456789';

const REQUEST: ApprovalRequest = {
  call: {
    id: 'c1',
    name: 'run_shell_command',
    arguments: { command: 'npm test', key: KEY },
    start: 0,
    end: 0,
    notes: [],
    mark: 'clean',
  },
  effect: 'execute',
  title: 'Run npm test',
  accesses: [
    {
      effect: 'execute',
      kind: 'command',
      target: 'npm test',
      verdict: { decision: 'ask', reason: 'no rule' },
    },
  ],
};

describe('programs as hooks', () => {
  let folder: string;
  let workspace: string;
  let log: string[];

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hooks-')));
    workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hooked-')));
    log = [];
  });
  afterEach(() => {
    for (const each of [folder, workspace]) rmSync(each, { recursive: true, force: true });
  });

  /** A hook that runs this as a script of Node. */
  function script(code: string, more: Partial<HookSetting> = {}, where = folder): HookSetting {
    const file = path.join(where, 'hook.js');
    writeFileSync(file, code);
    return { command: [process.execPath, file], ...more };
  }

  function hooks(settings: HookSettings, { isTrusted = true } = {}): Hooks {
    const made = programHooks(settings, {
      roots: [workspace],
      isTrusted: () => isTrusted,
      withheld: ['CUSTOM'],
      redact: (text) => redact(text, [KEY]),
      log: (line) => log.push(line),
    });
    ok(made);
    return made;
  }

  function before(hook: HookSetting, signal = NEVER): Promise<Verdict | undefined> {
    return hooks({ beforeCall: [hook] }).beforeCall(REQUEST, AUTO, signal);
  }

  it('do not exist unless set', () => {
    equal(
      programHooks({}, { roots: [], isTrusted: () => true, redact: String, log: () => undefined }),
      undefined,
    );
  });

  it('say nothing by ending, and refuse by exit code 2 with the reason they print', async () => {
    equal(await before(script('')), undefined);
    deepEqual(await before(script('console.error("not on a Friday"); process.exit(2)')), {
      decision: 'deny',
      reason: 'a hook says: not on a Friday',
    });
    const { decision, reason = '' } = (await before(script('process.exit(2)'))) ?? {};
    deepEqual([decision, /^the hook "node\S* hook\.js" says so$/.test(reason)], ['deny', true]);
  });

  for (const decision of ['ask', 'deny'] as const) {
    it(`say "${decision}" as JSON`, async () => {
      const answer = JSON.stringify({ decision, reason: 'because' });
      deepEqual(await before(script(`console.log(${JSON.stringify(answer)})`)), {
        decision,
        reason: 'a hook says: because',
      });
    });
  }

  it('are told what would run, without keys, in their own folder and environment', async () => {
    process.env['PARLEY_TEST_API_KEY'] = 'x';
    process.env['CUSTOM'] = 'x';
    try {
      const file = path.join(folder, 'told.json');
      const code = `
        let text = '';
        process.stdin.on('data', (piece) => (text += piece));
        process.stdin.on('end', () => require('fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify({
          event: JSON.parse(text), cwd: process.cwd(), env: process.env,
        })));`;
      equal(await before(script(code)), undefined);
      const told = JSON.parse(readFileSync(file, 'utf8')) as {
        readonly event: unknown;
        readonly cwd: string;
        readonly env: NodeJS.ProcessEnv;
      };
      deepEqual(told.event, {
        event: 'beforeCall',
        tool: 'run_shell_command',
        title: 'Run npm test',
        effect: 'execute',
        arguments: { command: 'npm test', key: '[key]' },
        accesses: [
          { kind: 'command', effect: 'execute', target: 'npm test', decision: 'ask', reason: 'no rule' },
        ],
        decision: 'auto',
        reason: 'inside the workspace',
        workspace: [workspace],
        isTrusted: true,
      });
      equal(told.cwd, realpathSync(homedir()));
      equal(told.env['PARLEY_WORKSPACE'], workspace);
      deepEqual([told.env['PARLEY_TEST_API_KEY'], told.env['CUSTOM']], [undefined, undefined]);
    } finally {
      delete process.env['PARLEY_TEST_API_KEY'];
      delete process.env['CUSTOM'];
    }
  });

  it('are asked only about the tools they name', async () => {
    const denies = 'process.exit(2)';
    const asked = async (tools: HookSetting['tools']): Promise<boolean> =>
      (await before(script(denies, tools === undefined ? {} : { tools }))) !== undefined;
    deepEqual(
      await Promise.all(
        [undefined, 'run_*', ['read_file', 'run_shell_command'], 'read_file', 'run', '*.*'].map(asked),
      ),
      [true, true, true, false, false, false],
    );
  });

  it('are asked one after another until one refuses', async () => {
    const said = (name: string, answer: string): HookSetting => {
      const file = path.join(folder, `${name}.js`);
      writeFileSync(file, `require('fs').writeFileSync(__filename + '.ran', ''); ${answer}`);
      return { command: [process.execPath, file] };
    };
    const list = [
      said('a', `console.log('{"decision":"ask","reason":"a"}')`),
      said('b', 'process.exit(2)'),
      said('c', ''),
    ];
    const verdict = await hooks({ beforeCall: list }).beforeCall(REQUEST, AUTO, NEVER);
    equal(verdict?.decision, 'deny');
    deepEqual(
      ['a', 'b', 'c'].map((name) => existsSync(path.join(folder, `${name}.js.ran`))),
      [true, true, false],
    );
  });

  describe('G44: ask if they give no answer', () => {
    const PROGRAMS: readonly (readonly [
      name: string,
      code: string,
      reason: RegExp,
      more?: Partial<HookSetting>,
    ])[] = [
      ['says "allow"', `console.log('{"decision":"allow"}')`, /neither "ask" nor "deny"$/],
      ['says "auto"', `console.log('{"decision":"auto"}')`, /neither "ask" nor "deny"$/],
      ['says a number', `console.log('{"decision":1}')`, /neither "ask" nor "deny"$/],
      ['prints broken JSON', `console.log('{"decision":')`, /did not print one JSON object$/],
      ['prints a list', `console.log('[]')`, /did not print one JSON object$/],
      ['prints words', `console.log('fine')`, /did not print one JSON object$/],
      ['crashes', 'throw new Error("x")', /failed with exit code 1$/],
      ['ends by a signal', `process.kill(process.pid, 'SIGKILL')`, /was ended by a signal$/],
      ['never ends', 'setInterval(() => {}, 1000)', /did not end in 1 s$/, { timeout: 1 }],
      [
        'writes 10 MB',
        `process.stdout.write('x'.repeat(1e7)); setInterval(() => {}, 1000)`,
        /far more than an answer$/,
      ],
      [
        'complains with 10 MB',
        `process.stderr.write('x'.repeat(1e7)); setInterval(() => {}, 1000)`,
        /far more than an answer$/,
      ],
    ];
    for (const [name, code, reason, more] of PROGRAMS) {
      it(`that ${name}`, async function () {
        this.timeout(20_000);
        const verdict = await before(script(code, more));
        equal(verdict?.decision, 'ask');
        match(verdict.reason, reason);
      });
    }

    it('that is not there', async () => {
      for (const command of [[path.join(folder, 'missing')], ['no-such-program-of-parley'], ['']]) {
        const verdict = await before({ command });
        deepEqual([verdict?.decision, /was not found$/.test(verdict?.reason ?? '')], ['ask', true]);
      }
    });

    it('that is in the workspace, directly, as an argument or through a link', async () => {
      const inside = script('', {}, workspace);
      const link = path.join(folder, 'link.js');
      symlinkSync(path.join(workspace, 'hook.js'), link);
      const relative = path.relative(homedir(), path.join(workspace, 'hook.js'));
      for (const command of [inside.command, [process.execPath, link], [process.execPath, relative]]) {
        const verdict = await before({ command });
        deepEqual(
          [verdict?.decision, /names a place in the workspace/.test(verdict?.reason ?? '')],
          ['ask', true],
        );
      }
    });
  });

  it('G44: leave no process when they time out', async () => {
    const file = path.join(folder, 'pid');
    const code = `
      const { spawn } = require('child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
      require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => {}, 1000);`;
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const verdict = before(script(code, { timeout: 1 }));
      const pid = await eventually(() => Number(readFileSync(file, 'utf8')) || false);
      mock.timers.tick(1_000);
      mock.timers.reset();
      equal((await verdict)?.decision, 'ask');
      await eventually(() => !isAlive(pid));
    } finally {
      mock.timers.reset();
    }
  });

  it('G44: reject when the run is stopped', async () => {
    const stop = new AbortController();
    const waiting = before(script('setInterval(() => {}, 1000)'), stop.signal);
    stop.abort(new Error('stopped'));
    let reason: unknown;
    await waiting.catch((error: unknown) => (reason = error));
    equal((reason as Error).message, 'stopped');
  });

  it('G19: print no key that is known, and no character that hides something', async () => {
    const verdict = await before(
      script(`console.log(JSON.stringify({ decision: 'ask', reason: ${JSON.stringify(`${KEY} \u202ex`)} }))`),
    );
    equal(verdict?.reason, 'a hook says: [key] ⟨U+202E⟩x');
    const long = await before(
      script(`console.log(JSON.stringify({ decision: 'ask', reason: 'y'.repeat(9999) }))`),
    );
    ok((long?.reason.length ?? 0) < limits.hookReasonCharacters + 40);
  });

  describe('after a call', () => {
    const call = { request: REQUEST, status: 'success', result: 'all passed' } as const;
    const note = `process.stdin.on('data', (d) => console.log(JSON.stringify({ note: JSON.parse(d).result + '!' })))`;

    it('add a note, and nothing if they fail', async () => {
      equal(await hooks({ afterCall: [script(note)] }).afterCall(call, NEVER), 'all passed!');
      for (const code of ['process.exit(1)', 'console.log("no JSON")', `console.log('{"note":1}')`])
        equal(await hooks({ afterCall: [script(code)] }).afterCall(call, NEVER), undefined);
      equal(await hooks({ afterCall: [script(note)] }).afterCall(call, AbortSignal.abort()), undefined);
      ok(log.some((line) => line.includes('exit code 1')));
    });

    it('G1: do not run in Restricted Mode, but those before a call do', async () => {
      const all = { beforeCall: [script('process.exit(2)')], afterCall: [script('process.exit(2)')] };
      const restricted = hooks({ ...all, runEnd: all.afterCall }, { isTrusted: false });
      equal((await restricted.beforeCall(REQUEST, AUTO, NEVER))?.decision, 'deny');
      log = [];
      equal(await restricted.afterCall(call, NEVER), undefined);
      await restricted.runEnd({ type: 'done' });
      deepEqual(log, []);
    });
  });

  it('are told at the end of a run how it ended', async () => {
    const file = path.join(folder, 'end.json');
    const code = `process.stdin.pipe(require('fs').createWriteStream(${JSON.stringify(file)}))`;
    await hooks({ runEnd: [script(code)] }).runEnd({ type: 'failed', message: 'It broke.' });
    deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      event: 'runEnd',
      outcome: 'failed',
      message: 'It broke.',
      workspace: [workspace],
      isTrusted: true,
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
