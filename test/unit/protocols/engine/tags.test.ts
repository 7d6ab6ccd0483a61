import assert from 'node:assert/strict';
import { decodeEntities, encodeEntities } from '../../../../src/protocols/engine/tags';

describe('entities', () => {
  it('replace what would end an attribute or begin a tag', () => {
    assert.equal(encodeEntities('a < b & "c" > \'d\''), "a &lt; b &amp; &quot;c&quot; &gt; 'd'");
    assert.equal(decodeEntities(encodeEntities('<a b="c & d"/>')), '<a b="c & d"/>');
  });

  it('are read by name and by number, as far as there are characters', () => {
    for (const [text, expect] of [
      ['&lt;&gt;&amp;&quot;&apos;', '<>&"\''],
      ['&amp;lt;', '&lt;'],
      ['&#65;&#x42;', 'AB'],
      ['&#x10FFFF;', '\u{10ffff}'],
      ['&#x110000;', '&#x110000;'],
      ['&#0;', '&#0;'],
      ['&nbsp; &lt', '&nbsp; &lt'],
    ])
      assert.equal(decodeEntities(text ?? ''), expect);
  });
});
