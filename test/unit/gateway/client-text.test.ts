import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ClientText } from '../../../src/gateway/client-text';
import { caseCount } from '../../hosts/random-cases';
import { cutAt, arbitraryNoise } from '../../support/protocols/parser-properties';

function said(before: string, pieces: readonly string[], isCalled = false): string {
  const text = new ClientText(before);
  return pieces.map((piece) => text.add(piece)).join('') + text.end(isCalled);
}

describe('what a reply says', () => {
  const rows: readonly [
    name: string,
    before: string,
    pieces: readonly string[],
    isCalled: boolean,
    expect: string,
  ][] = [
    ['passes on unchanged', '', ['So. ', '\n', 'Yes.\n'], false, 'So. \nYes.\n'],
    ['has no blanks before a call', '', ['So.', '\n', '\n'], true, 'So.'],
    ['is not told again', 'So.', ['S', 'o', '. Now'], false, ' Now'],
    ['is sent if it continues differently', 'So it is.', ['So', ' it was.'], false, 'So it was.'],
    ['is sent if only its beginning matches', 'So it is.', ['So it'], false, 'So it'],
    ['is not sent if a call follows a matching beginning', 'So it is.', ['So it'], true, ''],
  ];
  for (const [name, before, pieces, isCalled, expect] of rows) {
    it(name, () => assert.equal(said(before, pieces, isCalled), expect));
  }

  it('is the same however it is cut', () => {
    const texts = fc.tuple(arbitraryNoise, arbitraryNoise, fc.array(fc.nat()), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(texts, ([before, more, places, isAgain, isCalled]) => {
        const text = isAgain ? before + more : more;
        const whole = said(before, [text], isCalled);
        const cut = said(before, cutAt(text, places), isCalled);
        // Only blanks that are too many to hold back may be sent before a call.
        assert.equal(isCalled ? cut.trimEnd() : cut, isCalled ? whole.trimEnd() : whole);
        if (!isCalled && !isAgain && before === '') assert.equal(whole, text);
      }),
      { numRuns: caseCount(300) },
    );
  });
});
