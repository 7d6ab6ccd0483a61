import fc from 'fast-check';
import assert from 'node:assert/strict';
import { OutputRing } from '../../../../src/node/processes/output-ring';
import { WholeCharacters } from '../../../../src/node/processes/running-command';

describe('OutputRing', () => {
  it('keeps beginning and end however the output was cut', () => {
    const chunks = fc.array(
      fc.uint8Array({ maxLength: 9 }).map((list) => Buffer.from(list.map((byte) => 97 + (byte % 26)))),
    );
    fc.assert(
      fc.property(chunks, (parts) => {
        const ring = new OutputRing({ head: 5, tail: 7 });
        for (const part of parts) ring.add(part);
        const all = Buffer.concat(parts).toString();
        const expected =
          all.length <= 12
            ? { head: all, tail: '', omitted: 0 }
            : { head: all.slice(0, 5), tail: all.slice(-7), omitted: all.length - 12 };
        assert.deepEqual(ring.excerpt(), expected);
      }),
    );
  });

  it('tears no character at the cut', () => {
    const ring = new OutputRing({ head: 4, tail: 4 });
    ring.add(Buffer.from('€€€€€€'));
    assert.deepEqual(ring.excerpt(), { head: '€', tail: '€', omitted: 12 });
  });

  it('keeps little of much', () => {
    const ring = new OutputRing({ head: 10, tail: 10 });
    for (let index = 0; index < 10_000; index++) ring.add(Buffer.from('0123456789'));
    assert.equal(ring.excerpt().omitted, 100_000 - 20);
  });
});

describe('WholeCharacters', () => {
  it('gives back what it was given, in whole characters', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), maxLength: 10 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat({ max: 40 }), { maxLength: 6 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const whole = new WholeCharacters();
        let start = 0;
        let read = '';
        for (const end of ends) {
          read += whole.push(bytes.subarray(start, end)).toString();
          start = end;
        }
        assert.equal(read + whole.end().toString(), text);
      }),
    );
  });
});
