import assert from 'node:assert/strict';
import { limits } from '../../../src/policy/limits';

describe('limits', () => {
  it('G35.limits are whole numbers above zero', () => {
    for (const [name, value] of Object.entries(limits)) assert.ok(Number.isInteger(value) && value > 0, name);
  });
});
