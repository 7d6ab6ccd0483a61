import assert from 'node:assert/strict';
import { protocols } from '../../../src/protocols';
import { detectProtocol } from '../../../src/protocols/choose';

describe('the protocol of a recorded reply', () => {
  for (const { name, reply, expect } of [
    { name: 'is recognized by its sign', reply: 'Look.\n<tool_code>{}</tool_code>', expect: 'xml' },
    {
      name: 'is the one whose sign comes first',
      reply: '<tool_code>{"name":"write","arguments":{"content":"<<<[TOOL_REQUEST]>>>"}}</tool_code>',
      expect: 'xml',
    },
    {
      name: 'is that object if the object holds other forms',
      reply: '{"tool_calls":[{"name":"write","arguments":{"content":"<tool_call>"}}]}',
      expect: 'json',
    },
    {
      name: 'tells an envelope by its action',
      reply: '{"action":"tool_call","tool_calls":[]}',
      expect: 'envelope',
    },
    {
      name: 'recognizes an envelope by its action after the calls',
      reply: '```json\n{"tool_calls":[],"action":"tool_call"}\n```',
      expect: 'envelope',
    },
    { name: 'is native for recorded chunks', reply: '\ndata: {"choices":[]}\n', expect: 'native' },
    { name: 'is one that text does not look like where there is no sign', reply: 'Hello.', expect: 'vcp' },
  ]) {
    it(name, () => assert.equal(detectProtocol(reply), expect));
  }

  for (const protocol of protocols) {
    const { id, sign } = protocol;
    if (!sign || id === 'native') continue;
    it(`is ${id} for what that renders`, () => {
      const call = { id: 'c1', name: 'write_file', arguments: { path: 'a' } };
      const [reply] = protocol.renderReply([
        { type: 'text', text: 'Look.' },
        { type: 'call', call },
      ]);
      assert.equal(reply?.type === 'text' && detectProtocol(reply.text), id);
    });
  }

  it('is found in time that grows with the reply alone', () => {
    for (const piece of ['{', '"tool_calls":', '{"action":', '<tool_call', ' ', '```']) {
      // Were it to grow with the square, this would not end in the time of a test.
      detectProtocol(piece.repeat(200_000));
    }
  });
});
