import assert from 'node:assert/strict';
import { estimateCost, estimateJobs, minutesFor, scaled } from '../../../src/doctor/cost';
import { contestant, examRoom } from '../../support/agent/exam-model';

describe('the time of an examination', () => {
  const cost = { requests: 10, inputTokens: 50_000, newTokens: 6_000, outputTokens: 1_200 };
  for (const [name, speed, expected] of [
    ['is reading what is new, and writing', { prompt: 100, output: 10 }, 3],
    ['is at least a minute', { prompt: 1e6, output: 1e6 }, 1],
    ['is not known without the speed of reading', { output: 10 }, undefined],
    ['is not known without the speed of writing', { prompt: 100 }, undefined],
  ] as const)
    it(name, () => assert.equal(minutesFor(cost, speed), expected));

  it('is as long as the part that is left', () => {
    assert.deepEqual(scaled(cost, 0.5), {
      ...{ requests: 5, inputTokens: 25_000, newTokens: 3_000, outputTokens: 600 },
    });
  });

  it('leaves out what the server has just read', () => {
    const { least } = estimateCost([contestant('hermes')], 1, examRoom);
    // The tools are the same in every request.
    assert.ok(least.newTokens > 0 && least.newTokens < least.inputTokens / 2, JSON.stringify(least));
  });

  it('counts the tools of each protocol once', () => {
    const one = estimateCost([contestant('hermes')], 1, examRoom).least.newTokens;
    const two = estimateCost([contestant('hermes'), contestant('vcp')], 1, examRoom).least.newTokens;
    assert.ok(two > one * 1.5, `${one} ${two}`);
  });

  it('grows with the jobs', () => {
    const [one, three] = [1, 3].map((jobs) => estimateJobs(contestant('hermes'), 1, jobs, examRoom));
    assert.equal(three!.requests, one!.requests * 3);
    assert.ok(three!.newTokens < one!.newTokens * 3, 'the tools are read once');
  });
});
