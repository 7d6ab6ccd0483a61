import assert from 'node:assert/strict';
import fc from 'fast-check';
import { protocols } from '../../../src/protocols';
import { caseSample, caseCount } from '../../hosts/random-cases';
import { parseText, splitText } from '../../support/protocols/run-parser';
import { casesIn, problemOfReplies, replyCases } from '../../support/protocols/reply-cases';
import { summary } from '../../../src/core/reply/parse-reply';

/** Longer replies are cut at random places instead of at each. */
const SHORT = 600;

const textProtocols = protocols.filter(({ id }) => id !== 'native');

for (const protocol of textProtocols) {
  describe(`replies to ${protocol.id}`, () => {
    it('are there, complete, and not only those of `npm run manifest`', () => {
      const problem = problemOfReplies(protocol.id);
      assert.ok(problem === undefined, problem);
    });

    for (const { name, reply, tools, strictness, recover, expect } of replyCases(protocol.id)) {
      it(name, () => {
        const read = (parts: readonly string[]): string =>
          summary(parseText(protocol, parts, tools, { strictness, recover }));
        assert.equal(read([reply]), expect);
        assert.equal(read(splitText(reply, 1)), expect, 'in single characters');
        if (reply.length <= SHORT) {
          for (const at of caseSample(placesIn(reply)))
            assert.equal(read([reply.slice(0, at), reply.slice(at)]), expect, `cut at ${at}`);
        } else {
          fc.assert(
            fc.property(fc.array(fc.nat(reply.length), { maxLength: 20 }), (cuts) => {
              assert.equal(read(cutAt(reply, cuts)), expect);
            }),
            { numRuns: caseCount(50) },
          );
        }
      });
    }
  });
}

it('a reply that is not described whole is named', () => {
  const whole = { name: 'reads', from: 'somebody', reply: 'Hi.', expect: 'text "Hi."' };
  const { from: _, ...sourceless } = whole;
  assert.equal(casesIn([whole]).length, 1);
  assert.throws(() => casesIn([whole, sourceless]), /^Error: "reads": from: /);
  assert.throws(() => casesIn([{ ...whole, tools: ['fly'] }]), /no tool "fly"/);
  assert.throws(() => casesIn(['Hi.']), /^Error: entry 1: /);
});

describe('replies to others', () => {
  const all = textProtocols.flatMap(({ id }) => replyCases(id));

  for (const protocol of protocols) {
    it(`are read by ${protocol.id} the same however they are cut`, () => {
      for (const { name, reply, tools, strictness } of caseSample(all)) {
        for (const recover of [false, true]) {
          const read = (parts: readonly string[]): string =>
            summary(parseText(protocol, parts, tools, { strictness, recover }));
          const whole = read([reply]);
          for (const size of [1, 7]) assert.equal(read(splitText(reply, size)), whole, `${name}, by ${size}`);
        }
      }
    });
  }
});

/** Where it can be cut in two. */
function placesIn(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, at) => at).slice(1);
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const sorted = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
}
