import assert from 'node:assert/strict';
import type { FormMatch, FormPlace, ReplyForm } from '../../../../src/contract/lab-parse';
import { allowedTexts, formDetail, formSentence } from '../../../../src/webview/lab/form-texts';
import { englishPage } from '../../../support/pages/english-page';

const place: FormPlace = {
  ...{ at: 9, line: 2, column: 5, before: 'a\n', found: 'x' },
  allowed: { texts: [], more: 0, mayEnd: false },
};

function form(match: FormMatch): ReplyForm {
  return { type: 'form', grammar: '', match };
}

describe('what is said of the form of a reply', () => {
  englishPage();
  const rows: readonly (readonly [string, ReplyForm, string, RegExp])[] = [
    ['in it', form({ type: 'whole' }), 'matches', /^The reply matches the form\.$/],
    ['left', form({ type: 'left', place }), 'violated at 2:5', /violates the form at line 2, column 5\.$/],
    ['unfinished', form({ type: 'unfinished', place }), 'the reply ends too early', /but ends too early\.$/],
    [
      'not followed',
      form({ type: 'stopped', at: 1_000 }),
      'not checked to the end',
      /^The first 1,000 characters/,
    ],
    ['native', { type: 'none', why: 'native' }, 'none', /calls are sent through the API\.$/],
    ['no tools', { type: 'none', why: 'no-tools' }, 'none', /Select tools above\.$/],
  ];
  for (const [name, said, detail, sentence] of rows) {
    it(`is one sentence: ${name}`, () => {
      assert.equal(formDetail(said), detail);
      assert.match(formSentence(said), sentence);
    });
  }
});

describe('what may come next', () => {
  englishPage();

  it('is shown as in the reply, on one line, or in words', () => {
    const texts = [
      { written: '"r', rest: 'ead_file"' },
      { written: '', rest: '\n{"name":' },
      { written: '', rest: ' ' },
    ];
    assert.deepEqual(allowedTexts({ texts, more: 3, mayEnd: true }), [
      { written: '"r', rest: 'ead_file"' },
      { written: '', rest: '↵{"name":' },
      ...[{ name: '(space)' }, { name: 'and 3 more' }, { name: 'the end of the reply' }],
    ]);
  });

  const sets: readonly (readonly [boolean, readonly (readonly [string, string])[], string])[] = [
    [
      false,
      [
        ['0', '9'],
        ['-', '-'],
      ],
      'one of these characters: 0–9 -',
    ],
    [
      true,
      [
        ['\0', '\x1f'],
        ['"', '"'],
        ['\n', '\n'],
      ],
      'any character except (control character) " (line break)',
    ],
    [true, [], 'any character'],
  ];
  for (const [isNegated, ranges, name] of sets) {
    it(`names characters: ${name}`, () => {
      const chars = { isNegated, ranges };
      assert.deepEqual(allowedTexts({ texts: [], more: 0, chars, mayEnd: false }), [{ name }]);
    });
  }
});
