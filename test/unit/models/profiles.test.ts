import assert from 'node:assert/strict';
import type { ModelDelta } from '../../../src/core/words/model';
import { priced } from '../../../src/models/profiles';
import { native } from '../../../src/protocols/native/native';

describe('priced', () => {
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
