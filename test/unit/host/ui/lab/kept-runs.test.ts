import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LabRun } from '../../../../../src/contract/lab-run';
import { KeptRuns } from '../../../../../src/host/ui/lab/kept-runs';
import { NodeSessionFolder } from '../../../../../src/sessions/node-folder';
import { posix } from '../../../../support/platform';

describe('the last runs of the lab', () => {
  let folder: string;
  let errors: string[];

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'parley-lab-')), 'lab');
    errors = [];
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  /** As a window has them after reading those of earlier windows. */
  async function open(): Promise<KeptRuns> {
    const runs = new KeptRuns({
      folder: new NodeSessionFolder(folder),
      onError: (error) => errors.push(String(error)),
    });
    await runs.loaded;
    return runs;
  }
  function run(time: number): Omit<LabRun, 'id'> {
    const result = {
      requestId: 'c',
      toolName: 'read_file',
      status: 'success',
      result: 'x',
      durationMs: 1,
    } as const;
    return { time, tool: 'read_file', arguments: { path: 'a' }, result };
  }
  const times = ({ runs }: KeptRuns): readonly number[] => runs.map(({ time }) => time);
  it('are the newest ten, newest first, also in the next window', async () => {
    const runs = await open();
    for (let time = 1; time <= 12; time++) runs.add(run(time));
    const newest = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
    deepEqual(times(runs), newest);
    await runs.flush();
    deepEqual(times(await open()), newest);
    deepEqual((await open()).runs, runs.runs);
    deepEqual(errors, []);
  });

  posix.it('G21: only the user can read', async () => {
    const runs = await open();
    runs.add(run(1));
    await runs.flush();
    const [name = ''] = await readdir(folder);
    equal((await stat(folder)).mode & 0o777, 0o700);
    equal((await stat(path.join(folder, name))).mode & 0o777, 0o600);
  });

  it('G34: of two windows are kept side by side', async () => {
    const [one, other] = [await open(), await open()];
    one.add(run(1));
    other.add(run(2));
    await Promise.all([one.flush(), other.flush()]);
    deepEqual(times(await open()), [2, 1]);
  });

  it('G27: are read without an unreadable one, which stays in place', async () => {
    const runs = await open();
    runs.add(run(1));
    await runs.flush();
    await writeFile(path.join(folder, 'run-000000000000002-0123abcd.json'), '{"time":2,');
    await writeFile(path.join(folder, 'run-000000000000003-0123abcd.json'), '{"time":3}');
    deepEqual(times(await open()), [1]);
    equal(errors.length, 2);
    match(errors.join(), /cannot be read/);
    equal((await readdir(folder)).length, 3);
  });

  it('are forgotten, in the files too', async () => {
    const runs = await open();
    runs.add(run(1));
    runs.forget();
    deepEqual(runs.runs, []);
    await runs.flush();
    deepEqual(await readdir(folder), []);
    deepEqual(times(await open()), []);
  });

  it('are announced, whatever happens to the files', async () => {
    await writeFile(folder, 'a file stands here');
    const runs = await open();
    let told = 0;
    runs.onChange(() => told++);
    runs.add(run(1));
    deepEqual(times(runs), [1]);
    equal(told, 1);
    await runs.flush();
    match(errors.join(), /ENOTDIR|EEXIST/);
  });
});
