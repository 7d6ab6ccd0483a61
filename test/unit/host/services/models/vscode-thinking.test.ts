import assert from 'node:assert/strict';
import {
  carriedBy,
  thinkingParts,
  thinkingOf,
  thinkingText,
} from '../../../../../src/host/services/models/vscode-thinking';

class LanguageModelThinkingPart {
  constructor(
    readonly value: string | readonly string[],
    readonly id?: string,
    readonly metadata?: object,
  ) {}
}

const api = { LanguageModelThinkingPart };
const parts = [
  new LanguageModelThinkingPart('Hm. ', 't1', { signature: 's1', size: 3n }),
  new LanguageModelThinkingPart(['So', ' be it.']),
];

describe('thinking of the models of VS Code', () => {
  const thoughts = parts.map((part) => thinkingOf(part, api)!);

  it('is shown, and is returned unchanged to the model that it came from', () => {
    assert.deepEqual(thoughts.map(thinkingText), ['Hm. ', 'So be it.']);
    const carried = carriedBy('copilot/claude', JSON.parse(JSON.stringify(thoughts)) as typeof thoughts);
    const [first, second] = thinkingParts(carried, 'copilot/claude', api);
    assert.deepEqual(first, new LanguageModelThinkingPart('Hm. ', 't1', { signature: 's1' }));
    assert.deepEqual(second, new LanguageModelThinkingPart(['So', ' be it.']));
  });

  it('goes to no other model, and nowhere in a VS Code that knows no such parts', () => {
    const carried = carriedBy('copilot/claude', thoughts);
    assert.deepEqual(thinkingParts(carried, 'copilot/gpt', api), []);
    assert.deepEqual(thinkingParts({ ...carried, origin: 'https://example.com' }, 'copilot/claude', api), []);
    assert.deepEqual(thinkingParts(undefined, 'copilot/claude', api), []);
    assert.deepEqual(thinkingParts(carried, 'copilot/claude', {}), []);
    assert.equal(thinkingOf(parts[0], {}), undefined);
    assert.equal(thinkingOf({ value: 'text' }, api), undefined);
  });
});
