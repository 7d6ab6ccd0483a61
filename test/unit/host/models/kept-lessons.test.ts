import assert from 'node:assert/strict';
import { keptLessons } from '../../../../src/host/models/kept-lessons';

describe('what an endpoint has said about thoughts', () => {
  const profile = { id: 'p', provider: 'openai', baseUrl: 'https://api.example.com/v1', model: 'm' } as const;

  it('is kept for the profile, its address and its model, except for signatures of one conversation', () => {
    const kept = new Map<string, unknown>();
    const memory = {
      keys: () => [...kept.keys()],
      get: <T>(key: string, otherwise?: T) => (kept.get(key) as T | undefined) ?? otherwise,
      update: async (key: string, value: unknown) => void kept.set(key, value),
    } as Parameters<typeof keptLessons>[0];
    const book = keptLessons(memory, profile);
    assert.deepEqual(book.read(), {});
    book.write({ wantsThoughts: true, refusesSignatures: true });
    assert.deepEqual(book.read(), { wantsThoughts: true, refusesSignatures: true });
    assert.deepEqual(keptLessons(memory, profile).read(), { wantsThoughts: true });
    assert.deepEqual(keptLessons(memory, { ...profile, model: 'n' }).read(), {});
    assert.deepEqual(keptLessons(memory, { ...profile, id: 'q' }).read(), {});
  });
});
