import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelDelta } from '../../../src/core/words/model';
import { recordDeltas, replyDeltas } from '../../../src/models/recorded-reply';

describe('recordDeltas', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 });
  const delta: fc.Arbitrary<ModelDelta> = fc.oneof(
    text.map((said) => ({ type: 'text', text: said }) as const),
    text.map((said) => ({ type: 'reasoning', text: said }) as const),
    fc.record(
      {
        type: fc.constant('tool-call' as const),
        index: fc.nat(3),
        id: text,
        name: text,
        arguments: fc.string(),
      },
      { noNullPrototype: true },
    ),
  );
  const reason = fc.constantFrom('stop', 'length', 'tool-calls', 'content-filter' as const);

  it('writes lines that read back the same, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(delta), reason, fc.nat(20), (deltas, ended, chunk) => {
        const all: readonly ModelDelta[] = [...deltas, { type: 'end', reason: ended as 'stop' }];
        assert.deepEqual([...replyDeltas('native', recordDeltas(all), chunk)], all);
        assert.deepEqual([...replyDeltas('native', recordDeltas(deltas), chunk)], deltas);
      }),
    );
  });
});
