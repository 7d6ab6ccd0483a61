import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noSandbox, type SandboxSettings } from '../../../../src/node/sandbox/settings';
import { isSandboxAvailable } from '../../../support/sandbox-available';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

linux.describe('how commands are judged with a sandbox', () => {
  const enabled: SandboxSettings = { ...noSandbox, isEnabled: true, runUnasked: true };
  let settings = enabled;
  let state: string;
  let scratch: ScratchWorkspace;
  let cleanUp = (): Promise<void> => Promise.resolve();

  before(async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
    state = await mkdtemp(path.join(tmpdir(), 'parley-state-'));
    scratch = await ScratchWorkspace.create(
      {},
      {
        sandbox: { settings: () => settings, stateFolder: state },
        commandRules: () => ({ allow: ['echo'], deny: ['sudo', 'git push'] }),
      },
    );
    cleanUp = async () => {
      await scratch.dispose();
      await rm(state, { recursive: true, force: true });
    };
  });
  after(() => cleanUp());

  const cases: readonly {
    readonly name: string;
    readonly command: string;
    readonly given?: Partial<SandboxSettings>;
    readonly outside?: boolean;
    readonly expected: readonly ['auto' | 'ask' | 'deny', 'inside' | 'outside'];
  }[] = [
    { name: 'runs inside unasked', command: 'make', expected: ['auto', 'inside'] },
    {
      name: 'runs unreadable commands inside',
      command: 'a=$(b); "$a" | eval c',
      expected: ['auto', 'inside'],
    },
    { name: 'keeps what is denied denied', command: 'make && sudo make', expected: ['deny', 'outside'] },
    {
      name: 'keeps it denied even if outside is requested',
      command: 'sudo ls',
      outside: true,
      expected: ['deny', 'outside'],
    },
    {
      name: 'keeps it denied even if it may run outside',
      command: 'git push',
      given: { outsideCommands: ['git push'] },
      expected: ['deny', 'outside'],
    },
    { name: 'asks to run outside', command: 'echo a', outside: true, expected: ['ask', 'outside'] },
    {
      name: 'asks to run outside even if a rule allows it',
      command: 'npm install',
      outside: true,
      given: { outsideCommands: ['npm install'] },
      expected: ['ask', 'outside'],
    },
    { name: 'asks about what needs more', command: 'make && npm install', expected: ['ask', 'outside'] },
    {
      name: 'runs outside what the user allows there',
      command: 'npm install',
      given: { outsideCommands: ['npm install'] },
      expected: ['auto', 'outside'],
    },
    {
      name: 'lets nothing ride on what the user allows outside',
      command: 'npm install && make',
      given: { outsideCommands: ['npm install'] },
      expected: ['ask', 'outside'],
    },
    {
      name: 'asks as before if nothing runs unasked',
      command: 'make',
      given: { runUnasked: false },
      expected: ['ask', 'inside'],
    },
    {
      name: 'follows rules if nothing runs unasked',
      command: 'echo a',
      given: { runUnasked: false },
      expected: ['auto', 'inside'],
    },
    {
      name: 'asks as before if it is switched off',
      command: 'make',
      given: { isEnabled: false },
      expected: ['ask', 'outside'],
    },
  ];

  for (const { name, command, given, outside = false, expected } of cases) {
    it(`G39 ${name}: ${command}`, async () => {
      settings = { ...enabled, ...given };
      const cwd = await scratch.files.resolve('.', 'list');
      const { verdict, sandbox } = await scratch.processes.judge(command, cwd, outside);
      assert.deepEqual([verdict.decision, sandbox ? 'inside' : 'outside'], expected);
    });
  }
});
