import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSkillFile } from '../../../../src/node/files/skills';

function problem(text: string): string {
  const read = readSkillFile(text);
  assert.ok('problem' in read, JSON.stringify(read));
  return read.problem;
}

describe('SKILL.md', () => {
  for (const { name, text, expect } of [
    {
      name: 'has a name, a description and instructions',
      text: '---\nname: pdf-forms\ndescription: Fills in PDF forms.\n---\n\n# Forms\nDo it.\n',
      expect: { name: 'pdf-forms', description: 'Fills in PDF forms.', instructions: '# Forms\nDo it.' },
    },
    {
      name: 'may have further fields, Windows line ends and no instructions',
      text: '---\r\nname: a\r\nlicense: MIT\r\nmetadata:\r\n  version: "1"\r\ndescription: b\r\n---',
      expect: { name: 'a', description: 'b', instructions: '' },
    },
    {
      name: 'has a description on one line in any notation',
      text: '---\nname: a\ndescription: >\n  Reads\n  forms,\n\n  all of them.\n---\nx',
      expect: { name: 'a', description: 'Reads forms, all of them.', instructions: 'x' },
    },
    ...[
      ['has a colon in its description', 'name: a\ndescription: Use when: asked', 'Use when: asked'],
      ['has a field that is not YAML', 'name: a\ndescription: b\nargument-hint: [x] - e.g. "y"', 'b'],
      ['has brackets as its description', 'name: a\ndescription: [draft] b', '[draft] b'],
      ['has a list as its description', 'name: a\ndescription: [b]', '[b]'],
      ['has tabs', 'name:\ta\ndescription:\tb\n\tand: c', 'b and: c'],
      ['has other letters in its fields', 'Name: a\nDescription: b', 'b'],
      ['has quotes', 'name: "a"\ndescription: "b: c"\nx: [', 'b: c'],
    ].map(([name = '', front = '', description = '']) => ({
      name,
      text: `---\n${front}\n---\nx`,
      expect: { name: 'a', description, instructions: 'x' },
    })),
    {
      name: 'begins with a blank line',
      text: '\n \r\n---\nname: a\ndescription: b\n---\nx',
      expect: { name: 'a', description: 'b', instructions: 'x' },
    },
    {
      name: 'keeps lines of dashes in its instructions',
      text: '---\nname: a\ndescription: b\n---\nx\n---\ny',
      expect: { name: 'a', description: 'b', instructions: 'x\n---\ny' },
    },
    {
      name: 'shows what its description hides',
      text: '---\nname: a\ndescription: "b\\u202Ec\\U000E0041\\x1b[2J"\n---\n',
      expect: { name: 'a', description: 'b⟨U+202E⟩c⟨U+E0041⟩⟨U+001B⟩[2J', instructions: '' },
    },
    {
      name: 'has a description of so many characters',
      text: `---\nname: a\ndescription: ${'😀'.repeat(1_024)}\n---\n`,
      expect: { name: 'a', description: '😀'.repeat(1_024), instructions: '' },
    },
    {
      name: 'has a description that is cut if it is too long',
      text: `---\nname: a\ndescription: ${'😀'.repeat(1_025)}\n---\n`,
      expect: { name: 'a', description: `${'😀'.repeat(1_024)}…`, instructions: '' },
    },
  ]) {
    it(name, () => assert.deepEqual(readSkillFile(text), expect));
  }

  const named = (name: string): string => `---\nname: ${name}\ndescription: b\n---\n`;

  for (const { name, text, expect } of [
    { name: 'no front matter', text: '# Forms', expect: /does not begin with front matter/ },
    {
      name: 'front matter without an end',
      text: '---\nname: a\n',
      expect: /does not begin with front matter/,
    },
    { name: 'empty front matter', text: '---\n---\nx', expect: /"name" is not/ },
    { name: 'front matter that is a list', text: '---\n- name: a\n---\n', expect: /"name" is not/ },
    { name: 'front matter that is a word', text: '---\nname\n---\n', expect: /"name" is not/ },
    { name: 'a tag that makes things', text: '---\nname: !!js/function x\n---\n', expect: /"name" is not/ },
    { name: 'no name', text: '---\ndescription: b\n---\n', expect: /"name" is not/ },
    { name: 'a name that is a number', text: named('7'), expect: /"name" is not/ },
    { name: 'a name in capitals', text: named('Forms'), expect: /"name" is not/ },
    { name: 'a name with a path', text: named('../forms'), expect: /"name" is not/ },
    { name: 'a name with a line break', text: named('"a\\n"'), expect: /"name" is not/ },
    { name: 'a name with two hyphens', text: named('a--b'), expect: /"name" is not/ },
    { name: 'a name too long', text: named('a'.repeat(65)), expect: /"name" is not/ },
    {
      name: 'an inherited name',
      text: '---\n__proto__: {name: a}\ndescription: b\n---\n',
      expect: /"name" is not/,
    },
    { name: 'no description', text: '---\nname: a\n---\n', expect: /"description" is missing/ },
    {
      name: 'a blank description',
      text: '---\nname: a\ndescription: " "\n---\n',
      expect: /"description" is missing/,
    },
    { name: 'nesting without an end', text: `---\na: ${'['.repeat(30_000)}\n---\n`, expect: /"name" is not/ },
  ]) {
    it(`is not used with ${name}`, () => assert.match(problem(text), expect));
  }

  it('is read or refused in one sentence, with any content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (front, rest) => {
        const read = readSkillFile(`---\n${front}\n---\n${rest}`);
        if ('problem' in read) assert.doesNotMatch(read.problem, /\n/);
      }),
    );
  });
});
