import assert from 'node:assert/strict';
import { builtInSpecs } from '../../../../src/cli/built-in';
import { protocols } from '../../../../src/protocols';
import { matchGrammar } from '../../../../src/protocols/grammar/match';

const PROSE = [
  ...['<input>', 'a <param and', 'the <tool_call and', '<thead>', '<think about', '</tool_call', '<toolbar>'],
  ...[
    '/// <param name="x">y</param>',
    '<section>',
    '<select>',
    '<T>',
    'List<int> a < b',
    '<|im_end',
    '<tools',
  ],
  ...[
    '<<<<<<< HEAD',
    'a [TODO] x',
    '<your_file>',
    '<invoice>',
    '<tool_response',
    'x <| f',
    '<a href="x">',
    '<|',
  ],
];

const others = protocols.filter((each) => each.grammar && !['plain', 'envelope'].includes(each.id));
for (const protocol of others) {
  describe(`prose before a call of ${protocol.id}`, () => {
    const grammar = protocol.grammar!(builtInSpecs());
    const isAllowed = (text: string): boolean => matchGrammar(grammar, text).isWhole;

    it('may hold tags, and beginnings of marks', () => {
      assert.deepEqual(
        PROSE.filter((text) => !isAllowed(text)),
        [],
      );
    });

    it('holds no whole mark of a call', () => {
      const marks = protocols
        .flatMap(({ markers = [] }) => markers)
        .filter((mark) => /^<[^/]*call/.test(mark) || protocol.markers?.includes(mark))
        .filter((mark) => /^<(?!\/|result|escape|end_|[|])/.test(mark));
      assert.ok(marks.length > 20);
      const around = (mark: string): string[] => [
        `x ${mark}`,
        `x <${mark} y`,
        `<thi${mark} z`,
        `<tool_call ${mark} z`,
      ];
      assert.deepEqual(marks.flatMap(around).filter(isAllowed), []);
    });
  });
}
