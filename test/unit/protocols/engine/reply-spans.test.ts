import assert from 'node:assert/strict';
import { parseReply } from '../../../../src/core/run/parse-reply';
import { replyDeltas } from '../../../../src/models/chat-chunks';
import { protocols } from '../../../../src/protocols';
import { replySpans } from '../../../../src/protocols/engine/reply-spans';
import { replyCases } from '../../../support/replies';

describe('replySpans', () => {
  for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
    it(`finds the parts in their order, where they say what stands there: ${protocol.id}`, () => {
      for (const { name, reply, tools, strictness, recover } of replyCases(protocol.id)) {
        const parsed = parseReply(protocol, replyDeltas(protocol.id, reply, 0), {
          ...(tools && { tools }),
          ...{ strictness, recover },
        });
        let at = 0;
        for (const { part, start, end } of replySpans(parsed)) {
          const found = parsed.parts[part];
          assert.ok(found && start >= 0 && start <= end && end <= reply.length, name);
          if (found.type !== 'text' && found.type !== 'reasoning') continue;
          assert.equal(reply.slice(start, end), found.text, name);
          assert.ok(start >= at, name);
          at = end;
        }
      }
    });
  }

  it('does not take a tag for the reasoning in it', () => {
    const raw = '<think>t</think>the';
    const parts = [
      { type: 'reasoning', text: 't' },
      { type: 'text', text: 'the' },
    ] as const;
    assert.deepEqual(replySpans({ parts, raw }), [
      { part: 0, start: 7, end: 8 },
      { part: 1, start: 16, end: 19 },
    ]);
  });

  it('leaves out reasoning that came beside the text', () => {
    assert.deepEqual(replySpans({ parts: [{ type: 'reasoning', text: 'the' }], raw: 'the file' }), []);
  });
});
