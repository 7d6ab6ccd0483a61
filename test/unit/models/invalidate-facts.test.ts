import assert from 'node:assert/strict';
import type { Model, ModelDelta, ModelFailure } from '../../../src/core/words/model';
import { invalidateFacts } from '../../../src/models/invalidate-facts';
import { native } from '../../../src/protocols/native/native';

describe('what was known of a server', () => {
  const rows: readonly [ModelFailure['code'], boolean][] = [
    ['unreachable', true],
    ['too-long', true],
    ['unauthorized', false],
    ['no-tools', false],
  ];
  for (const [code, isDoubted] of rows) {
    it(`is ${isDoubted ? 'doubted' : 'kept'} after a request that failed as ${code}`, async () => {
      const failure: ModelDelta = { type: 'failure', failure: { code, message: 'No.' } };
      const model: Model = {
        name: 'm',
        async *stream() {
          yield failure;
        },
      };
      let doubts = 0;
      const seen: ModelDelta[] = [];
      const request = native.request({ instructions: '', turns: [], tools: [] });
      for await (const delta of invalidateFacts(() => doubts++)(model).stream(
        request,
        new AbortController().signal,
      ))
        seen.push(delta);
      assert.deepEqual([doubts, seen], [isDoubted ? 1 : 0, [failure]]);
    });
  }
});
