import { equal } from 'node:assert/strict';
import { promptTreeText } from '../../../../../src/host/services/tools/prompt-tree-text';

const text = (said: string, lineBreakBefore?: boolean): object => ({ type: 2, text: said, lineBreakBefore });
const piece = (...children: readonly unknown[]): object => ({ type: 1, ctor: 2, children });

describe('promptText', () => {
  const cases: readonly [string, unknown, string][] = [
    ['one text', { node: text('a') }, 'a'],
    [
      'texts in order',
      { node: piece(text('a'), piece(text('b', true), text('c')), text('d', true)) },
      'a\nbc\nd',
    ],
    ['nothing', { node: piece() }, ''],
    ['nodes of a later version', { node: piece({ type: 9, more: true }, null, text('a'), 7) }, 'a'],
    ['a text without text', { node: piece({ type: 2 }, text('a')) }, 'a'],
    ['text that is not a tree', { shown: true }, '{"shown":true}'],
    ['a text for a tree', 'plain', '"plain"'],
    ['nothing at all', undefined, ''],
  ];
  for (const [name, value, shown] of cases) it(`reads ${name}`, () => equal(promptTreeText(value), shown));

  it('reads a tree of any depth', () => {
    let node = text('deep');
    for (let depth = 0; depth < 100_000; depth++) node = piece(node);
    equal(promptTreeText({ node }), 'deep');
  });
});
