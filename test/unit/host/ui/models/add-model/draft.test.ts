import assert from 'node:assert/strict';
import { freeId, profileOf, type Chosen } from '../../../../../../src/host/ui/models/add-model/draft';
import type { ModelProfile } from '../../../../../../src/models/profiles';

const chosen: Chosen = {
  provider: 'openai',
  label: 'LM Studio',
  baseUrl: 'http://127.0.0.1:1234/v1',
  model: 'qwen/qwen3-8b',
};

describe('the profile of a model that was added', () => {
  it('says how the model is reached, and nothing that the server says itself', () => {
    const facts = { window: 8192, tools: true } as const;
    assert.deepEqual(profileOf({ chosen: { ...chosen, facts } }, []), {
      id: 'lm-studio-qwen-qwen3-8b',
      name: 'qwen/qwen3-8b (LM Studio)',
      provider: 'openai',
      baseUrl: 'http://127.0.0.1:1234/v1',
      model: 'qwen/qwen3-8b',
    });
  });

  it('has no key, and the protocol only if it is not Auto', () => {
    const key = { origin: 'http://127.0.0.1:1234', text: 'secret' };
    const profile = profileOf({ chosen, key, protocol: 'vcp' }, []);
    assert.equal(profile.protocol, 'vcp');
    assert.ok(!JSON.stringify(profile).includes('secret'));
    assert.ok(!('protocol' in profileOf({ chosen }, [])));
  });

  const windows = [
    { name: 'nothing is known', facts: {}, window: 32_768 },
    { name: 'less is loaded', facts: { window: 4_096, trainedWindow: 40_960 }, window: 32_768 },
    { name: 'more is loaded', facts: { window: 65_536, trainedWindow: 131_072 }, window: 65_536 },
    { name: 'it was trained for less', facts: { trainedWindow: 8_192 }, window: 8_192 },
  ];
  for (const { name, facts, window } of windows) {
    it(`asks Ollama for ${window} tokens if ${name}`, () => {
      const ollama: Chosen = {
        ...chosen,
        provider: 'ollama',
        baseUrl: 'http://127.0.0.1:11434/v1',
        facts,
      };
      const { provider, baseUrl, contextWindow } = profileOf({ chosen: ollama }, []);
      assert.deepEqual(
        { provider, baseUrl, contextWindow },
        {
          provider: 'ollama',
          baseUrl: undefined,
          contextWindow: window,
        },
      );
    });
  }

  it('names the root of an Ollama on another machine', () => {
    const { baseUrl } = profileOf(
      { chosen: { ...chosen, provider: 'ollama', baseUrl: 'http://gpu-box:11434/v1' } },
      [],
    );
    assert.equal(baseUrl, 'http://gpu-box:11434');
  });

  it('is the one that there is for the model, with all that it says and the protocol of now', () => {
    const known = { ...profileOf({ chosen, protocol: 'vcp' }, []), id: 'mine', name: 'Mine', vision: true };
    assert.deepEqual(profileOf({ chosen }, [known]), (({ protocol: _, ...rest }) => rest)(known));
    assert.equal(profileOf({ chosen, protocol: 'json' }, [known]).protocol, 'json');
    assert.notEqual(profileOf({ chosen: { ...chosen, model: 'other' } }, [known]).id, 'mine');
  });
});

describe('an id that is free', () => {
  const rows: readonly [words: string, taken: readonly string[], id: string][] = [
    ['Qwen3 8B', [], 'qwen3-8b'],
    ['Qwen3 8B', ['qwen3-8b'], 'qwen3-8b-2'],
    ['Qwen3 8B', ['qwen3-8b', 'qwen3-8b-2'], 'qwen3-8b-3'],
    ['千问', [], 'model'],
    ['千问', ['model'], 'model-2'],
    ['demo', [], 'model-demo'],
    ['$(trash)', [], 'trash'],
    ['x'.repeat(100), [], 'x'.repeat(60)],
  ];
  for (const [words, taken, id] of rows) {
    it(`is ${id} for ${words} beside ${taken.join(', ') || 'none'}`, () => {
      assert.equal(
        freeId(
          words,
          taken.map((each) => ({ id: each })),
        ),
        id,
      );
    });
  }

  it('is another one over another API of the same server', () => {
    const { baseUrl = '' } = chosen;
    const profiles: ModelProfile[] = [];
    for (const api of ['chat', 'responses', 'messages'] as const) {
      const asked = { label: 'x', baseUrls: [baseUrl], api };
      const added = profileOf({ chosen, asked }, profiles);
      assert.equal(added.api ?? 'chat', api);
      assert.ok(profiles.every(({ id }) => id !== added.id));
      profiles.push(added);
      assert.equal(profileOf({ chosen, asked, protocol: 'vcp' }, profiles).id, added.id);
    }
  });
});
