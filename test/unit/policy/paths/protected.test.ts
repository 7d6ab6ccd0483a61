import assert from 'node:assert/strict';
import { isProtected, leadsToProtected, protectedPaths } from '../../../../src/policy/paths/protected';

const split = (path: string) => path.split('/');

/** As the threat model lists them, whatever the table of the code holds. */
const promised: readonly string[] = `
  .git .hg .svn .gitmodules .gitattributes .gitconfig .vscode a.code-workspace .idea .vs .devcontainer .github/workflows
  .github/actions .gitlab-ci.yml .circleci .husky .pre-commit-config.yaml lefthook.yml .envrc .mcp.json .cursor .claude
  .codex .gemini .roo .cline .clinerules .windsurf .kilocode .continue .opencode .amazonq .kiro .agents .cursorrules
  AGENTS.md CLAUDE.md GEMINI.md SKILL.md copilot-instructions.md .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc
  .ripgreprc .bashrc .bash_profile .profile .zshrc .zshenv .zprofile .zlogin .ssh .venv/bin/python .venv/bin/python3
  .venv/bin/python3.12 venv/bin/activate venv/bin/activate.fish venv/Scripts/activate.bat venv/Scripts/Activate.ps1
  venv/Scripts/python.exe`
  .split(/\s+/u)
  .filter((path) => path !== '');

describe('protected paths', () => {
  for (const path of promised) {
    it(`G8.promised ${path}`, () => {
      for (const place of [path, `a/b/${path}`, `${path}/c`, path.toUpperCase(), path.toLowerCase()]) {
        for (const platform of ['posix', 'win32'] as const)
          assert.ok(isProtected(split(place), platform), place);
      }
    });
  }

  const spellings: readonly { readonly name: string; readonly path: string; readonly only?: 'win32' }[] = [
    { name: 'case', path: '.GiT' },
    { name: 'long s', path: '.\u017f\u017fh' },
    { name: 'Kelvin sign', path: '.\u212airo' },
    { name: 'full width', path: '\uff0e\uff47\uff49\uff54' },
    { name: 'zero width', path: '.g\u200bit' },
    { name: 'soft hyphen', path: '.gi\u00adt' },
    { name: 'joiner', path: '.git\u2060' },
    { name: 'variation selector', path: '.git\ufe0f' },
    { name: 'tag', path: '.git\u{e0020}' },
    { name: 'byte order mark', path: '\ufeff.git' },
    { name: 'trailing dot', path: '.git.', only: 'win32' },
    { name: 'trailing dots and blanks', path: '.git. . ', only: 'win32' },
    { name: 'stream', path: '.git::$INDEX_ALLOCATION', only: 'win32' },
    { name: 'named stream', path: '.git:x', only: 'win32' },
  ];
  for (const { name, path, only } of spellings) {
    it(`G8.spelling ${name}`, () => {
      assert.ok(isProtected([path], 'win32'));
      assert.equal(isProtected([path], 'posix'), only === undefined);
    });
  }

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
