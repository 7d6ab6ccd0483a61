import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foldEvents } from '../../../../src/core/transcript/fold-events';
import { foldTranscript } from '../../../../src/core/transcript/fold-transcript';
import { emptyTranscript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import { caseCount } from '../../../hosts/random-cases';
import { arbitraryConversation, runConversation } from '../../../support/agent/arbitrary-conversation';
import { everyEvent } from '../../../support/agent/every-event';

function check(events: readonly AgentEvent[]): void {
  assert.deepEqual(foldEvents(events), events.reduce(foldTranscript, emptyTranscript));
}

describe('fold of many events', () => {
  it('equals folding one by one, for any events', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(arbitraryConversation, fc.nat(), async (messages, cut) => {
        const { events } = await runConversation(messages);
        const at = cut % (events.length + 1);
        check(events);
        check(events.slice(0, at));
        const before = foldEvents(events.slice(0, at));
        assert.deepEqual(foldEvents(events.slice(at), before), foldEvents(events));
      }),
      { numRuns: caseCount(60) },
    );
  });

  it('does so in any order of events, even an impossible one', () => {
    const inner = everyEvent.map((event): AgentEvent => ({ type: 'sub-agent', callId: 'c1', event }));
    const any = fc.array(fc.constantFrom(...everyEvent, ...inner), { maxLength: 80 });
    // Whole runs in between, because otherwise few would change a file.
    const whole = fc.array(fc.oneof(any, fc.constant(everyEvent)), { maxLength: 4 });
    fc.assert(fc.property(whole, (parts) => check(parts.flat())));
  });

  it('keeps the reports of several changes apart in any order of their ends', () => {
    const images = fc.constantFrom('absent', 'one', 'two');
    const change = fc.record(
      { path: fc.constantFrom('/a', '/b'), before: images, after: images },
      { requiredKeys: ['path', 'before'] },
    );
    const told = change.map(({ after, ...each }): AgentEvent => {
      const known = { ...each, display: each.path, ...(after !== undefined && { after }) };
      return { type: 'file-change', callId: 'c1', change: known };
    });
    const any = fc.array(fc.oneof({ weight: 8, arbitrary: told }, fc.constantFrom(...everyEvent)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(any, fc.nat(), (events, cut) => {
        check([...everyEvent, ...events]);
        const at = cut % (events.length + 1);
        assert.deepEqual(foldEvents(events.slice(at), foldEvents(events.slice(0, at))), foldEvents(events));
      }),
    );
  });
});
