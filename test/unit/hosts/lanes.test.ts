import assert from 'node:assert/strict';
import { runInLanes, type Job } from '../../hosts/lanes';
import { summary } from '../../hosts/summary';

const passed = (file: string): Awaited<ReturnType<Job['run']>> => ({
  results: [{ file, passed: 1, failures: [] }],
});

describe('runInLanes', () => {
  it('runs each job once, with limited concurrency, and prints the output of each in one piece', async () => {
    let [running, most] = [0, 0];
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((step) => ({
      step,
      run: async (print: (text: string) => void) => {
        most = Math.max(most, ++running);
        print(`${step} begins\n`);
        await new Promise(setImmediate);
        print(`${step} ends\n`);
        running--;
        return passed(step);
      },
    }));
    let printed = '';
    const results = await runInLanes(jobs, 2, (text) => (printed += text));
    assert.deepEqual(results.map(({ name }) => name).sort(), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(most, 2);
    assert.match(printed, /=== b ===\nb begins\nb ends\n/);
    assert.match(summary(results), /^5 passed, 0 failed$/m);
  });

  it('counts a job that breaks off as a failure, and goes on', async () => {
    const broken: Job = { step: 'one', run: () => Promise.reject(new Error('There is no Chromium.')) };
    const results = await runInLanes(
      [broken, { step: 'two', run: () => Promise.resolve(passed('x')) }],
      1,
      () => {},
    );
    assert.match(summary(results), /Failed in one: one: \n {4}There is no Chromium\.\n\n1 passed, 1 failed$/);
  });
});
