import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/words/events';
import { noCounts, sumOfCounts } from '../../../src/core/words/call-counts';
import { ReplyCounter, type CountedReply } from '../../../src/doctor/call-counts';
import { replyEnd, toolCall } from '../../support/agent/chat-events';

const round = (more: object = {}): AgentEvent => ({
  ...{ type: 'round-start', round: 1, maxRounds: 9, protocol: 'vcp', model: 'm' },
  ...more,
});
const call = (mark: 'clean' | 'repaired' | 'recovered' | 'echoed'): AgentEvent => ({
  type: 'call-end',
  index: 0,
  call: { ...toolCall('read_file', {}), mark },
});
const malformed = (code: string): AgentEvent => {
  const diagnostic = { code, level: 'error', message: '', hint: '', start: 0, end: 0 } as const;
  return { type: 'malformed', index: 0, malformed: { id: 'k', name: 'x', diagnostic } };
};
const used: AgentEvent = {
  ...{ type: 'reply-end', reason: 'stop', raw: '' },
  usage: { inputTokens: 7, outputTokens: 3 },
};

function counted(events: readonly AgentEvent[]): readonly CountedReply[] {
  const counter = new ReplyCounter();
  return events.flatMap((event) => counter.take(event) ?? []);
}

const reply = (counts: object): CountedReply => ({
  ...{ model: 'm', protocol: 'vcp' },
  counts: { ...noCounts, rounds: 1, ...counts },
});

describe('the calls of replies', () => {
  it('are counted by their forms, with rounds and tokens', () => {
    assert.deepEqual(
      counted([
        round(),
        ...[call('clean'), call('echoed'), call('repaired'), call('recovered'), used],
        round({ protocol: 'json' }),
        ...[malformed('unfinished'), malformed('unknown-tool'), malformed('missing-argument'), used],
      ]),
      [
        reply({ clean: 2, repaired: 1, recovered: 1, inputTokens: 7, outputTokens: 3 }),
        {
          ...reply({ malformed: 3, unknownTool: 1, badArguments: 1, inputTokens: 7, outputTokens: 3 }),
          protocol: 'json',
        },
      ],
    );
  });

  it('do not count inside reasoning', () => {
    const events: readonly AgentEvent[] = [
      ...[round(), call('clean')],
      { type: 'reasoning-end', text: '' },
      ...[call('repaired'), replyEnd],
    ];
    assert.deepEqual(counted(events), [reply({ repaired: 1 })]);
  });

  it('do not count in a reply that the user edited', () => {
    assert.deepEqual(counted([round({ isMended: true }), call('clean'), replyEnd]), []);
  });

  it('of concurrent agents are kept apart', () => {
    const inside = (callId: string, event: AgentEvent): AgentEvent => ({ type: 'sub-agent', callId, event });
    assert.deepEqual(
      counted([
        inside('a', round({ model: 'a' })),
        inside('b', round({ model: 'b' })),
        inside('a', call('clean')),
        inside('b', call('repaired')),
        inside('b', replyEnd),
        inside('a', replyEnd),
      ]),
      [
        { ...reply({ repaired: 1 }), model: 'b' },
        { ...reply({ clean: 1 }), model: 'a' },
      ],
    );
  });

  it('add up', () => {
    const [one] = counted([round(), call('clean'), used]);
    assert.deepEqual(sumOfCounts(one!.counts, sumOfCounts(one!.counts, noCounts)), {
      ...noCounts,
      ...{ rounds: 2, clean: 2, inputTokens: 14, outputTokens: 6 },
    });
  });
});
