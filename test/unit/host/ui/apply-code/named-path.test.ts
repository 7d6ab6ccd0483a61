import assert from 'node:assert/strict';
import { namedPaths } from '../../../../../src/host/ui/apply-code/named-path';

describe('the file that a block of code is for', () => {
  const cases: readonly {
    readonly name: string;
    readonly info?: string;
    readonly before?: string;
    readonly code?: string;
    /** `?` after uncertain ones. */
    readonly expect: readonly string[];
  }[] = [
    { name: 'behind the language', info: 'ts src/a.ts', expect: ['src/a.ts'] },
    { name: 'in the place of the language', info: 'src/a.ts', expect: ['src/a.ts'] },
    { name: 'behind a colon', info: 'ts:src/a.ts', expect: ['src/a.ts'] },
    { name: 'as a title with a blank in it', info: 'ts title="src/my file.ts"', expect: ['src/my file.ts'] },
    { name: 'with its lines', info: 'ts src/a.ts:3:10', expect: ['src/a.ts'] },
    { name: 'as a Windows path', info: 'C:\\w\\a.ts', expect: ['C:\\w\\a.ts'] },
    { name: 'marked as code in the line before', before: 'Change `a.ts` like this:', expect: ['a.ts'] },
    { name: 'as a path in the line before', before: 'In src/a.ts:', expect: ['src/a.ts'] },
    { name: 'as a bare word', before: 'In a.ts, write', expect: ['a.ts?'] },
    { name: 'in a comment of its first line', code: '# scripts/run.sh\nls', expect: ['scripts/run.sh'] },
    { name: 'in the comment of HTML', code: '<!-- index.html -->\n<p>', expect: ['index.html?'] },
    { name: 'by a name without an ending', before: '`Makefile`', expect: ['Makefile'] },
    { name: 'by a name that is hidden', before: 'Write `.gitignore`', expect: ['.gitignore'] },
    {
      name: 'several times, the most certain first',
      info: 'ts src/a.ts',
      before: 'As `src/b.ts` does, in src/a.ts:',
      expect: ['src/a.ts', 'src/b.ts'],
    },
    { name: 'nowhere', info: 'ts', before: 'See https://example.com/a.ts, version 1.2.', expect: [] },
    { name: 'G35: not in a line that no file has', code: `// ${'.'.repeat(200_000)}x`, expect: [] },
    { name: 'not in code that is not a comment', code: 'import "./a.ts";', expect: [] },
  ];
  for (const { name, info = '', before = '', code = 'x', expect } of cases) {
    it(`is named ${name}`, () => {
      const found = namedPaths({ info, before, code });
      assert.deepEqual(
        found.map(({ path, isSure }) => (isSure ? path : `${path}?`)),
        expect,
      );
    });
  }
});
