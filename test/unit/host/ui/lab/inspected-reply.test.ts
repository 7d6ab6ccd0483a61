import assert from 'node:assert/strict';
import { redact } from '../../../../../src/base/redact';
import { foldEvents } from '../../../../../src/core/transcript/fold-events';
import type { ReplyEntry } from '../../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../../src/core/words/events';
import type { ToolCall } from '../../../../../src/core/words/messages';
import {
  inspectedCalls,
  inspectedBody,
  partsOf,
  redactParts,
} from '../../../../../src/host/ui/lab/inspected-reply';
import { runWithWaitingCall, toolCall, toolEnd } from '../../../../support/agent/chat-events';

const call: ToolCall = { ...toolCall('write_file', { path: 'a.txt' }), mark: 'repaired' };
const start: AgentEvent = { type: 'tool-start', callId: call.id, title: 'Write' };

function replyOf(events: readonly AgentEvent[]): ReplyEntry {
  const reply = foldEvents(events).entries.find((entry) => entry.type === 'reply');
  return reply ?? assert.fail();
}

function decided(type: 'run' | 'reject', by: 'user' | 'policy'): AgentEvent {
  return { type: 'approval-end', callId: call.id, decision: { type, by, reason: 'so' } };
}

describe('what became of a call', () => {
  const rows: { name: string; events: readonly AgentEvent[]; expect: object }[] = [
    { name: 'waits', events: [], expect: { state: 'waiting', hasBegun: false } },
    {
      name: 'was allowed and has run',
      events: [decided('run', 'user'), start, toolEnd(call, 'success', 'Written.')],
      expect: {
        state: 'success',
        hasBegun: true,
        durationMs: 12,
        decision: { type: 'run', by: 'user', reason: 'so' },
      },
    },
    {
      name: 'was rejected',
      events: [decided('reject', 'user'), toolEnd(call, 'denied', 'Not executed.')],
      expect: {
        state: 'denied',
        hasBegun: false,
        durationMs: 12,
        decision: { type: 'reject', by: 'user', reason: 'so' },
      },
    },
    { name: 'runs', events: [decided('run', 'user'), start], expect: { state: 'running', hasBegun: true } },
  ];
  for (const { name, events, expect } of rows) {
    it(`is told: ${name}`, () => {
      const [told] = inspectedCalls(
        replyOf([...runWithWaitingCall(call, { edited: { path: 'b.txt' } }), ...events]),
      );
      assert.ok(told);
      assert.deepEqual({ ...told, ...expect }, told);
      if (told.state !== 'denied') assert.deepEqual(told.edited, { path: 'b.txt' });
    });
  }
});

describe('what was read out of a reply', () => {
  it('keeps its place when a key before it is taken out', () => {
    const key = 'sk-abcdefghijklmnopqrst';
    const raw = `${key} then CALL and ${key}`;
    const placed = { ...call, start: raw.indexOf('CALL'), end: raw.indexOf('CALL') + 'CALL'.length };
    const events: AgentEvent[] = [...runWithWaitingCall(placed)];
    const clean = (text: string): string => redact(text, []);
    const parts = partsOf(replyOf(events));
    const [moved] = redactParts(parts, raw, clean);
    assert.ok(moved?.type === 'call');
    assert.equal(clean(raw).slice(moved.call.start, moved.call.end), 'CALL');
    assert.equal(redactParts(parts, 'CALL', clean), parts);
  });
});

describe('a body as it was sent', () => {
  it('is shown message by message, for any form of content', () => {
    const image = { type: 'image_url', image_url: { url: 'data:x' } };
    const shown = inspectedBody({
      messages: [
        { role: 'system', content: 'Be good.' },
        { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
      ],
      tools: [{ function: { name: 'echo' } }],
      ...{ model: 'm', stream: true },
    });
    assert.deepEqual(shown.messages[0], { role: 'system', text: 'Be good.' });
    assert.match(shown.messages[1]?.more ?? '', /"look"[^]*data:x/);
    assert.deepEqual(
      shown.tools.map(({ name }) => name),
      ['echo'],
    );
    assert.deepEqual(JSON.parse(shown.body), { model: 'm', stream: true });
  });

  const gbnf = 'root ::= "a"\nb ::= "c"\n';
  const schema = { type: 'json_schema', json_schema: { name: 'reply', schema: {} } };
  const forced: readonly (readonly [string, unknown, string])[] = [
    ['grammar', gbnf, gbnf],
    ['ebnf', gbnf, gbnf],
    ['grammar_string', gbnf, gbnf],
    ['structured_outputs', { grammar: gbnf }, gbnf],
    ['response_format', schema, JSON.stringify(schema, undefined, 2)],
    ['format', { type: 'object', properties: {} }, '{\n  "type": "object",\n  "properties": {}\n}'],
  ];
  for (const [field, value, text] of forced) {
    it(`says by which field the form was forced, and keeps it apart: ${field}`, () => {
      const body = { messages: [{ role: 'user', content: 'go' }], model: 'm', [field]: value };
      const shown = inspectedBody(body);
      assert.deepEqual(shown.forms, [{ field, text }]);
      assert.deepEqual(JSON.parse(shown.body), { model: 'm' });
    });
  }

  it('finds no format in a body without one', () => {
    const body = { model: 'm', response_format: { type: 'text' }, guided: true };
    const shown = inspectedBody({ messages: [], ...body });
    assert.deepEqual([shown.forms, JSON.parse(shown.body)], [[], body]);
  });
});
