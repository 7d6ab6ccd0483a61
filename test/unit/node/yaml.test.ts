import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readYaml, writeYaml } from '../../../src/node/yaml';

describe('YAML', () => {
  it('brings back every text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('a\n b\n\n', '- x', '「始」', '\r\n'),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ reply: text, expect: text }, { noNullPrototype: true })), (value) => {
        assert.deepEqual(readYaml(writeYaml(value)), { value });
      }),
    );
  });

  it('says what is wrong and where', () => {
    const read = readYaml('a: 1\nb: [');
    assert.match('problem' in read ? read.problem : '', / in line \d/);
  });
});
