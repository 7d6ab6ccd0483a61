import assert from 'node:assert/strict';
import { oncePerRule } from '../../../../../src/host/platform/files/once-per-rule';

describe('oncePerRule', () => {
  const memory = (stored: unknown) => {
    const values = new Map<string, unknown>([['parley.rulesToldOf', stored]]);
    return {
      get: (key: string) => values.get(key),
      update: async (key: string, value: unknown) => void values.set(key, value),
    };
  };

  it('is true once for each rule, also in the next window', () => {
    const shared = memory(undefined);
    const first = oncePerRule(shared);
    assert.deepEqual([first('git log'), first('git log'), first('pytest')], [true, false, true]);
    assert.equal(oncePerRule(shared)('git log'), false);
  });

  it('forgets the oldest of many, and what is not a list', () => {
    const told = oncePerRule(memory('x'));
    for (let rule = 0; rule < 300; rule++) assert.equal(told(`rule ${rule}`), true);
    assert.equal(told('rule 299'), false);
    assert.equal(told('rule 0'), true);
  });
});
