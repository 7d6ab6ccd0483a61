import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { LogFolder, SpooledLog } from '../../../../src/node/processes/command-log';
import { LinePieces } from '../../../../src/node/processes/output-ring';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

const MIB = 1024 * 1024;

describe('SpooledLog', () => {
  let parent: string;
  let folder: LogFolder;

  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), 'parley-log-'));
    folder = new LogFolder(parent);
  });
  afterEach(async () => {
    await folder.remove();
    rmSync(parent, { recursive: true, force: true });
  });

  async function filled(size: number): Promise<SpooledLog> {
    const log = new SpooledLog(folder);
    for (let rest = size; rest > 0; rest -= MIB) {
      log.add(Buffer.from(`${'x'.repeat(1023)}\n`.repeat(1024)).subarray(0, Math.min(rest, MIB)));
      await log.drained();
    }
    return log;
  }

  async function linesOf(log: SpooledLog): Promise<string[]> {
    const lines: string[] = [];
    for await (const batch of log.lines(new AbortController().signal)) lines.push(...batch);
    return lines;
  }

  it('needs no file for output that fits in memory', async () => {
    const log = await filled(64 * 1024);
    assert.equal((await linesOf(log)).length, 64);
    assert.deepEqual(readdirSync(parent), []);
  });

  posix.it(
    'G21 keeps the rest in a file that only the user can read, under an unguessable name',
    async () => {
      const mask = process.umask(0);
      try {
        await Promise.all([filled(MIB), filled(MIB)]);
      } finally {
        process.umask(mask);
      }
      const [name = '', ...others] = readdirSync(parent);
      assert.deepEqual(others, []);
      const inside = path.join(parent, name);
      const files = readdirSync(inside);
      assert.equal(statSync(inside).mode & 0o777, 0o700);
      assert.equal(files.length, 2);
      for (const file of files) {
        assert.equal(statSync(path.join(inside, file)).mode & 0o777, 0o600);
        assert.match(file, /^[0-9a-f-]{36}\.log$/);
      }
      await folder.remove();
      assert.deepEqual(readdirSync(parent), []);
    },
  );

  it('removes what a process that is gone has left, and nothing else', async () => {
    for (const name of ['parley-commands-999999999-x', `parley-commands-${process.pid}-x`, 'other']) {
      mkdirSync(path.join(parent, name));
    }
    await folder.create();
    assert.ok(!existsSync(path.join(parent, 'parley-commands-999999999-x')));
    assert.equal(readdirSync(parent).length, 3);
  });

  it('keeps 16 MiB and the newest lines, and says what is lost', async () => {
    const log = await filled(20 * MIB);
    assert.equal((await linesOf(log)).length, 16 * 1024);
    assert.equal(log.beyond?.tail.length, 32 * 1024);
    assert.equal(log.beyond.omitted, 4 * MIB - 32 * 1024);
  });

  it('continues without a disk, and says what is lost', async () => {
    await writeFile(path.join(parent, 'file'), '');
    const log = new SpooledLog(new LogFolder(path.join(parent, 'file')));
    for (let index = 0; index < 3; index++) {
      log.add(Buffer.alloc(MIB, 'x\n'));
      await log.drained();
    }
    assert.ok(log.isReady);
    assert.deepEqual(await linesOf(log), []);
    assert.equal(log.beyond?.omitted, 3 * MIB - 32 * 1024);
    await log.close();
  });

  it('asks the writer to wait for the disk', async () => {
    const log = new SpooledLog(folder);
    log.add(Buffer.alloc(MIB, 'x'));
    assert.equal(log.isReady, false);
    await log.drained();
    assert.equal(log.isReady, true);
    await log.close();
  });

  it('G21 removes the output of commands when it is disposed', async () => {
    const scratch = await ScratchWorkspace.create({}, { logFolder: parent });
    await scratch.call('run_shell_command', { command: 'seq 1 100000' });
    assert.equal(readdirSync(parent).length, 1);
    await scratch.dispose();
    assert.deepEqual(readdirSync(parent), []);
  });
});

describe('LinePieces', () => {
  it('loses nothing and cuts at the same places however the text came', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '😀', 'é'), maxLength: 60 });
    const cut = (parts: readonly string[]): string[] => {
      const lines = new LinePieces(5);
      return [...parts.flatMap((part) => lines.push(part)), ...lines.end()];
    };
    fc.assert(
      fc.property(fc.array(text), (parts) => {
        const whole = parts.join('');
        const pieces = cut(parts);
        assert.deepEqual(pieces, cut([whole]));
        assert.equal(pieces.join(''), whole.replaceAll('\n', ''));
        assert.ok(pieces.every((piece) => piece.length <= 5));
      }),
    );
  });
});
