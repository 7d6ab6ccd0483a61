import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import type { Judgement } from '../../../src/core/session';
import type { ToolCall } from '../../../src/core/words/messages';
import { openScratchFolder, type ScratchFolder } from '../../../src/node/scratch-folder';
import { defaultConfig } from '../../../src/cli/built-in';
import { isSandboxAvailable } from '../../support/sandbox-available';
import { prepareCall } from '../../support/agent/prepare-call';

const CONFIG = { ...defaultConfig, toolsOnDemand: 'off' } as const;
const COMMAND = 'node test.js';
const signal = new AbortController().signal;

describe('a scratch folder', () => {
  let place: ScratchFolder;
  afterEach(() => place.close());

  const open = async (commands: readonly string[], stateFolder?: string): Promise<void> => {
    const files = { 'test.js': 'console.log(1);\n', 'a/b.txt': 'b\n' };
    place = await openScratchFolder(
      { files, commands, ...(stateFolder !== undefined && { stateFolder }) },
      signal,
    );
  };
  const judged = async (
    name: string,
    args: JsonObject,
    mark: ToolCall['mark'] = 'clean',
  ): Promise<Judgement['verdict']> => {
    const tool = place.tools.offered(CONFIG).find(({ spec }) => spec.name === name)!;
    const { title, accesses, preview } = await prepareCall(tool, args);
    const call = { id: 'c', name, arguments: args, mark };
    const request = { call, effect: tool.effect, title, accesses, ...(preview && { preview }) };
    return place.judge(request as Parameters<ScratchFolder['judge']>[0], []).verdict;
  };

  for (const [name, tool, args, decision] of [
    ['reads', 'read_file', { path: 'a/b.txt' }, 'auto'],
    ['edits', 'edit_file', { path: 'a/b.txt', edits: [{ old: 'b', new: 'c' }] }, 'auto'],
    ['creates', 'write_file', { path: 'c.txt', content: 'c' }, 'auto'],
    ['deletes', 'delete_path', { path: 'a/b.txt' }, 'auto'],
    ['reads nothing outside', 'read_file', { path: '../../etc/passwd' }, 'deny'],
    ['fetches nothing', 'fetch_url', { url: 'https://example.org/' }, 'deny'],
  ] as const) {
    it(name, async () => {
      await open([]);
      assert.equal((await judged(tool, args)).decision, decision);
    });
  }

  it('runs no command without one to run', async () => {
    await open([]);
    assert.deepEqual(await judged('run_shell_command', { command: 'echo 1' }), {
      ...{ decision: 'deny', reason: 'no command runs here' },
    });
  });

  for (const [args, decision] of [
    [{ command: COMMAND }, 'auto'],
    [{ command: ` ${COMMAND}\n` }, 'auto'],
    [{ command: COMMAND, cwd: '.', timeout_s: 5, background: false }, 'auto'],
    [{ command: `${COMMAND} --x` }, 'deny'],
    [{ command: `${COMMAND}; rm -rf a` }, 'deny'],
    [{ command: COMMAND, cwd: 'a' }, 'deny'],
    [{ command: COMMAND, background: true }, 'deny'],
    [{ command: COMMAND, outside: true }, 'deny'],
    [{ command: 'ls' }, 'deny'],
    [{ command: 'pwd' }, 'deny'],
  ] as const) {
    it(`without a sandbox: ${decision} for ${JSON.stringify(args)}`, async () => {
      await open([COMMAND]);
      assert.equal((await judged('run_shell_command', args)).decision, decision);
    });
  }

  it('runs nothing that a model wrote or that was not written cleanly', async () => {
    await open([COMMAND]);
    const args = { command: COMMAND };
    assert.equal((await judged('run_shell_command', args, 'repaired')).decision, 'deny');
    const root = await rootOf();
    writeFileSync(path.join(root, 'test.js'), 'console.log(2);\n');
    assert.match((await judged('run_shell_command', args)).reason, /files have changed/);
    writeFileSync(path.join(root, 'test.js'), 'console.log(1);\n');
    assert.equal((await judged('run_shell_command', args)).decision, 'auto');
    writeFileSync(path.join(root, 'new.js'), '');
    assert.match((await judged('run_shell_command', args)).reason, /files have changed/);
  });

  it('is read as text, and gone when it is closed', async () => {
    await open([]);
    const root = await rootOf();
    writeFileSync(path.join(root, 'a', 'c.txt'), 'c\r\n');
    assert.deepEqual(place.read(), { 'test.js': 'console.log(1);\n', 'a/b.txt': 'b\n', 'a/c.txt': 'c\n' });
    await place.close();
    assert.ok(!existsSync(root));
  });

  it('runs other commands in the sandbox only', async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
    const state = mkdtempSync(path.join(tmpdir(), 'parley-state-'));
    try {
      await open([COMMAND], state);
      const args = { command: 'node other.js' };
      assert.deepEqual(await judged('run_shell_command', args), {
        ...{ decision: 'auto', reason: 'it runs in the sandbox' },
      });
      assert.equal((await judged('run_shell_command', { ...args, outside: true })).decision, 'deny');
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });

  async function rootOf(): Promise<string> {
    const tool = place.tools.offered(CONFIG).find(({ spec }) => spec.name === 'run_shell_command')!;
    const { preview } = await prepareCall(tool, { command: 'pwd' });
    return preview?.type === 'command' ? preview.cwd : '';
  }
});
