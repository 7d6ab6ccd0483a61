import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentEvent } from '../../../src/core/events';
import { foldEvents } from '../../../src/core/fold-events';
import { emptyTranscript, foldTranscript } from '../../../src/core/transcript';
import { conversations, hold } from '../../support/conversations';
import { everyEvent } from '../../support/session-events';

function check(events: readonly AgentEvent[]): void {
  assert.deepEqual(foldEvents(events), events.reduce(foldTranscript, emptyTranscript));
}

describe('fold of many events', () => {
  it('is that of one after another, whatever happened', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(conversations, fc.nat(), async (messages, cut) => {
        const { events } = await hold(messages);
        const at = cut % (events.length + 1);
        check(events);
        check(events.slice(0, at));
        const before = foldEvents(events.slice(0, at));
        assert.deepEqual(foldEvents(events.slice(at), before), foldEvents(events));
      }),
      { numRuns: 60 },
    );
  });

  it('is so in any order of events, also in one that cannot be', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...everyEvent), { maxLength: 60 }), check));
  });
});
