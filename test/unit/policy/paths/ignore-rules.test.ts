import { equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { limits } from '../../../../src/base/limits';
import { ignoreFilter } from '../../../../src/policy/paths/ignore-rules';

const filterOf = (...texts: readonly string[]) => ignoreFilter([{ folders: ['/ws'], texts }], 'posix');

describe('an ignore file for agents', () => {
  const cases: readonly [rules: string, path: string, isIgnored: boolean][] = [
    ['private/', '/ws/private/a.txt', true],
    ['private/', '/ws/src/private/deep/a.txt', true],
    ['private/', '/ws/private/', true],
    ['private/', '/ws/private', false],
    ['private/', '/ws/private.txt', false],
    ['/private', '/ws/private/a', true],
    ['/private', '/ws/src/private', false],
    ['src/*.ts', '/ws/src/a.ts', true],
    ['src/*.ts', '/ws/src/b/a.ts', false],
    ['src/*.ts', '/ws/c/src/a.ts', false],
    ['src/**/a.ts', '/ws/src/a.ts', true],
    ['src/**/a.ts', '/ws/src/b/c/a.ts', true],
    ['src/**', '/ws/src/a', true],
    ['src/**', '/ws/src/', false],
    ['**/logs/*.txt', '/ws/a/logs/b.txt', true],
    ['*.pem.txt', '/ws/key.pem.txt', true],
    ['*.pem.txt', '/ws/key.pem.TXT', true],
    ['*.pem.txt', '/ws/key\u200b.pem.txt', true],
    ['*.pem.txt', '/elsewhere/key.pem.txt', false],
    ['a[0-9].txt', '/ws/a5.txt', true],
    ['# private', '/ws/# private', false],
    ['\\#private', '/ws/#private', true],
    ['a b  ', '/ws/a b', true],
    ['\uFEFFprivate\r\nother\r\n', '/ws/private', true],
    ['*.txt\n!keep.txt', '/ws/keep.txt', false],
    ['*.txt\n!keep.txt', '/ws/other.txt', true],
    ['private/\n!private/keep.txt', '/ws/private/keep.txt', true],
    ['*.txt\n![k]eep.txt', '/ws/keep.txt', true],
    ['', '/ws/a', false],
    ['/', '/ws/a', false],
  ];
  for (const [rules, place, isIgnored] of cases) {
    it(`${JSON.stringify(rules)} ${isIgnored ? 'names' : 'does not name'} ${JSON.stringify(place)}`, () => {
      equal(filterOf(rules)(place), isIgnored);
    });
  }

  it('gives back nothing of what another one names', () => {
    equal(filterOf('*.txt', '!keep.txt')('/ws/keep.txt'), true);
  });

  it('names everything if it has more rules than are checked', () => {
    equal(filterOf('x\n'.repeat(limits.agentIgnoreRules + 1))('/ws/a'), true);
  });

  it('names at least what git names', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-ignore-'));
    try {
      execFileSync('git', ['init', '-q', folder]);
      const name = fc.constantFrom('a', 'b', 'ab', 'a.txt', '.c');
      const part = fc.oneof(name, fc.constantFrom('*', '**', 'a*', '*.txt', '?', '[ab]'));
      const rule = fc
        .tuple(
          fc.constantFrom('', '!'),
          fc.constantFrom('', '/'),
          fc.array(part, { minLength: 1, maxLength: 3 }),
          fc.constantFrom('', '/'),
        )
        .map(([not, start, parts, end]) => `${not}${start}${parts.join('/')}${end}`);
      fc.assert(
        fc.property(
          fc.array(rule, { maxLength: 4 }),
          fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
          (rules, paths) => {
            writeFileSync(path.join(folder, '.gitignore'), rules.join('\n'));
            const files = paths.map((names) => names.join('/'));
            const named = new Set(gitIgnored(folder, files));
            const isIgnored = ignoreFilter([{ folders: [folder], texts: [rules.join('\n')] }], 'posix');
            const isExact = rules.every((each) => !each.includes('['));
            for (const file of files) {
              const found = isIgnored(`${folder}/${file}`);
              if (isExact) equal(found, named.has(file), `${rules.join(' ')} and ${file}`);
              else equal(found || !named.has(file), true, `${rules.join(' ')} and ${file}`);
            }
          },
        ),
        { numRuns: 60 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function gitIgnored(folder: string, files: readonly string[]): readonly string[] {
  try {
    const input = files.join('\0');
    const options = { cwd: folder, input, encoding: 'utf8' } as const;
    return execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], options).split('\0');
  } catch (error) {
    // Git says with 1 that it ignores none of them.
    if (error instanceof Error && 'status' in error && error.status === 1) return [];
    throw error;
  }
}
