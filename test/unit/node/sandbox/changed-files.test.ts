import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileChange } from '../../../../src/core/words/file-change';
import { noSandbox } from '../../../../src/node/sandbox/settings';
import { eventually } from '../../../support/eventually';
import { runContext } from '../../../support/agent/run-context';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

linux.describe('files that a command in the sandbox has changed', () => {
  const kept = new Map<string, string>();
  const nameOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const images = {
    nameOf,
    keep: (bytes: Uint8Array) => {
      kept.set(nameOf(bytes), Buffer.from(bytes).toString());
      return Promise.resolve(true);
    },
  };
  let state: string;
  let scratch: ScratchWorkspace;

  before(async function () {
    state = await mkdtemp(path.join(tmpdir(), 'parley-state-'));
    const settings = { ...noSandbox, isEnabled: true, runUnasked: true };
    const sandbox = { settings: () => settings, stateFolder: state };
    scratch = await ScratchWorkspace.create(
      {
        'a.txt': 'old a',
        'b.txt': 'old b',
        'c.txt': 'same',
        'package.json': '{}',
        'big.bin': Buffer.alloc(2 ** 21),
      },
      { sandbox, images, commandRules: () => ({ allow: ['npm test'], deny: [] }) },
    );
    const status = await scratch.surroundings.sandbox?.status();
    if (status?.works !== true) this.skip();
  });
  after(async () => {
    await scratch.dispose();
    await rm(state, { recursive: true, force: true });
  });

  it('are reported with their earlier content, so that they can be restored', async () => {
    const { changes, text } = await run(
      'echo new a > a.txt; rm b.txt; mkdir d; echo e > d/e.txt; echo x >> big.bin',
    );
    assert.equal(text.includes('Changed files that run code'), false);
    const last = new Map(changes.map((change) => [change.display, change]));
    assert.deepEqual([...last.keys()].sort(), ['a.txt', 'b.txt', 'big.bin', 'd/e.txt']);
    assert.deepEqual(held(last.get('a.txt')), ['old a', 'new a\n']);
    assert.deepEqual(held(last.get('b.txt')), ['old b', 'absent']);
    assert.deepEqual(held(last.get('d/e.txt')), ['absent', 'e\n']);
    assert.equal(last.get('big.bin')?.before, 'unknown');
  });

  it('are reported with their content before this command, even if changed meanwhile', async () => {
    await scratch.write('a.txt', 'by the user');
    const { changes } = await run('echo newer a > a.txt');
    assert.deepEqual(held(changes.at(-1)), ['by the user', 'newer a\n']);
  });

  it('are not reported with content that another command wrote meanwhile', async () => {
    await scratch.write('c.txt', 'first');
    const slow = scratch.prepare('run_shell_command', {
      command: 'echo second > c.txt; touch ready; while [ ! -e go ]; do :; done; echo third > c.txt',
    });
    const changes: FileChange[] = [];
    const running = (await slow).run({ ...runContext(), onFileChange: (change) => changes.push(change) });
    await eventually(() => existsSync(scratch.path('ready')));
    await run('touch go');
    await running;
    const change = changes.findLast(({ display }) => display === 'c.txt');
    assert.deepEqual(held(change), ['unknown', 'third\n']);
  });

  it('are named when one in the background is stopped', async () => {
    const started = await scratch.call('run_shell_command', {
      command: 'echo "{}" > package.json; sleep 60',
      background: true,
    });
    const [log_id = ''] = /log-[0-9a-f]+/.exec(started) ?? [];
    assert.match(
      await scratch.call('stop_command', { log_id }),
      /Changed files that run code: package\.json/,
    );
    assert.match(await scratch.call('read_output', { log_id }), /Changed files that run code: package\.json/);
  });

  it('do not occur if it only reads', async () => {
    assert.deepEqual((await run('cat a.txt c.txt')).changes, []);
  });

  it('are named if they decide what runs, and then running them outside asks', async () => {
    const cwd = await scratch.files.resolve('.', 'list');
    const { text } = await run(`echo '{ "scripts": {} }' > package.json`);
    assert.match(text, /Changed files that run code: package\.json/);
    const settings = scratch.surroundings.sandbox?.settings;
    assert.equal(settings?.outsideCommands.length, 0);
    const { verdict } = await scratch.processes.judge('npm test', cwd, true);
    assert.match(verdict.reason, /a command in the sandbox changed package\.json/);
  });

  async function run(command: string): Promise<{ readonly changes: FileChange[]; readonly text: string }> {
    const changes: FileChange[] = [];
    const prepared = await scratch.prepare('run_shell_command', { command });
    const { text } = await prepared.run({ ...runContext(), onFileChange: (change) => changes.push(change) });
    return { changes: changes.filter(({ after }) => after !== undefined), text };
  }

  function held(change: FileChange | undefined): readonly (string | undefined)[] {
    return [change?.before, change?.after].map((image) => kept.get(image ?? '') ?? image);
  }
});
