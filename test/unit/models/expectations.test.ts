import assert from 'node:assert/strict';
import { expectationOf } from '../../../src/models/expectations';

describe('what to expect of a model', () => {
  const small = ['reads', 'small-edits'];
  for (const [name, profile, works, rarely] of [
    ['the measured model', { model: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf' }, small, ['tests']],
    ['it at Ollama', { model: 'qwen2.5-coder:1.5b' }, small, ['tests']],
    ['a tiny model', { model: 'smollm2-135m' }, [], small],
    ['a small model', { model: 'llama3.2:3b' }, small, ['tests']],
    ['as the server reports', { model: 'x', facts: { parameters: 2e9 } }, small, ['tests']],
    ['one of medium size', { model: 'qwen2.5-7b-instruct' }, small, ['long-work']],
    ['a large one', { model: 'qwen3-32b' }, undefined, undefined],
    ['an unknown one', { model: 'gpt-5' }, undefined, undefined],
  ] as const)
    it(name, () => {
      const expectation = expectationOf(profile);
      assert.deepEqual([expectation?.works, expectation?.rarely], [works, rarely]);
    });

  it('has the figure of a measured model only', () => {
    const table = [{ name: /coder[-:]1\.5b/i, measured: { solved: 30, of: 70 } }];
    assert.deepEqual(expectationOf({ model: 'qwen2.5-coder:1.5b' }, table)?.measured, { solved: 30, of: 70 });
    assert.equal(expectationOf({ model: 'llama3.2:3b' }, table)?.measured, undefined);
  });

  it('says where it is a guess', () => {
    assert.equal(expectationOf({ model: 'qwen2.5-7b-instruct' })?.isGuess, true);
    assert.equal(expectationOf({ model: 'llama3.2:3b' })?.isGuess, undefined);
  });
});
