import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/reply/call-ids';
import { summary } from '../../../src/core/reply/parse-reply';
import type { ReplyEvent } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';
import { foreignForms, protocolOf, readTool } from '../../support/protocols/foreign-forms';
import { parseText, splitText } from '../../support/protocols/run-parser';
import { replyCases } from '../../support/protocols/reply-cases';

// What the unit tests do at every cut is done here in two ways only, so that thousands of mutants can be tried.
for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
  describe(`replies to ${protocol.id}`, () => {
    for (const { name, reply, tools, strictness, recover, expect } of replyCases(protocol.id)) {
      it(name, () => {
        for (const parts of [[reply], splitText(reply, 5)])
          assert.equal(summary(parseText(protocol, parts, tools, { strictness, recover })), expect);
        const options = { ...(tools && { tools }), strictness, recover, ids: new CallIds() };
        const parser = protocol.createParser(options);
        const events = [...parser.push({ type: 'text', text: reply }), ...parser.end('stop')];
        checkWords(events);
        checkSpans(events, reply, protocol.markers ?? []);
        if (RAW.has(protocol.id)) checkDeltas(events, reply);
      });
    }
  });
}

/** Their values stream to the page as they are. */
const RAW = new Set(['vcp', 'invoke', 'qwen3-coder', 'glm', 'plain']);

/** Whatever was noticed is said in a sentence, and what the model should do instead with it. */
function checkWords(events: readonly ReplyEvent[]): void {
  for (const event of events) {
    if (event.type === 'malformed') {
      const { message, hint } = event.malformed.diagnostic;
      assert.match(message, /^\S.{8,}[.!?]$/s);
      assert.match(hint, /^\S.{8,}[.!?]$/s);
    }
    if (event.type === 'warning') assert.match(event.diagnostic.message, /^\S.{8,}[.!?]$/s);
    if (event.type !== 'call-end') continue;
    for (const { message } of event.call.notes) assert.match(message, /^\S.{8,}[.!?]$/s);
  }
}

/** Calls are in the order of their spans, which hold them and do not overlap, unless they share one. */
function checkSpans(events: readonly ReplyEvent[], reply: string, markers: readonly string[]): void {
  let at = 0;
  let before = '';
  for (const event of events) {
    if (event.type !== 'call-end') continue;
    const { start, end, name, mark } = event.call;
    assert.ok((start >= at || before === `${start}-${end}`) && end > start && end <= reply.length);
    at = end;
    before = `${start}-${end}`;
    const text = reply.slice(start, end);
    if (mark === 'clean' && !markers.some((marker) => text.trimStart().startsWith(marker)))
      assert.match(text, /^\s*(?:[[<{`,;}\]]|\w+(?: ?\{|[(:]))/);
    if (mark === 'clean' && reply.includes(name)) assert.ok(reply.slice(start, end).includes(name));
  }
}

/** What streamed of an argument is what it came to be. */
function checkDeltas(events: readonly ReplyEvent[], reply: string): void {
  for (const event of events) {
    if (event.type !== 'call-end' || event.call.notes.length > 0) continue;
    for (const [key, value] of Object.entries(event.call.arguments)) {
      // What may be the beginning of a section is not shown, and escapes are shown as they are.
      if (typeof value !== 'string' || value.startsWith('<![CDATA[') || reply.includes('\u200b')) continue;
      const shown = events.flatMap((each) =>
        each.type === 'call-delta' && each.index === event.index && each.key === key ? [each.text] : [],
      );
      if (shown.length > 0) assert.ok(shown.join('').includes(value), `${key}: ${shown.join('')}`);
    }
  }
}

describe('calls in other forms', () => {
  for (const foreign of foreignForms) {
    const { form, block, standsAlone } = foreign;
    it(`${form}: ${block.slice(0, 30)}`, () => {
      const own = protocolOf(foreign);
      for (const protocol of protocols.filter(
        ({ id }) => ['native', 'vcp', 'xml'].includes(id) && id !== own,
      )) {
        const read = (text: string, recover: boolean, reason: 'stop' | 'length' = 'stop'): string =>
          summary(parseText(protocol, [text], [readTool], { recover, reason }));
        const behind = standsAlone ? '' : '\nDone.';
        const reply = `Look.\n${block}${behind}`;
        assert.equal(
          read(reply, true),
          `text ${JSON.stringify(`Look.\n${behind}`)} | read {"path":"a"} recovered [recovered${notesOf(block)}`,
        );
        assert.equal(read(reply, false), `text ${JSON.stringify(reply)} | warns foreign-block`);
        assert.doesNotMatch(read(`Look.\n${block.slice(0, -9)}`, true, 'length'), /recovered/);
        assert.doesNotMatch(read(`Look.\n${block.replaceAll('read', 'drop')}`, true), /recovered/);
      }
    });
  }
});

function notesOf(block: string): string {
  const repairs = block.match(/"(?:parameters|args|tool_name)"/g) ?? [];
  // Gemma's marks are missing, or its brackets and quotes are Python's.
  if (/^call:/.test(block)) return ', repaired-call]';
  if (/call:read\(/.test(block)) return ', repaired-call, repaired-call]';
  return `${repairs.map(() => ', repaired-json').join('')}]`;
}
