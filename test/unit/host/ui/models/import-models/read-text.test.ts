import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readText } from '../../../../../../src/host/ui/models/import-models/read-text';

describe('the text of a file of another program', () => {
  const rows = [
    { name: 'JSON', file: 'a.json', text: '{"a":1}', read: { value: { a: 1 } } },
    { name: 'JSON with comments', file: 'a.json', text: '\ufeff{// x\n"a":1,}', read: { value: { a: 1 } } },
    { name: 'YAML', file: 'a.yaml', text: 'a: 1\nb: [x]\n', read: { value: { a: 1, b: ['x'] } } },
    { name: 'nothing', file: 'a.yml', text: ' \n', read: { problem: { why: 'empty' } } },
    {
      name: 'broken JSON',
      file: 'a.json',
      text: '{"a":\n,}',
      read: { problem: { why: 'malformed', said: 'ValueExpected in line 2' } },
    },
    {
      name: 'deep JSON',
      file: 'a.json',
      text: '['.repeat(100_000),
      read: { problem: { why: 'deep' } },
    },
    {
      name: 'deep YAML',
      file: 'a.yaml',
      text: '{a: '.repeat(9_000),
      read: { problem: { why: 'deep' } },
    },
  ];
  for (const { name, file, text, read } of rows) {
    it(`reads ${name}`, () => assert.deepEqual(readText(file, text), read));
  }

  it('says in which line YAML is broken', () => {
    const read = readText('config.yaml', 'models:\n  - name: "x\n');
    assert.ok('problem' in read && / in line \d/.test(JSON.stringify(read.problem)), JSON.stringify(read));
  });

  it('reads lists in lists in lists of YAML without running out of stack', () => {
    const read = readText('config.yaml', `${'- '.repeat(50_000)}x`);
    assert.ok('problem' in read, 'it was read');
  });

  it('never throws', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            '{',
            '}',
            '[',
            ']',
            '- ',
            'a: ',
            '&a ',
            '*a ',
            '\n',
            '  ',
            '"',
            "'",
            '|',
            '!!js ',
            ',',
          ),
        )
        .map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('a.json', 'a.yaml'), (content, name) => {
        const read = readText(name, content);
        assert.ok('value' in read || read.problem.why !== 'large');
      }),
      { numRuns: 2_000 },
    );
  });
});
