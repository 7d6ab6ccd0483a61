import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyShell } from '../../../../src/node/endpoint/key-output';
import {
  windowsProcesses,
  type WindowsProcess,
  type WindowsProcesses,
} from '../../../../src/node/processes/windows-processes';
import { WindowsTree } from '../../../../src/node/processes/windows-tree';

const ROOT = 100;

/** A Windows whose processes are rows of a table. `taskkill` follows parents that still run, as the real one does. */
class FakeWindows implements WindowsProcesses {
  readonly ended: number[] = [];
  readonly immortal = new Set<number>();
  canList = true;
  hasTaskkill = true;

  constructor(public rows: readonly WindowsProcess[]) {}

  listNow(): readonly WindowsProcess[] | undefined {
    return this.canList ? this.rows : undefined;
  }

  list(): Promise<readonly WindowsProcess[] | undefined> {
    return Promise.resolve(this.listNow());
  }

  endTree(pid: number): Promise<void> {
    this.endTreeNow(pid);
    return Promise.resolve();
  }

  endTreeNow(pid: number): boolean {
    if (!this.hasTaskkill || !this.exists(pid)) return false;
    for (const child of this.rows.filter(({ parent }) => parent === pid)) this.endTreeNow(child.pid);
    this.end(pid);
    return true;
  }

  end(pid: number): void {
    if (this.immortal.has(pid) || !this.exists(pid)) return;
    this.ended.push(pid);
    this.rows = this.rows.filter((row) => row.pid !== pid);
  }

  exists(pid: number): boolean {
    return this.rows.some((row) => row.pid === pid);
  }
}

/** `seconds` after the root. */
function row(pid: number, parent: number, seconds = 0): WindowsProcess {
  return { pid, parent, startedAt: Date.now() + seconds * 1000, name: `${pid}.exe` };
}

describe('the processes of a program on Windows', () => {
  it('W5: end without taskkill', async () => {
    const system = new FakeWindows([row(1, 0, -1000), row(ROOT, 1), row(101, ROOT, 1), row(102, 101, 2)]);
    system.hasTaskkill = false;
    assert.deepEqual(await new WindowsTree(ROOT, system).end(), []);
    assert.deepEqual(
      system.rows.map(({ pid }) => pid),
      [1],
    );
  });

  it('W5: end as far as they are known if they cannot be listed', async () => {
    const system = new FakeWindows([row(ROOT, 1)]);
    Object.assign(system, { hasTaskkill: false, canList: false });
    assert.deepEqual(await new WindowsTree(ROOT, system).end(), []);
    assert.deepEqual(system.ended, [ROOT]);
  });

  it('W5: are named if they do not end', async () => {
    const system = new FakeWindows([row(ROOT, 1), row(101, ROOT, 1)]);
    system.immortal.add(101);
    assert.deepEqual(await new WindowsTree(ROOT, system).end(), [101]);
    const unlisted = new FakeWindows([row(ROOT, 1)]);
    unlisted.canList = false;
    unlisted.immortal.add(ROOT);
    assert.deepEqual(await new WindowsTree(ROOT, unlisted).end(), [ROOT]);
  });

  it('W6: outlive a program that has ended, and are found by its number', async () => {
    const system = new FakeWindows([row(101, ROOT, 1), row(102, 101, 2), row(7, 1, 3)]);
    const tree = new WindowsTree(ROOT, system);
    assert.ok(await tree.hasGroupMembers(true));
    // They may be windows of the user, like those of `start notepad`.
    assert.equal(await tree.hasGroupMembers(false), false);
    assert.deepEqual(await tree.outlivers(), [
      { pid: 101, command: '101.exe' },
      { pid: 102, command: '102.exe' },
    ]);
    assert.deepEqual(await tree.end(), []);
    assert.deepEqual(new Set(system.ended), new Set([101, 102]));
  });

  it('W6: are found after the process between them has ended, if it was seen', async () => {
    const system = new FakeWindows([row(ROOT, 1), row(101, ROOT, 1), row(102, 101, 2)]);
    const tree = new WindowsTree(ROOT, system);
    await tree.outlivers();
    system.end(101);
    system.end(ROOT);
    assert.deepEqual(await tree.outlivers(), [{ pid: 102, command: '102.exe' }]);
  });

  it('are none of another program that got a number later, or had it before', async () => {
    const before = row(50, ROOT, -60);
    const later = [row(ROOT, 1, 30), row(51, ROOT, 31)];
    const system = new FakeWindows([before, ...later, row(52, ROOT, 5)]);
    const tree = new WindowsTree(ROOT, system);
    assert.deepEqual(await tree.outlivers(), [{ pid: 52, command: '52.exe' }]);
    assert.deepEqual(await tree.end(), []);
    assert.ok(!system.ended.includes(50) && !system.ended.includes(51));
  });

  it('end at once when Parley ends, with or without taskkill', () => {
    for (const hasTaskkill of [true, false]) {
      const system = new FakeWindows([row(ROOT, 1), row(101, ROOT, 1)]);
      system.hasTaskkill = hasTaskkill;
      new WindowsTree(ROOT, system).killNow();
      assert.deepEqual(new Set(system.ended), new Set([ROOT, 101]));
    }
  });

  it('W6: leave nothing behind, and no other process ends, whatever the tree looks like', async () => {
    const below = fc.array(fc.nat({ max: 8 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(below, fc.boolean(), async (parents, hasTaskkill) => {
        // Each process is a child of one before it; number 0 is the root.
        const own = parents.map((parent, at) => row(101 + at, ROOT + Math.min(parent, at), at + 1));
        const others = [row(1, 0, -100), row(900, 1, -50), row(901, 900, 1)];
        const system = new FakeWindows([row(ROOT, 1), ...own, ...others]);
        system.hasTaskkill = hasTaskkill;
        assert.deepEqual(await new WindowsTree(ROOT, system).end(), []);
        assert.deepEqual(system.rows, others);
      }),
      { numRuns: 20 },
    );
  });
});

describe('the programs that Windows is asked with', () => {
  it('W2: are those of Windows itself, whatever the current folder holds', async () => {
    const programs: string[] = [];
    const system = windowsProcesses({
      run: (program) => {
        programs.push(program);
        return Promise.resolve({ stdout: '4 0 1\r\n100 4 1764370911000 a b.exe\r\nnoise\r\n', stderr: '' });
      },
      runNow: (program) => {
        programs.push(program);
        return '';
      },
      systemRoot: 'D:\\Windows',
    });
    assert.deepEqual(await system.list(), [
      { pid: 4, parent: 0, startedAt: 1, name: '' },
      { pid: 100, parent: 4, startedAt: 1764370911000, name: 'a b.exe' },
    ]);
    // At least this process is always there.
    assert.equal(system.listNow(), undefined);
    await system.endTree(7);
    assert.ok(system.endTreeNow(7));
    programs.push(keyShell('echo key', 'win32', 'D:\\Windows').program);
    const ends = ['taskkill.exe', 'powershell.exe', 'cmd.exe'];
    for (const program of programs) {
      assert.ok(program.startsWith('D:\\Windows\\System32\\'), program);
      assert.ok(
        ends.some((end) => program.endsWith(`\\${end}`)),
        program,
      );
    }
  });

  it('may fail or be missing', async () => {
    const run = () => Promise.reject(new Error('ENOENT'));
    const runNow = (): never => {
      throw new Error('ENOENT');
    };
    const system = windowsProcesses({ run, runNow });
    assert.equal(await system.list(), undefined);
    assert.equal(system.listNow(), undefined);
    await system.endTree(7);
    assert.equal(system.endTreeNow(7), false);
  });
});
