import assert from 'node:assert/strict';
import { protocols } from '../../src/protocols';
import { FOREIGN_FORMS, READ } from '../support/foreign-forms';
import { parseText, pieces } from '../support/parse';
import { replyCases } from '../support/replies';
import { summary } from '../support/summary';

// What the unit tests do at every cut is done here in two ways only, so that thousands of mutants can be tried.
for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
  describe(`replies to ${protocol.id}`, () => {
    for (const { name, reply, tools, strictness, recover, expect } of replyCases(protocol.id)) {
      it(name, () => {
        for (const parts of [[reply], pieces(reply, 5)])
          assert.equal(summary(parseText(protocol, parts, tools, { strictness, recover })), expect);
      });
    }
  });
}

describe('calls in other forms', () => {
  for (const { form, block } of FOREIGN_FORMS) {
    it(`${form}: ${block.slice(0, 30)}`, () => {
      for (const protocol of protocols.filter(
        ({ id }) => ['native', 'vcp', 'xml'].includes(id) && id !== form,
      )) {
        const read = (text: string, recover: boolean): string =>
          summary(parseText(protocol, [text], [READ], { recover }));
        const reply = `Look.\n${block}\nDone.`;
        assert.equal(
          read(reply, true),
          'text "Look.\\n\\nDone." | read {"path":"a"} recovered [recovered]'.replace(']', notesOf(block)),
        );
        assert.equal(read(reply, false), `text ${JSON.stringify(reply)} | warns foreign-block`);
        assert.doesNotMatch(read(`Look.\n${block.slice(0, -9)}`, true), /recovered/);
        assert.doesNotMatch(read(`Look.\n${block.replaceAll('read', 'drop')}`, true), /recovered/);
      }
    });
  }
});

function notesOf(block: string): string {
  return block.includes('"parameters"') ? ', repaired-json]' : ']';
}
