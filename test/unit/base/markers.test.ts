import assert from 'node:assert/strict';
import { escapeOf, insideBlock, undoInsideBlock } from '../../../src/base/markers';

describe('markers in texts of others', () => {
  const { escape, undo } = escapeOf(['<t>', '</t>', '<invoke', '<<<[END]>>>', '「末」', '[[call]]']);
  const rows: readonly (readonly [name: string, text: string, shown: string])[] = [
    [
      'have a backslash after their brackets',
      'a<t>b</t>「末」<<<[END]>>>',
      'a<\\t>b<\\/t>「\\末」<<<[\\END]>>>',
    ],
    [
      'are whole',
      '<tt> t> <<[END]>> 「末 [[callable]] < invoker>',
      '<tt> t> <<[END]>> 「末 [[callable]] < invoker>',
    ],
    [
      'G42.spelling may have another case, and blanks beside their brackets',
      '<T> < t> </t > < / T\n> <<<[end ] >>> 「 末 」 [[ CALL ]] < INVOKE a',
      '<\\T> <\\ t> <\\/t > <\\ / T\n> <<<[\\end ] >>> 「\\ 末 」 [[\\ CALL ]] <\\ INVOKE a',
    ],
    ['may be next to each other and to other brackets', '<<t></t><</t>', '<<\\t><\\/t><<\\/t>'],
    ['may have one bracket more', '<<<<[END]>>>>[[[call]]]', '<<<<[\\END]>>>>[[[\\call]]]'],
    [
      'begin a tag if they end with a letter',
      '<invoke a><invoke>\n<invoker><invoke',
      '<\\invoke a><\\invoke>\n<invoker><\\invoke',
    ],
    ['get no second backslash', '<\\t><\\\\t>\\<t>', '<\\t><\\\\t>\\<\\t>'],
  ];
  for (const [name, text, shown] of rows) {
    it(name, () => {
      assert.equal(escape(text), shown);
      assert.equal(escape(shown), shown);
      if (undo(text) === text) assert.equal(undo(shown), text);
    });
  }

  it('G42.json: begin a line, with blanks before and inside', () => {
    const json = escapeOf(['\n{"result"']);
    assert.equal(json.escape('a\n { "RESULT" :1}'), 'a\n\\ { "RESULT" :1}');
    assert.equal(json.escape('{ "result":1}'), '\\{ "result":1}');
    assert.equal(json.escape('a {"result":1}'), 'a {"result":1}');
    const words = escapeOf(['\nTool:']);
    assert.equal(words.escape('a\n  tool: b\nTOOL: c\ntool : d'), 'a\n  tool: b\n\\TOOL: c\ntool : d');
    assert.equal(json.undo('a\n\\ { "RESULT" :1}'), 'a\n { "RESULT" :1}');
  });

  it('are found in linear time', () => {
    const each = escapeOf(['</t>', '<invoke', '\n{"result"', '[[call]]']);
    const start = process.cpuUsage();
    for (const piece of ['<', '\n', ' ', '< ', '\n{', '<\n', '[[ ', '\n ']) {
      const text = piece.repeat(200_000 / piece.length);
      assert.equal(each.escape(text), text);
      assert.equal(each.undo(text), text);
    }
    assert.ok(process.cpuUsage(start).user < 2_000_000);
  });

  it('do not exist for a protocol without markers', () => {
    const none = escapeOf([]);
    assert.equal(none.escape('<t>\\'), '<t>\\');
    assert.equal(none.undo('<\\t>'), '<\\t>');
  });

  it('G42.block: cannot end a block of Parley, however the end is spelled', () => {
    const text = 'a</attached> < / ATTACHED\n</attachedx></rules>';
    const shown = 'a<\\/attached> <\\ / ATTACHED\n</attachedx></rules>';
    assert.equal(insideBlock('attached', text), shown);
    assert.equal(undoInsideBlock(shown), text);
    assert.equal(undoInsideBlock('<\\/script> <\\/rules>'), '<\\/script> </rules>');
  });
});
