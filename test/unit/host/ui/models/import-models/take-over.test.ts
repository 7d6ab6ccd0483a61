import assert from 'node:assert/strict';
import {
  isKnown,
  keysOf,
  profilesFrom,
  withoutTwins,
} from '../../../../../../src/host/ui/models/import-models/take-over';
import type { FoundModel } from '../../../../../../src/models/imports/found-model';

const found: FoundModel = {
  type: 'found',
  from: 'Continue',
  name: 'Big',
  provider: 'openai',
  baseUrl: 'https://llm.example.com/v1',
  model: 'big-1',
  hasMore: false,
};

describe('models that are taken over', () => {
  it('become profiles without a key, each with a unique id', () => {
    const made = profilesFrom(
      [{ ...found, key: 'sk-1', contextWindow: 4096, vision: true }, found],
      [{ id: 'big', provider: 'demo' }],
    );
    assert.deepEqual(made, [
      {
        id: 'big-2',
        name: 'Big',
        provider: 'openai',
        baseUrl: 'https://llm.example.com/v1',
        model: 'big-1',
        contextWindow: 4096,
        vision: true,
      },
      {
        id: 'big-3',
        name: 'Big',
        provider: 'openai',
        baseUrl: 'https://llm.example.com/v1',
        model: 'big-1',
      },
    ]);
  });

  it('are recognized if a profile reaches the same model', () => {
    const { baseUrl, model } = found;
    assert.ok(isKnown(found, [{ id: 'x', provider: 'openai', baseUrl, model }]));
    assert.ok(!isKnown(found, [{ id: 'x', provider: 'openai', baseUrl, model: 'other' }]));
    const ollama: FoundModel = {
      type: 'found',
      from: 'Cline',
      name: 'q',
      provider: 'ollama',
      model: 'q',
      hasMore: false,
    };
    assert.ok(
      isKnown(ollama, [{ id: 'x', provider: 'openai', baseUrl: 'http://localhost:11434/v1', model: 'q' }]),
    );
    assert.ok(!isKnown({ ...ollama, provider: 'vscode' }, [{ id: 'x', provider: 'ollama', model: 'q' }]));
  });

  it('are others over another API of the same server', () => {
    const { baseUrl, model } = found;
    const apis = [undefined, 'chat', 'responses', 'messages'] as const;
    for (const [at, api] of apis.entries()) {
      for (const [other, wanted] of apis.entries()) {
        const profile = { id: 'x', provider: 'openai', baseUrl, model, api: wanted } as const;
        const each: FoundModel = { ...found, ...(api !== undefined && api !== 'chat' && { api }) };
        const isSame = at === other || (at < 2 && other < 2);
        assert.equal(isKnown(each, [profile]), isSame, `${api} ${wanted}`);
      }
    }
    const all: FoundModel[] = [found, { ...found, api: 'responses' }, { ...found, api: 'messages' }];
    assert.deepEqual(withoutTwins([...all, ...all]), all);
    const profiles = profilesFrom(all, []);
    assert.deepEqual(
      profiles.map(({ id, api }) => [id, api]),
      [
        ['big', undefined],
        ['big-2', 'responses'],
        ['big-3', 'messages'],
      ],
    );
  });

  it('are offered once, with the key of whichever has one', () => {
    const twin: FoundModel = { ...found, from: 'Cline', name: 'Same', key: 'sk-1' };
    const left = { type: 'left-out', from: 'Cline', name: 'x', why: 'login', provider: 'cline' } as const;
    assert.deepEqual(withoutTwins([found, left, twin, left]), [{ ...found, key: 'sk-1' }, left, left]);
  });

  it('bring one key for each origin, the first', () => {
    const keys = keysOf([
      { ...found, key: 'sk-1' },
      { ...found, model: 'b', baseUrl: 'https://llm.example.com/other/v1', key: 'sk-2' },
      { ...found, baseUrl: 'http://gw:4000/v1', key: 'sk-3' },
      found,
    ]);
    assert.deepEqual(
      [...keys],
      [
        ['https://llm.example.com', 'sk-1'],
        ['http://gw:4000', 'sk-3'],
      ],
    );
  });
});
