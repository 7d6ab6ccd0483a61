import assert from 'node:assert/strict';
import { parseReply } from '../../../../src/core/reply/parse-reply';
import { replyDeltas } from '../../../../src/models/recorded-reply';
import { findProtocol, protocols } from '../../../../src/protocols';
import { replySpans } from '../../../../src/protocols/engine/reply-spans';
import { replyCases } from '../../../support/protocols/reply-cases';

describe('replySpans', () => {
  for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
    it(`finds the parts in their order, at places with their text: ${protocol.id}`, () => {
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

  it('leaves out reasoning that came separately from the text', () => {
    assert.deepEqual(replySpans({ parts: [{ type: 'reasoning', text: 'the' }], raw: 'the file' }), []);
  });

  it('says where calls, rejections and warnings are, and the text around them', () => {
    const call = '<tool_call>{"name":"ping","arguments":{}}</tool_call>';
    const rejected = '<tool_call>{"name":</tool_call>';
    const raw = `First.\n${call}\nThen.\n${rejected}\nLast.`;
    const spans = spansOf(raw);
    assert.deepEqual(spans, [
      ['text', 'First.\n'],
      ['call', call],
      ['text', '\nThen.\n'],
      ['malformed', rejected],
      ['text', '\nLast.'],
    ]);
  });

  it('finds reasoning before a tag that closes what the prompt opened', () => {
    for (const [opener, closer] of [
      ['', '</think>'],
      ['<think>', '</think>'],
      ['<thinking>', '</thinking>'],
    ] as const)
      assert.deepEqual(spansOf(`${opener}Which file?${closer}The first.`), [
        ['reasoning', 'Which file?'],
        ['text', 'The first.'],
      ]);
  });

  it('resumes after a warning, which may come late', () => {
    const diagnostic = {
      code: 'a',
      level: 'warning',
      message: 'Something.',
      hint: '',
      start: 8,
      end: 12,
    } as const;
    const parts = [
      { type: 'warning', diagnostic },
      { type: 'text', text: 'One and ' },
      { type: 'text', text: '' },
      { type: 'text', text: 'two.' },
      { type: 'text', text: 'three' },
    ] as const;
    assert.deepEqual(replySpans({ parts, raw: 'One and two.' }), [
      { part: 0, start: 8, end: 12 },
      { part: 1, start: 0, end: 8 },
      { part: 3, start: 8, end: 12 },
    ]);
  });
});

/** Each part that is found in a reply, with its text. */
function spansOf(raw: string): readonly (readonly [type: string | undefined, text: string])[] {
  const hermes = findProtocol('hermes')!;
  const parsed = parseReply(hermes, replyDeltas('hermes', raw, 0), {});
  return replySpans(parsed).map(({ part, start, end }) => [parsed.parts[part]?.type, raw.slice(start, end)]);
}
