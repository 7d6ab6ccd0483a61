import assert from 'node:assert/strict';
import { noCounts } from '../../../src/core/words/call-counts';
import type { ModelDelta, ModelFailure } from '../../../src/core/words/model';
import { learnedTexts } from '../../../src/models/learned-texts';
import { invalidateFacts, ModelFacts, type KeyValues } from '../../../src/models/model-facts';
import type { ModelProfile } from '../../../src/models/profiles';
import { native } from '../../../src/protocols/native/native';

const profile: ModelProfile = {
  id: 'own',
  provider: 'openai',
  baseUrl: 'https://api.example.com/v1',
  model: 'm',
};

/** What VS Code keeps, over windows. */
function values(
  first: Readonly<Record<string, unknown>> = {},
): KeyValues & { readonly all: Map<string, unknown> } {
  const all = new Map<string, unknown>(Object.entries(first));
  return {
    all,
    get: (key) => all.get(key),
    update: async (key, value) => {
      if (value === undefined) all.delete(key);
      else all.set(key, JSON.parse(JSON.stringify(value)));
    },
  };
}

describe('facts of a model', () => {
  it('are shared by all profiles of the same model at the same address, and by no other', () => {
    const facts = new ModelFacts();
    facts.of(profile).requirements.write({ needsReasoning: true });
    const rows: readonly [Partial<ModelProfile>, boolean][] = [
      [{ id: 'other', name: 'Other', extraBody: { seed: 1 } }, true],
      [{ model: 'n' }, false],
      [{ baseUrl: 'https://api.example.com/v2' }, false],
      [{ provider: 'ollama' }, false],
    ];
    for (const [other, isSame] of rows) {
      const found = facts.of({ ...profile, ...other }).requirements.read();
      assert.deepEqual(found, isSame ? { needsReasoning: true } : {}, JSON.stringify(other));
    }
    const ollama: ModelProfile = { id: 'o', provider: 'ollama', model: 'qwen3' };
    facts.of(ollama).forms.write({ grammar: 'schemas-only' });
    const { forms } = facts.of({ ...ollama, baseUrl: 'http://127.0.0.1:11434' });
    assert.deepEqual(forms.read(), { grammar: 'schemas-only' });
  });

  it('hold for good, for a version of the server or for a window', () => {
    const memory = values();
    const window = new ModelFacts(memory).of(profile);
    const vllm = (version: string): void => window.server.write({ facts: { kind: 'vllm', version } });
    vllm('1');
    window.requirements.write({ needsReasoning: true, refusesSignatures: true });
    window.forms.write({ grammar: 'works' });
    window.context.write({ window: { tokens: 8_192, time: 1 } });
    assert.deepEqual(window.requirements.read(), { needsReasoning: true, refusesSignatures: true });

    const next = new ModelFacts(memory).of(profile);
    assert.deepEqual(next.requirements.read(), { needsReasoning: true });
    assert.deepEqual(next.server.read(), {});
    assert.deepEqual(next.context.read(), { window: { tokens: 8_192, time: 1 } });
    // Until the server is asked, nothing says that it has changed.
    assert.deepEqual(next.forms.read(), { grammar: 'works' });

    vllm('2');
    assert.deepEqual(window.forms.read(), {});
    assert.deepEqual(window.context.read(), { window: { tokens: 8_192, time: 1 } });
    window.forms.write({ grammar: 'refused' });
    vllm('1');
    assert.deepEqual(window.forms.read(), {});
  });

  it('are kept for the fifty models that were used last', () => {
    const memory = values();
    const facts = new ModelFacts(memory);
    const seen = (model: string): void => facts.of({ ...profile, model }).forms.write({ schema: 'works' });
    for (let at = 0; at < 50; at++) seen(`m${at}`);
    facts.of({ ...profile, model: 'm0' }).requirements.write({ needsReasoning: true });
    seen('one more');
    const known = ['m0', 'm1', 'm2', 'one more'].map((model) => facts.of({ ...profile, model }).forms.read());
    assert.deepEqual(known, [{ schema: 'works' }, {}, { schema: 'works' }, { schema: 'works' }]);
  });

  it('that were learned can be forgotten, for one model', async () => {
    const memory = values();
    const facts = new ModelFacts(memory);
    const other: ModelProfile = { ...profile, model: 'n' };
    for (const each of [profile, other]) {
      const known = facts.of(each);
      known.quirks.write({ fields: ['stop'], rules: ['no-system-role'] });
      known.requirements.write({ needsReasoning: true, refusesSignatures: true });
      known.spoken.write({ protocol: 'hermes' });
      known.counts.write({ vcp: { before: noCounts, last: noCounts } });
    }
    assert.equal(learnedTexts(facts.of(profile)).length, 5);
    await facts.forgetLearned(profile);
    for (const known of [facts, new ModelFacts(memory)]) {
      assert.deepEqual(learnedTexts(known.of(profile)), []);
      assert.deepEqual(Object.keys(known.of(profile).counts.read()), ['vcp']);
      assert.deepEqual(known.of(other).quirks.read(), { fields: ['stop'], rules: ['no-system-role'] });
    }
  });

  it('are reported when they change, and only then', async () => {
    const facts = new ModelFacts();
    const names: string[] = [];
    facts.onChange((name) => names.push(name));
    const { forms, counts } = facts.of(profile);
    forms.write({ schema: 'works' });
    forms.write({ schema: 'works' });
    counts.write({ vcp: { before: noCounts, last: noCounts } });
    await facts.forget('counts');
    assert.deepEqual(names, ['forms', 'counts', 'counts']);
    assert.deepEqual([forms.read(), counts.read()], [{ schema: 'works' }, {}]);
  });
});

describe('what earlier versions have stored', () => {
  const address = 'https://api.example.com/v1';
  const clean = (number: number) => ({ before: { ...noCounts, clean: number }, last: noCounts });
  const earlier = {
    'parley.learnedContext': {
      [JSON.stringify(['openai', address, 'm'])]: { window: { tokens: 8_192, time: 1 } },
      [JSON.stringify(['ollama', '', 'qwen3'])]: { window: { tokens: 4_096, time: 2 } },
    },
    'parley.callCounts': {
      [JSON.stringify(['own', address, 'm', 'vcp'])]: clean(20),
      [JSON.stringify(['twin', address, 'm', 'vcp'])]: clean(3),
      [JSON.stringify(['vscode:copilot/gpt', '', 'copilot/gpt', 'native'])]: clean(4),
      [JSON.stringify(['removed', '', 'unknown', 'vcp'])]: clean(1),
    },
    'parley.forcedForms': {
      [JSON.stringify(['openai', address, 'm', 'vllm', '1'])]: { grammar: 'refused' },
      [JSON.stringify(['openai', address, 'm', 'vllm', '2'])]: { grammar: 'works' },
    },
    'parley.reasoningLessons': {
      [JSON.stringify(['own', address, 'm'])]: { wantsThoughts: true },
      [JSON.stringify(['removed', 'https://old.example/v1', 'm'])]: { refusesThoughts: true },
      [JSON.stringify(['local', '', 'qwen3'])]: { wantsSignatures: true },
    },
  };
  const local: ModelProfile = { id: 'local', provider: 'ollama', model: 'qwen3' };
  const twin: ModelProfile = { ...profile, id: 'twin' };

  it('is moved once, and belongs to the same models', () => {
    const memory = values(earlier);
    const facts = new ModelFacts(memory, () => [profile, twin, local]);
    const own = facts.of(profile);
    own.server.write({ facts: { kind: 'vllm', version: '2' } });
    assert.deepEqual(own.forms.read(), { grammar: 'works' });
    assert.deepEqual(own.context.read(), { window: { tokens: 8_192, time: 1 } });
    assert.deepEqual(own.requirements.read(), { needsReasoning: true });
    assert.equal(own.counts.read()['vcp']?.before.clean, 23);
    assert.deepEqual(facts.of(local).context.read(), { window: { tokens: 4_096, time: 2 } });
    assert.deepEqual(facts.of(local).requirements.read(), { needsSignatures: true });
    const copilot = facts.of({ id: 'any', provider: 'vscode', model: 'copilot/gpt' });
    assert.equal(copilot.counts.read()['native']?.before.clean, 4);
    const removed: ModelProfile = { ...profile, baseUrl: 'https://old.example/v1' };
    assert.deepEqual(facts.of(removed).requirements.read(), { refusesReasoning: true });
    assert.deepEqual([...memory.all.keys()], ['parley.modelFacts']);
    // The next window finds it in the new place.
    assert.deepEqual(new ModelFacts(memory).of(profile).requirements.read(), { needsReasoning: true });
  });

  it('never replaces what is known now', () => {
    const memory = values();
    new ModelFacts(memory).of(profile).requirements.write({ refusesReasoning: true });
    // Written by an earlier version in the meantime.
    for (const [key, value] of Object.entries(earlier)) memory.all.set(key, value);
    const facts = new ModelFacts(memory, () => [profile]);
    assert.deepEqual(facts.of(profile).requirements.read(), { refusesReasoning: true });
    assert.deepEqual([...memory.all.keys()], ['parley.modelFacts']);
  });

  const failures: readonly [ModelFailure['code'], boolean][] = [
    ['unreachable', true],
    ['too-long', true],
    ['unauthorized', false],
    ['no-tools', false],
  ];
  for (const [code, isOutdated] of failures) {
    it(`from its server are ${isOutdated ? 'outdated' : 'valid'} after a request that failed as ${code}`, async () => {
      const { probe } = new ModelFacts().of(profile);
      probe.write({ askedAt: 1 });
      const failure: ModelDelta = { type: 'failure', failure: { code, message: 'No.' } };
      const model = invalidateFacts({ probe })({
        name: 'm',
        async *stream() {
          yield failure;
        },
      });
      const deltas: ModelDelta[] = [];
      const request = native.request({ instructions: '', turns: [], tools: [] });
      for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
      assert.deepEqual([probe.read(), deltas], [isOutdated ? {} : { askedAt: 1 }, [failure]]);
    });
  }
});
