import assert from 'node:assert/strict';
import { glm } from '../../../../src/protocols/tool-call/glm';
import { hermes } from '../../../../src/protocols/tool-call/hermes';
import { qwen3Coder } from '../../../../src/protocols/tool-call/qwen3-coder';
import { parseDeltas, parseText, type ParsedReply } from '../../../support/protocols/run-parser';

/** What the reply's calls and malformed calls span, in its order. */
function blocks(reply: string, { calls, errors }: ParsedReply): string[] {
  return [...calls, ...errors]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => reply.slice(start, end));
}

describe('tool call family', () => {
  it('splits a block of several objects after each of them', () => {
    const reply = 'x <tool_call>[{"name":"a"}, {"name":"b"}]</tool_call> y';
    assert.deepEqual(blocks(reply, parseText(hermes, [reply])), [
      '<tool_call>[{"name":"a"}, ',
      '{"name":"b"}]</tool_call>',
    ]);
  });

  it('splits a block of several functions after each of them', () => {
    const reply = '<tool_call>\n<function=a>\n</function>\n<function=b>\n</function>\n</tool_call>';
    assert.deepEqual(blocks(reply, parseText(qwen3Coder, [reply])), [
      '<tool_call>\n<function=a>\n</function>\n',
      '<function=b>\n</function>\n</tool_call>',
    ]);
  });

  it('ends a rejected block at its closing tag', () => {
    const bad = '<tool_call>{"name":"a","arguments":{"path":"x}}</tool_call>';
    const good = '<tool_call>{"name":"b","arguments":{}}</tool_call>';
    assert.deepEqual(blocks(bad + good, parseText(hermes, [bad + good])), [bad, good]);
  });

  for (const protocol of [hermes, qwen3Coder, glm]) {
    it(`${protocol.id} keeps the line breaks at the ends of a value it renders`, () => {
      for (const content of ['x\n', '\nx', '\n', '\r\nx\r\n', '\n\n']) {
        const reply = protocol.renderReply([
          { type: 'call', call: { id: 'k', name: 'write', arguments: { content } } },
        ]);
        assert.deepEqual(parseDeltas(protocol, reply).calls[0]?.arguments, { content });
      }
    });
  }
});
