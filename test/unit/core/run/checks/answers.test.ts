import assert from 'node:assert/strict';
import type { RenderedPart } from '../../../../../src/core/words/protocol';
import { quotedCommands } from '../../../../../src/core/run/quoted-commands';
import { findProtocol } from '../../../../../src/protocols';
import { toolsForSteps } from '../../../../../src/tools/tools-for-steps';
import { testConfig, testSession } from '../../../../support/agent/test-session';
import { ScratchWorkspace } from '../../../../support/workspace/scratch-workspace';

const plain = findProtocol('plain')!;
const FILES = {
  'a.ini': 'port = 8417\nhost = local\n',
  'b.ini': 'port = 8417\n',
  'ok.js': 'process.exit(0);\n',
  'bad.js': 'process.exit(1);\n',
  'src/x.js': 'getUsr();\n',
  'src/y.js': 'getUsr(1);\n',
};

const says = (text: string): RenderedPart => ({ type: 'text', text });
const call = (name: string, args: Record<string, string>): RenderedPart => ({
  type: 'call',
  call: { id: '', name, arguments: args },
});
const run = (command: string): RenderedPart => call('run_command', { command });
const change = (path: string, old = 'port = 8417\n', fresh = 'port = 9000\n'): RenderedPart =>
  call('replace_lines', { path, old, new: fresh });
const rename = (path: string): RenderedPart => change(path, 'getUsr', 'findUser');

describe('an answer', () => {
  let scratch: ScratchWorkspace;
  beforeEach(async () => (scratch = await ScratchWorkspace.create(FILES)));
  afterEach(() => scratch.dispose());

  const rows: readonly {
    readonly what: string;
    readonly message: string;
    readonly calls: readonly RenderedPart[];
    readonly answer?: string;
    readonly steps?: 'many';
    /** The warning, and what the model is told. */
    readonly code?: string;
    readonly told?: RegExp;
  }[] = [
    {
      what: 'without the run that was asked for',
      message: 'Set the port in a.ini to 9000, then run `node ok.js`.',
      calls: [change('a.ini')],
      code: 'not-done',
      told: /`node ok\.js` has not been run\./,
    },
    {
      what: 'without that run, of a large model',
      message: 'Set the port in a.ini to 9000, then run `node ok.js`.',
      calls: [call('edit_file', { path: 'a.ini', old: '8417', new: '9000' })],
      steps: 'many',
      code: 'not-done',
      told: /has not been run/,
    },
    {
      what: 'after a run before the last change',
      message: 'Set the port in a.ini to 9000, so that `node ok.js` works.',
      calls: [run('node ok.js'), change('a.ini')],
      code: 'not-done',
      told: /has not been run since the last change/,
    },
    {
      what: 'after a run that failed',
      message: 'Set the port in a.ini to 9000; `node bad.js` has to pass.',
      calls: [change('a.ini'), run('node bad.js')],
      code: 'not-done',
      told: /`node bad\.js` failed when it last ran/,
    },
    {
      what: 'after the run',
      message: 'Set the port in a.ini to 9000, then run `node ok.js`.',
      calls: [change('a.ini'), run('node ok.js')],
    },
    {
      what: 'after a run that failed, as the task expects',
      message: 'Run `node bad.js` and tell me its exit code.',
      calls: [run('node bad.js')],
    },
    {
      what: 'with a number that nothing has shown',
      message: 'What is the port in a.ini?',
      calls: [],
      answer: 'The port is 3000.',
      code: 'not-seen',
      told: /3000 is in nothing that you have seen/,
    },
    {
      what: 'with a file that nothing has shown',
      message: 'Which file is beside a.ini?',
      calls: [],
      answer: 'It is config/main.yaml.',
      code: 'not-seen',
      told: /config\/main\.yaml/,
    },
    {
      what: 'with a number that was read',
      message: 'What is the port in a.ini?',
      calls: [],
      answer: 'It is 8417.',
    },
    { what: 'that is a sum', message: 'How many ports are in a.ini?', calls: [], answer: '12 ports.' },
    {
      what: 'although one of two files is as it was',
      message: 'Set the port in a.ini and b.ini to 9000.',
      calls: [change('a.ini')],
      code: 'not-touched',
      told: /Not changed so far: b\.ini\n/,
    },
    {
      what: 'although a name is still there',
      message: 'Rename getUsr to findUser everywhere.',
      calls: [rename('src/x.js')],
      code: 'not-touched',
      told: /Not changed so far: src\/y\.js\n +1: getUsr\(1\);/,
    },
    {
      what: 'after both changes',
      message: 'Set the port in a.ini and b.ini to 9000.',
      calls: [change('a.ini'), change('b.ini')],
    },
  ];
  for (const { what, message, calls, answer = 'It is done.', steps = 'one', code, told } of rows) {
    it(`${what} is ${code ? 'not the last one' : 'the last one'}`, async () => {
      const offered = scratch.registry.offered(testConfig);
      const { session, model, events, errors } = testSession({
        ...{ protocol: plain, steps, files: Object.keys(FILES) },
        replies: [
          ...calls.map((each) => [says('I do it.'), each]),
          [says(answer)],
          [says('I stay with it.')],
        ],
        tools: steps === 'one' ? toolsForSteps(offered, testConfig) : offered,
        judge: () => ({ verdict: { decision: 'auto', reason: 'a test' }, grants: [] }),
      });
      await session.send(message);
      assert.deepEqual(errors, []);
      const codes = events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : []));
      const [first] = codes.filter((each) => each !== 'nothing-changed');
      assert.equal(first, code);
      const after = model.requests[calls.length + 1];
      if (told) assert.match(after?.messages.at(-1)?.content ?? '', told);
      else assert.equal(after, undefined);
    });
  }
});

describe('commands that a message asks for', () => {
  const rows: readonly (readonly [message: string, commands: readonly string[]])[] = [
    ['Run `node --test`.', ['node --test']],
    ['Correct it so that `python3 -m unittest` passes.', ['python3 -m unittest']],
    ['运行 `node test/run.js` 会失败。', ['node test/run.js']],
    ['Run `./check.sh` and then `make`.', ['./check.sh', 'make']],
    ['Rename `parse` to `read`. It runs often.', []],
    ['The script is called `node x.js`.', []],
    ['Run `parse` on it.', []],
  ];
  for (const [message, commands] of rows)
    it(message, () => assert.deepEqual(quotedCommands(message), commands));
});
