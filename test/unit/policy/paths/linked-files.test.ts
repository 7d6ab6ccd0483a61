import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '../../../../src/base/limits';
import type { PathUse } from '../../../../src/core/words/verdict';
import { pathFileSystem } from '../../../../src/node/files/path-file-system';
import { createSearch } from '../../../../src/node/search/search';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { judgePath } from '../../../../src/policy/paths/paths';
import { ripgrepPath } from '../../../support/workspace/scratch-workspace';
import { commandPorts } from '../../../support/workspace/command-ports';
import { posix } from '../../../support/platform';

const KEY = 'https://me:ghp_0123456789@example.com/a.git';

posix.describe('files with several names', () => {
  const ports = commandPorts();
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-links-')));
    const files: Readonly<Record<string, string>> = {
      '.env': 'PLUM=1\n',
      'deploy/prod.env': 'PLUM=2\n',
      '.ssh/work': 'PLUM=3\n',
      'src/a.ts': 'plum\n',
      '.git/config': '[core]\n',
      '.git/hooks/pre-commit': '#!/bin/sh\n',
      '.husky/pre-push': '#!/bin/sh\n',
      '.vscode/tasks.json': '{}\n',
      'store/index.js': 'plum\n',
    };
    for (const [name, text] of Object.entries(files)) put(name, text);
    const links: Readonly<Record<string, string>> = {
      'notes.txt': '.env',
      'src/deep/er/b.ts': 'deploy/prod.env',
      'src/c.ts': '.ssh/work',
      'src/d.ts': 'src/a.ts',
      'hook.sh': '.git/hooks/pre-commit',
      'settings.ini': '.git/config',
      'push.sh': '.husky/pre-push',
      'tasks.txt': '.vscode/tasks.json',
      'node_modules/a/index.js': 'store/index.js',
      'node_modules/a/env.js': '.env',
    };
    for (const [name, of] of Object.entries(links)) {
      mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
      linkSync(path.join(root, of), path.join(root, name));
    }
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  function put(name: string, text: string): void {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }

  const verdict = async (name: string, use: PathUse) =>
    (await judgePath({ roots: [root], path: name, use }, pathFileSystem)).verdict;

  for (const { name, use, reason } of [
    { name: 'notes.txt', use: 'read', reason: 'secret file under another name, .env' },
    { name: 'notes.txt', use: 'write', reason: 'secret file under another name, .env' },
    { name: 'src/deep/er/b.ts', use: 'read', reason: 'secret file under another name, prod.env' },
    { name: 'src/c.ts', use: 'read', reason: 'secret file under another name, work' },
    { name: 'node_modules/a/env.js', use: 'read', reason: 'secret file under another name, .env' },
    { name: 'src/d.ts', use: 'read' },
    { name: 'src/d.ts', use: 'write' },
    { name: 'node_modules/a/index.js', use: 'read' },
    { name: 'store/index.js', use: 'read' },
    { name: 'hook.sh', use: 'read' },
    { name: 'hook.sh', use: 'write', reason: 'protected path under another name, .git/hooks/pre-commit' },
    { name: 'settings.ini', use: 'write', reason: 'protected path under another name, .git/config' },
    { name: 'push.sh', use: 'write', reason: 'protected path under another name, .husky/pre-push' },
    { name: 'tasks.txt', use: 'write', reason: 'protected path under another name, .vscode/tasks.json' },
  ] as const) {
    const expected = reason === undefined ? 'auto' : 'ask';
    it(`${use === 'write' ? 'G8' : 'G9'}.hard-link: ${use} ${name} → ${expected}`, async () => {
      const { decision, reason: why } = await verdict(name, use);
      assert.deepEqual([decision, why], [expected, reason ?? 'inside the workspace']);
    });
  }

  it('G9.hard-link: a command that reads a folder asks for it, and for no other link', async () => {
    const judge = (command: string) =>
      judgeCommand({ command, shell: 'posix', allow: ['grep'], deny: [], roots: [root], cwd: root }, ports);
    assert.match((await judge('grep -r x src')).reason, /secret file under another name/);
    assert.match((await judge('grep x notes.txt')).reason, /secret file under another name, \.env/);
    assert.equal((await judge('grep -r x store')).decision, 'auto');
  });

  it('G9.hard-link: a search leaves it out', async () => {
    const search = createSearch({ roots: [root], ripgrep: ripgrepPath() });
    const place = { resolved: root, display: '.', verdict: await verdict('.', 'search') };
    const query = { isRegex: false, caseSensitive: false, context: 0, max: 100, maxPerFile: 10 };
    const found = await search.text({ place, query: 'plum', ...query }, new AbortController().signal);
    const names = found.files.map((file) => file.path).filter((name) => !name.startsWith('node_modules'));
    assert.deepEqual(names, ['src/a.ts', 'src/d.ts', 'store/index.js']);
  });

  it('G9.hard-link: asks if there is too much to search, but not for installed packages', async () => {
    for (let at = 0; at <= limits.secretEntries; at++) put(`many/${at}`, '');
    // The folders nearest to the root come first, so what is found is told all the same.
    assert.match((await verdict('notes.txt', 'read')).reason, /under another name, \.env/);
    assert.match((await verdict('src/d.ts', 'read')).reason, /too many files/);
    assert.equal((await verdict('node_modules/a/index.js', 'read')).decision, 'auto');
    rmSync(path.join(root, 'many'), { recursive: true });
  });

  describe('settings of version control', () => {
    for (const { name, text, decision } of [
      {
        name: '.git/config',
        text: '[remote "origin"]\n\turl = https://example.com/a.git\n',
        decision: 'auto',
      },
      { name: '.git/config', text: '\turl = git@example.com:a.git\n', decision: 'auto' },
      { name: '.git/config', text: '\turl = https://me@example.com/a.git\n', decision: 'auto' },
      { name: '.git/config', text: `\turl = ${KEY}\n`, decision: 'ask' },
      {
        name: '.git/config',
        text: '\turl = https://ghp_0123456789012345678901@example.com/a\n',
        decision: 'ask',
      },
      { name: '.git/config', text: '[http]\n\textraheader = Authorization: x\n', decision: 'ask' },
      { name: '.git/config', text: '\tExtraHeader=x\n', decision: 'ask' },
      { name: '.git/config', text: `\n`.repeat(limits.judgedTextBytes) + KEY, decision: 'ask' },
      { name: '.git/modules/a/config', text: `\turl = ${KEY}\n`, decision: 'ask' },
      { name: '.git/FETCH_HEAD', text: `0 branch 'main' of ${KEY}\n`, decision: 'ask' },
      { name: '.gitmodules', text: `\turl = ${KEY}\n`, decision: 'ask' },
      { name: '.gitmodules', text: '\turl = ../a.git\n', decision: 'auto' },
      { name: 'config', text: `\turl = ${KEY}\n`, decision: 'auto' },
    ]) {
      it(`G9.git-config: ${name} with ${JSON.stringify(text.trim().slice(0, 30))} → ${decision}`, async () => {
        const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-git-')));
        try {
          mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
          writeFileSync(path.join(folder, name), text);
          const request = { roots: [folder], path: name, use: 'read' } as const;
          assert.equal((await judgePath(request, pathFileSystem)).verdict.decision, decision);
          const command = { command: 'grep -r x .', shell: 'posix', allow: ['grep'], deny: [] } as const;
          const read = await judgeCommand({ ...command, roots: [folder], cwd: folder }, ports);
          assert.equal(read.decision, decision, read.reason);
        } finally {
          rmSync(folder, { recursive: true });
        }
      });
    }
  });
});
