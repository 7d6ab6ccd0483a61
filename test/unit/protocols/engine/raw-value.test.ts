import assert from 'node:assert/strict';
import { guarded, padded, unwrapped } from '../../../../src/protocols/engine/raw-value';

describe('raw values as they are written', () => {
  it('are put in a section if they hold tags of the call, or the beginning of a section', () => {
    for (const [text, expect] of [
      ['a < b', 'a < b'],
      ['a ]]> b', 'a ]]> b'],
      ['</call>', '<![CDATA[</call>]]>'],
      ['x <![CDATA[ y', 'x <![CDATA[ y'],
      [' <![CDATA[ y', '<![CDATA[ <!]]><![CDATA[[CDATA[ y]]>'],
      ['</call> ]]> <![CDATA[', '<![CDATA[</call> ]]]]><![CDATA[> <!]]><![CDATA[[CDATA[]]>'],
    ])
      assert.equal(guarded(text ?? '', ['<call>', '</call>']), expect);
  });

  it('have two more line breaks if they have one at each end', () => {
    for (const text of ['a', '\na', 'a\n', '\n', '', ' a ']) assert.equal(padded(text), text);
    assert.equal(padded('\na\n'), '\n\na\n\n');
    assert.equal(padded('\r\na\n'), '\n\r\na\n\n');
    assert.equal(padded('\n\n'), '\n\n\n\n');
  });

  it('are read without a line break at either end and without the section around all of it', () => {
    for (const [raw, text, wasWrapped = false] of [
      ['a', 'a'],
      ['\na', 'a'],
      ['a\r\n', 'a'],
      ['\n\na\n\n', '\na\n'],
      ['<![CDATA[a]]>', 'a', true],
      [' \n <![CDATA[ a ]]>\n ', ' a ', true],
      ['<![CDATA[]]>', '', true],
      ['<![CDATA[a]]> b', '<![CDATA[a]]> b'],
      ['<![CDATA[a]]>b]]>', '<![CDATA[a]]>b]]>'],
      ['a]]>', 'a]]>'],
      ['<![CDATA[a', '<![CDATA[a'],
    ] as const)
      assert.deepEqual(unwrapped(raw), { text, wasWrapped }, raw);
  });
});
