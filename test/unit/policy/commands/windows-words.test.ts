import assert from 'node:assert/strict';
import type { Shell } from '../../../../src/policy/commands/command-text';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import type { Verdict } from '../../../../src/core/words/verdict';
import type { FileKind } from '../../../../src/policy/paths/path-file-system';
import { commandPorts } from '../../../support/workspace/command-ports';
import { memoryPathFiles } from '../../../support/workspace/memory-path-files';

const FILES: Readonly<Record<string, FileKind>> = {
  'src/a.ts': 'file',
  'tests/a.py': 'file',
  'notes.txt': 'file',
  '.env': 'file',
  'gradlew.bat': 'file',
  'LONGNA~1': 'file',
};

/** The same workspace on Windows and elsewhere; the rule is the command itself, if not given. */
async function judged(
  command: string,
  shell: Shell,
  platform: 'win32' | 'posix',
  rule = command,
): Promise<Verdict> {
  const root = platform === 'win32' ? 'C:\\ws' : '/ws';
  const separator = platform === 'win32' ? '\\' : '/';
  const files = memoryPathFiles({
    platform,
    caseSensitive: platform === 'posix',
    files: Object.fromEntries(
      Object.entries(FILES).map(([path, kind]) => [[root, ...path.split('/')].join(separator), kind]),
    ),
  });
  const request = { command, shell, allow: [rule], deny: [], roots: [root], cwd: root };
  return judgeCommand(request, { ...commandPorts(), files });
}

describe('a word with a colon or a tilde on Windows', () => {
  const words: readonly string[] = [
    ...[
      'npm run test:unit',
      'npm run build:prod:min',
      'docker run nginx:latest',
      'docker pull ghcr.io/a/b:1.2',
    ],
    ...['cargo test mod::name', 'cargo test outer::inner::name', 'python -m pytest tests/a.py::b'],
    ...['python -m pytest tests/a.py::Class::b', 'git show HEAD:a.ts', 'git show HEAD:src/a.ts'],
    ...['git clone git@host:a/b.git', 'echo 12:30', 'git log --since=12:30', 'echo key:value'],
    ...['gradle :app:test', 'bazel test //a:b', 'npx nx run web:build'],
  ];
  const posixWords = [
    'git diff HEAD~1',
    'git log main~2..HEAD',
    'git show HEAD~1:src/a.ts',
    'git reset HEAD~10',
  ];
  for (const [shell, commands] of [
    ['powershell', words],
    ['posix', [...words, ...posixWords]],
  ] as const) {
    for (const command of commands) {
      it(`W1: is judged as on Linux: ${command} (${shell})`, async () => {
        const expected = await judged(command, 'posix', 'posix');
        const verdict = await judged(command, shell, 'win32');
        assert.equal(verdict.decision, expected.decision, verdict.reason);
        assert.doesNotMatch(verdict.reason, /stream|short file name/);
      });
    }
  }

  const asks: readonly (readonly [command: string, reason: RegExp])[] = [
    ['cat notes.txt:hidden', /stream/],
    ['cat .env::$DATA', /secret|plain words/],
    ["cat '.env::$DATA'", /secret|plain words/],
    ['tool .env:x', /secret/],
    ['tee new.txt:hidden', /stream/],
    ['cat LONGNA~1', /short file name/],
    ['cat C:notes.txt', /drive/],
  ];
  for (const [command, reason] of asks) {
    it(`W1: still asks: ${command}`, async () => {
      const verdict = await judged(command, 'posix', 'win32');
      assert.equal(verdict.decision, 'ask');
      assert.match(verdict.reason, reason);
    });
  }

  for (const path of [
    'env:API_KEY',
    'Env:x',
    'HKLM:/x',
    'cert:/x',
    'FileSystem::C:/x',
    'Core/FileSystem::x',
  ]) {
    it(`W1: asks for a drive of PowerShell: ${path}`, async () => {
      const verdict = await judged(`get-content ${path}`, 'powershell', 'win32');
      assert.equal(verdict.decision, 'ask', verdict.reason);
    });
  }
});

describe('a back slash on Windows', () => {
  for (const shell of ['powershell', 'cmd'] as const) {
    for (const command of [
      'tsc src\\a.ts',
      '.\\gradlew.bat test',
      'tsc C:\\ws\\src\\a.ts',
      'node src\\a.ts',
    ]) {
      it(`W8: does not ask by itself: ${command} (${shell})`, async () => {
        const verdict = await judged(command, shell, 'win32');
        assert.equal(verdict.decision, 'auto', verdict.reason);
      });
    }
    for (const command of [
      ...[
        'tsc ..\\other\\a.ts',
        'tsc \\\\host\\share\\a.ts',
        'tsc C:\\Windows\\x',
        'tsc \\Windows\\x',
        'tsc .\\.env',
      ],
      ...['tsc --out=..\\..\\x', 'del .git\\config', 'copy src\\a.ts .vscode\\a.ts', 'tsc \\\\.\\C:\\x'],
      ...['tsc \\??\\C:\\x', 'tsc src\\..\\..\\x', 'echo a\\b & del x', 'tsc --project=D:\\x'],
    ]) {
      it(`W8: hides nothing: ${command} (${shell})`, async () => {
        const verdict = await judged(command, shell, 'win32');
        assert.notEqual(verdict.decision, 'auto', verdict.reason);
      });
    }
  }
});
