import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { pathLinks, pathTarget, resultLinks } from '../../../src/base/path-links';

describe('path-links', () => {
  const rows: readonly [text: string, links: readonly string[]][] = [
    ['See src/a.ts.', ['src/a.ts → src/a.ts']],
    ['See src/a.ts:12, please', ['src/a.ts:12 → src/a.ts 12']],
    ['at run (src/a.ts:12:5)', ['src/a.ts:12:5 → src/a.ts 12 5']],
    ['src/a.ts(12,5): error TS2322', ['src/a.ts(12,5) → src/a.ts 12 5']],
    ['  File "app/main.py", line 7, in f', ['app/main.py", line 7 → app/main.py 7']],
    ['lib/b.rb:3:in `go`', ['lib/b.rb:3 → lib/b.rb 3']],
    [' --> src/main.rs:4:9', ['src/main.rs:4:9 → src/main.rs 4 9']],
    ['C:\\work\\a.cs:3 and ..\\b.cs', ['C:\\work\\a.cs:3 → C:\\work\\a.cs 3', '..\\b.cs → ..\\b.cs']],
    [
      'test at file:///home/u/a%20b.test.js:5:1',
      ['file:///home/u/a%20b.test.js:5:1 → /home/u/a b.test.js 5 1'],
    ],
    ['parser.ts and README.md', ['parser.ts → parser.ts', 'README.md → README.md']],
    ['see docs/guide.md#L10-L20', ['docs/guide.md#L10-L20 → docs/guide.md 10']],
    ['größe/übung.ts:2', ['größe/übung.ts:2 → größe/übung.ts 2']],
    ['Node.js 22.1 and/or input/output, e.g. https://a.org/b.ts', []],
    ['github.com/a/b.git, a.length, me@host.com, 12:30, 1/2', []],
    ['', []],
  ];
  for (const [text, links] of rows)
    it(`reads ${JSON.stringify(text)}`, () => {
      deepEqual(
        pathLinks(text).map(
          ({ start, end, path, line, column }) =>
            `${text.slice(start, end)} → ${[path, line, column].filter((each) => each !== undefined).join(' ')}`,
        ),
        links,
      );
    });

  it('takes a folder for a path only where it is the whole text', () => {
    deepEqual(pathTarget('src/host'), { path: 'src/host' });
    deepEqual(pathLinks('src/host'), []);
    for (const text of ['a.length', 'https://a.org/b', 'x / y', '', '..', '/', 'npm'])
      equal(pathTarget(text), undefined, text);
  });

  it('knows to which file the lines of a search belong', () => {
    const links = resultLinks(['2 lines match in 1 file.', 'src/a.ts', '  2: const x = 1;', '  3- more']);
    deepEqual(
      links.map((line) => line.map(({ path, line: number }) => `${path}:${number ?? ''}`)),
      [[], ['src/a.ts:'], ['src/a.ts:2'], ['src/a.ts:3']],
    );
  });

  it('finds links in order that do not overlap, in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom('src/', 'a.ts', ':3', ' ', '(4,5)', '"', ', line 7', '\\'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end, path } of pathLinks(text)) {
          ok(start >= last && end > start && end <= text.length && path !== '');
          last = start;
        }
      }),
    );
  });
});
