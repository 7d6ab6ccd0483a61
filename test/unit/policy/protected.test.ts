import assert from 'node:assert/strict';
import { isProtected, leadsToProtected, protectedPaths } from '../../../src/policy/protected';

const split = (path: string) => path.split('/');

describe('protected paths', () => {
  for (const path of protectedPaths) {
    const example = path.replace('*', 'x');
    it(`G8.protected holds ${path} at any depth, with all below it`, () => {
      for (const place of [example, `a/b/${example}`, `${example}/deeper/file`]) {
        assert.ok(isProtected(split(place), 'posix'), place);
      }
    });
    it(`G8.protected knows ${path} under other spellings`, () => {
      const spellings = [
        example.toUpperCase(),
        example.replace(/[a-z]/u, (letter) => `\u200b${letter}`),
        example.replace(/[a-z]/gu, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
      ];
      for (const place of spellings) assert.ok(isProtected(split(place), 'posix'), JSON.stringify(place));
      for (const place of [`${example}.`, `${example} .`, `${example}::$DATA`]) {
        assert.ok(isProtected(split(place), 'win32'), place);
      }
    });
  }

  const ordinary = [
    'src/a.ts',
    'package.json',
    'Makefile',
    '.github/dependabot.yml',
    'github/workflows/x.yml',
    '.gitignore',
    'git/config',
    'docs/agents.txt',
    'my.git/x',
    'bin/run',
    'scripts/python_lint.py',
    'src/*',
    '.env',
  ];
  for (const path of ordinary) {
    it(`takes ${path} for ordinary`, () => {
      assert.equal(isProtected(split(path), 'posix'), false);
    });
  }

  it('G8.move knows folders in which protected ones lie', () => {
    assert.ok(leadsToProtected(['a', '.GitHub'], 'posix'));
    assert.equal(leadsToProtected(['bin'], 'posix'), false);
    assert.equal(leadsToProtected(['.github', 'x'], 'posix'), false);
  });
});
