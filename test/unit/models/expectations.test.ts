import assert from 'node:assert/strict';
import { expectationOf } from '../../../src/models/expectations';

describe('what to expect of a model', () => {
  for (const [name, profile, ability] of [
    ['the measured model', { model: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf' }, 'small-edits'],
    ['it at Ollama', { model: 'qwen2.5-coder:1.5b' }, 'small-edits'],
    ['a tiny model', { model: 'smollm2-135m' }, 'hardly-calls'],
    ['a small model', { model: 'llama3.2:3b' }, 'small-edits'],
    ['as the server reports', { model: 'x-70b', facts: { parameters: 2e9 } }, 'small-edits'],
    ['one of medium size', { model: 'qwen2.5-7b-instruct' }, 'short-tasks'],
    ['a large one', { model: 'qwen3-32b' }, undefined],
    ['an unknown one', { model: 'gpt-5' }, undefined],
  ] as const)
    it(name, () => assert.equal(expectationOf(profile)?.ability, ability));

  it('has the figure of a measured model only', () => {
    const table = [{ name: /coder[-:]1\.5b/i, measured: { solved: 30, of: 70 } }];
    assert.deepEqual(expectationOf({ model: 'qwen2.5-coder:1.5b' }, table)?.measured, { solved: 30, of: 70 });
    assert.equal(expectationOf({ model: 'llama3.2:3b' }, table)?.measured, undefined);
  });
});
