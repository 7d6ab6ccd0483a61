import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/words/events';
import {
  eventLine,
  headerLine,
  readLine,
  readRecords,
  type SessionHeader,
} from '../../../src/sessions/record';
import { caseSample } from '../../hosts/random-cases';
import { everyEvent } from '../../support/agent/every-event';

const header: SessionHeader = { version: 1, id: 'f1', workspace: 'file:///w', title: 'Täst', created: 5 };
const lines = [headerLine(header), ...everyEvent.map((event) => eventLine(JSON.stringify(event)))];
const whole = Buffer.from(lines.join(''));

function eventsOf(bytes: Uint8Array): AgentEvent[] {
  return [...readRecords(bytes)].flatMap((record) =>
    record !== 'damaged' && record.type === 'event' ? [record.event] : [],
  );
}

describe('session records', () => {
  for (const event of everyEvent) {
    it(`gives back the event ${event.type}`, () => {
      const record = readLine(eventLine(JSON.stringify(event)).trimEnd());
      assert.deepEqual(record, { type: 'event', event });
    });
  }

  it('gives back the header', () => {
    assert.deepEqual(readLine(headerLine(header).trimEnd()), { type: 'header', header });
  });

  it('accepts only events as events', () => {
    const unlike: readonly object[] = [
      { type: 'text' },
      { type: 'new-event', text: '' },
      { type: 'toString' },
      { type: 'run-end', outcome: { type: 'budget' } },
      { type: 'sub-agent', callId: 'c1', event: { type: 'text', text: 5 } },
      { type: 'tool-end', callId: 'c1', result: { requestId: 'c1' } },
      {},
    ];
    for (const event of unlike) assert.equal(readLine(eventLine(JSON.stringify(event)).trimEnd()), undefined);
  });

  it('G27.cut keeps every record before the cut, at every byte', () => {
    let ends = 0;
    let count = -1;
    for (let length = 0; length <= whole.length; length++) {
      // A record whose line end alone is missing is whole.
      if (length === ends - 1 + Buffer.byteLength(lines[count + 1] ?? '')) {
        count++;
        ends += Buffer.byteLength(lines[count] ?? '');
      }
      const records = [...readRecords(whole.subarray(0, length))];
      assert.deepEqual(records.includes('damaged'), false);
      assert.equal(records.length, count + 1, `cut at ${length}`);
    }
    assert.deepEqual(eventsOf(whole), everyEvent);
  });

  it('G27.flip loses at most the two records beside a changed byte, and invents no record', () => {
    const known = everyEvent.map((event) => JSON.stringify(event));
    for (const at of caseSample([...whole.keys()])) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ (at % 2 === 0 ? 1 : 0x2a);
      const left = eventsOf(changed).map((event) => JSON.stringify(event));
      assert.ok(left.length >= known.length - 2, `byte ${at}`);
      assert.deepEqual(
        left,
        known.filter((event) => left.includes(event)),
      );
    }
  });
});
