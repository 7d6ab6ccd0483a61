import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { AgentEvent } from '../../src/core/words/events';
import type { Conversation } from '../../src/host/services/conversation/conversation';
import { CallStatistics, type CountsHint } from '../../src/host/services/models/call-statistics';
import { ModelFacts } from '../../src/models/model-facts';
import type { ModelProfile } from '../../src/models/profiles';
import { Emitter } from '../../src/base/disposable';
import { replyEnd, toolCall } from '../support/agent/chat-events';

const profile: ModelProfile = { id: 'own', provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' };
const round: AgentEvent = { type: 'round-start', round: 1, maxRounds: 9, protocol: 'vcp', model: 'm' };

function call(mark: 'clean' | 'repaired'): AgentEvent {
  return { type: 'call-end', index: 0, call: { ...toolCall('read_file', {}), mark } };
}

/** Keeps its values for the duration of the test. */
function memory(): vscode.Memento {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: (key: string, other?: unknown) => kept.get(key) ?? other,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as vscode.Memento;
}

describe('call counts of a window', () => {
  function counting(picked: ModelProfile): {
    counts: CallStatistics;
    say: (...events: readonly AgentEvent[]) => void;
  } {
    const events = new Emitter<AgentEvent>();
    const counts = new CallStatistics(new ModelFacts(memory()));
    // SAFETY: nothing else of it is used.
    counts.follow({ onEvent: events.event } as unknown as Conversation, { profile: picked });
    return { counts, say: (...all) => all.forEach((event) => events.fire(event)) };
  }

  it('are shown from twenty calls on, for this model and protocol', () => {
    const { counts, say } = counting(profile);
    for (let at = 0; at < 19; at++) say(round, call('clean'), replyEnd);
    assert.equal(counts.textFor(profile, 'vcp'), undefined);
    say(round, call('repaired'), replyEnd);
    assert.equal(counts.textFor(profile, 'vcp'), '95 % clean of 20 calls');
    assert.equal(counts.textFor(profile, 'json'), undefined);
    assert.equal(counts.textFor({ ...profile, model: 'other' }, 'vcp'), undefined);
  });

  it('are never shown as all clean if one call was not', () => {
    const { counts, say } = counting(profile);
    for (let at = 0; at < 999; at++) say(round, call('clean'), replyEnd);
    say(round, call('repaired'), replyEnd);
    assert.equal(counts.textFor(profile, 'vcp'), '99 % clean of 1,000 calls');
  });

  it('are shown by protocol, and deleted on request', async () => {
    const { counts, say } = counting(profile);
    say(round, call('clean'), replyEnd, { ...round, protocol: 'json' }, call('repaired'), replyEnd);
    const told = (): readonly string[] =>
      counts
        .of(profile)
        .map(({ protocol, counts: { clean, repaired } }) => `${protocol} ${clean} ${repaired}`);
    assert.deepEqual(told(), ['vcp 1 0', 'json 0 1']);
    assert.deepEqual(counts.of({ ...profile, baseUrl: 'http://127.0.0.1:2/v1' }), []);
    await counts.forget();
    assert.deepEqual(told(), []);
  });

  it('warn once about a model that does worse than before', () => {
    const { counts, say } = counting(profile);
    const hints: CountsHint[] = [];
    counts.onHint((hint) => hints.push(hint));
    for (let at = 0; at < 60; at++) say(round, call('clean'), replyEnd);
    assert.deepEqual(hints, []);
    for (let at = 0; at < 90; at++) say(round, call('repaired'), replyEnd);
    assert.deepEqual(hints, [{ profile, protocol: 'vcp' }]);
  });

  it('suggest once a protocol in which a model does better', () => {
    const { counts, say } = counting(profile);
    const hints: CountsHint[] = [];
    counts.onHint((hint) => hints.push(hint));
    for (let at = 0; at < 25; at++) say({ ...round, protocol: 'json' }, call('clean'), replyEnd);
    for (let at = 0; at < 29; at++) say(round, call(at % 2 === 0 ? 'repaired' : 'clean'), replyEnd);
    assert.deepEqual(hints, [{ profile, protocol: 'vcp', better: 'json' }]);
  });

  it('exclude the demo model', () => {
    const demo: ModelProfile = { id: 'demo', provider: 'demo' };
    const { counts, say } = counting(demo);
    for (let at = 0; at < 30; at++) say(round, call('clean'), replyEnd);
    assert.equal(counts.textFor(demo, 'vcp'), undefined);
  });
});
