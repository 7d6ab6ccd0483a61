import fc from 'fast-check';
import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { ToolError } from '../../../../src/core/words/tool';
import { literalGlob, parseGlob } from '../../../../src/tools/files/glob';

const rows: { glob: string; yes: string[]; no: string[] }[] = [
  { glob: '*.ts', yes: ['a.ts', 'src/deep/b.ts', '.hidden.ts'], no: ['a.tsx', 'a.ts/b'] },
  { glob: '**/*.ts', yes: ['a.ts', 'src/b.ts'], no: ['a.js'] },
  { glob: 'src/*.ts', yes: ['src/a.ts'], no: ['a.ts', 'src/deep/a.ts', 'x/src/a.ts'] },
  { glob: 'src/**', yes: ['src/a', 'src/b/c'], no: ['a', 'xsrc/a'] },
  { glob: 'src/', yes: ['src/a', 'src/b/c'], no: ['a'] },
  { glob: './src/**/test/*.{ts,tsx}', yes: ['src/test/a.ts', 'src/x/y/test/a.tsx'], no: ['src/test/a.js'] },
  { glob: '{a,b{c,d}}.txt', yes: ['a.txt', 'bc.txt', 'x/bd.txt'], no: ['b.txt', 'c.txt'] },
  { glob: 'file?.[ch]', yes: ['file1.c', 'x/filez.h'], no: ['file.c', 'file12.c', 'file1.d'] },
  { glob: '[!a-c]*', yes: ['d', 'x/dog'], no: ['a', 'x/bus'] },
  { glob: 'a\\*b', yes: ['a*b'], no: ['axb'] },
  { glob: 'src\\deep\\*.ts', yes: ['src/deep/a.ts'], no: ['src/a.ts'] },
  { glob: '[', yes: ['['], no: ['a'] },
  { glob: '{a', yes: ['{a'], no: ['a'] },
];

describe('parseGlob', () => {
  for (const { glob, yes, no } of rows) {
    it(`reads ${glob}`, () => {
      const { matches } = parseGlob(glob);
      assert.deepEqual([...yes, ...no].filter(matches), yes);
    });
  }

  it('agrees with picomatch', () => {
    const component = fc.string({
      unit: fc.constantFrom('a', 'b', '*', '?', '.'),
      minLength: 1,
      maxLength: 4,
    });
    const globs = fc
      .array(fc.oneof(component, fc.constant('**')), { minLength: 2, maxLength: 4 })
      .map((parts) => parts.join('/'))
      // Others disagree about `**` inside a component and about `.` and `..`.
      .filter((glob) => !/[^/]\*\*|\*\*[^/]|(^|\/)\.+(\/|$)/.test(glob) && !glob.endsWith('**'));
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 });
    const paths = fc
      .array(names, { minLength: 1, maxLength: 4 })
      // picomatch alone wants something behind the dot of `*.*`.
      .filter((parts) => !parts.some((part) => part.endsWith('.')))
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        const expected = picomatch(glob, { dot: true, strictSlashes: true })(path);
        assert.equal(parseGlob(glob).matches(path), expected);
      }),
      { numRuns: 500 },
    );
  });

  it('never promises a name that a path does not have', () => {
    for (const { glob, yes } of rows) {
      const { names } = parseGlob(glob);
      if (names.length === 0) continue;
      const byName = names.map((name) => picomatch(name, { dot: true }));
      for (const path of yes)
        assert.ok(
          byName.some((fits) => fits(path.split('/').at(-1) ?? '')),
          `${glob}: ${path}`,
        );
    }
  });

  it('refuses a glob that expands to too many patterns', () => {
    assert.throws(() => parseGlob('{a,b}'.repeat(11)), ToolError);
  });

  it('matches a glob full of asterisks quickly', () => {
    const { matches } = parseGlob('*a'.repeat(100));
    assert.equal(matches(`${'a'.repeat(5000)}b`), false);
  });
});

const literalRows: { glob: string; yes: string[]; no: string[] }[] = [
  { glob: 'app/[locale]/**', yes: ['app/[locale]/(auth)/[id]/p.tsx'], no: ['app/l/p.tsx', 'app/[id]/p.tsx'] },
  { glob: 'app/[[...slug]]/*', yes: ['app/[[...slug]]/p.tsx'], no: ['app/s/p.tsx'] },
  { glob: 'routes/{lang}/*.ts', yes: ['routes/{lang}/p.ts'], no: ['routes/lang/p.ts'] },
  { glob: '[id]/*.{js,ts}', yes: ['[id]/p.js', '[id]/p.ts', '[id]/p.{js,ts}'], no: ['[id]/p.css'] },
  { glob: '[id]/[a-c]*', yes: ['[id]/b', '[id]/[a-c]x', 'd/[a-c]x'], no: ['[id]/d'] },
  { glob: '{{slug}}/*', yes: ['{{slug}}/a', '{slug}/a'], no: ['slug/a'] },
  { glob: 'a{b,c}d', yes: ['a{b,c}d', 'x/a{b,c}d'], no: ['abd'] },
  { glob: 'a, [b]', yes: ['a, [b]'], no: ['a', ' [b]'] },
  { glob: '[a][b][c][d][e]', yes: ['[a][b][c][d][e]'], no: ['abcde', '[a]bcde'] },
];

describe('literalGlob', () => {
  for (const { glob, yes, no } of literalRows) {
    it(`reads ${glob}`, () => {
      const literal = literalGlob(glob);
      assert.deepEqual(
        [...yes, ...no].filter((path) => literal?.matches(path)),
        yes,
      );
    });
  }

  it('is nothing for a glob without brackets and braces', () => {
    for (const glob of ['*.ts', 'src/**', 'a]b', 'a}b', '{a', '['])
      assert.equal(literalGlob(glob), undefined);
  });

  it('matches every path that was given as the glob', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '.', '-', ',', '[', ']', '{', '}'),
      minLength: 1,
      maxLength: 8,
    });
    const paths = fc
      .array(name, { minLength: 1, maxLength: 3 })
      .map((names) => names.join('/'))
      .filter((path) => !/^\.?\//.test(path));
    fc.assert(fc.property(paths, (path) => literalGlob(path)?.matches(path) ?? true));
  });
});
