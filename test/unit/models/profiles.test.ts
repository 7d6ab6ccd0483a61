import assert from 'node:assert/strict';
import type { ModelDelta } from '../../../src/core/words/model';
import { dollarsFor, priced } from '../../../src/models/profiles';
import { native } from '../../../src/protocols/native/native';

describe('priced', () => {
  it('prices cached input by its own price', () => {
    const usage = {
      inputTokens: 1_000_000,
      outputTokens: 0,
      cachedTokens: 800_000,
      cacheWriteTokens: 100_000,
    };
    assert.equal(dollarsFor(usage, { input: 3, output: 15 }), 3);
    assert.equal(dollarsFor(usage, { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 }), 0.915);
  });

  it('adds the cost to the usage and changes nothing else', async () => {
    const all: ModelDelta[] = [
      { type: 'text', text: 'hi' },
      { type: 'usage', usage: { inputTokens: 1_000_000, outputTokens: 500 } },
      { type: 'end', reason: 'stop' },
    ];
    const model = {
      name: 'test',
      async *stream() {
        yield* all;
      },
    };
    const request = native.request({ instructions: '', turns: [], tools: [] });
    const deltas: ModelDelta[] = [];
    const costly = priced({ input: 3, output: 20 })(model);
    for await (const delta of costly.stream(request, new AbortController().signal)) deltas.push(delta);
    assert.deepEqual(deltas, [
      all[0],
      { type: 'usage', usage: { inputTokens: 1_000_000, outputTokens: 500, cost: 3.01 } },
      all[2],
    ]);
  });
});
