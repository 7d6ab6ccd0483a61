import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

/** Variables that only this test sets, with values that no command may print. */
const PLANTED: Readonly<Record<string, string>> = {
  PARLEY_API_KEY: 'canary-1',
  OPENAI_API_KEY: 'canary-2',
  ANTHROPIC_API_KEY: 'canary-3',
  OPENROUTER_KEY: 'canary-4',
  AWS_SECRET_ACCESS_KEY: 'canary-5',
  HF_TOKEN: 'canary-6',
  ACME_GATEWAY: 'canary-7',
  HARMLESS_NAME: 'sk-canary-8',
  BASH_ENV: '/canary-9',
  NODE_OPTIONS: '--title=canary-10',
  VSCODE_GIT_IPC_HANDLE: '/canary-11',
  GIT_DIR: '/canary-12',
};

posix.describe('the environment of commands', () => {
  let scratch: ScratchWorkspace;
  let outside: NodeJS.ProcessEnv;

  before(async () => {
    outside = { ...process.env };
    scratch = await ScratchWorkspace.create({}, { withheldVariables: ['ACME_GATEWAY'] });
    const bin = path.join(scratch.root, 'bin');
    mkdirSync(bin);
    const folders = [bin, '.', 'node_modules/.bin', '', process.env['PATH']];
    Object.assign(process.env, PLANTED, { PATH: folders.join(path.delimiter), PLAIN: 'kept' });
    await scratch.write('bin/ls', '#!/bin/sh\necho canary-ls\n');
    await scratch.write('ls', '#!/bin/sh\necho canary-ls\n');
    await scratch.call('run_shell_command', { command: 'chmod +x ls bin/ls' });
  });
  after(async () => {
    for (const name of Object.keys(process.env))
      if (!(name in outside)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, outside);
    await scratch.dispose();
  });

  for (const { name, command } of [
    { name: 'a command', command: 'env' },
    { name: 'its children', command: `bash -c 'bash -c "env"'` },
    { name: 'a child that runs a program of its own', command: `node -e 'console.log(process.env)'` },
    { name: 'the process list', command: 'cat /proc/self/environ | tr "\\0" "\\n"; ps -o args= -p $$' },
    { name: 'a child outside the group', command: 'setsid env | cat' },
  ]) {
    for (const background of [false, true]) {
      it(`G19 gives ${name} no key${background ? ' in the background' : ''}`, async () => {
        const text = await scratch.call('run_shell_command', { command, background });
        const output = background
          ? await scratch.processes.started
              .at(-1)
              ?.ended.then(() => scratch.processes.started.at(-1)?.log.excerpt().head)
          : text;
        assert.ok(output !== undefined && output.length > 20, text);
        assert.doesNotMatch(output, /canary/);
        if (/env/.test(command)) {
          assert.match(output, /PLAIN.{1,3}kept/);
          assert.match(output, /GIT_TERMINAL_PROMPT.{1,3}0/);
          assert.match(output, /GIT_CONFIG_KEY_0.{1,4}core\.fsmonitor/);
        }
      });
    }
  }

  it('runs no program from the workspace', async () => {
    assert.doesNotMatch(
      await scratch.call('run_shell_command', { command: 'ls; command -v ls' }),
      /canary|scratch/,
    );
  });

  it('gives no input', async () => {
    const text = await scratch.call('run_shell_command', {
      command: 'cat; read x; echo "[$?]"; test -t 0 || echo none',
    });
    assert.match(text, /^\[1\]\nnone$/);
  });
});
