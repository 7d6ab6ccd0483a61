import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGitNames } from '../../../../src/node/git/git-names';
import { commandEnvironment } from '../../../../src/node/processes/environment';
import { judgeCommand, type CommandVerdict } from '../../../../src/policy/commands/commands';
import type { GitNames, GitNamesQuestion } from '../../../../src/policy/commands/printed-names';
import { caseCount } from '../../../hosts/random-cases';
import { posix } from '../../../support/platform';
import { commandPorts } from '../../../support/workspace/command-ports';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@a', '-c', 'commit.gpgsign=false'];
const ALLOW = ['show', 'diff', 'log', 'grep', 'blame', 'cat-file -p', 'cat-file'].map(
  (name) => `git ${name}`,
);
const KEY = 'secret-content';

posix.describe('files that git prints', () => {
  let root: string;
  let names: GitNames;
  const git = (...words: readonly string[]): string =>
    execFileSync('git', [...AUTHOR, ...words], { cwd: root, encoding: 'utf8' }).trim();
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const commit = (message: string): void => {
    git('add', '--all', '--force');
    git('commit', '--quiet', '--message', message);
  };
  // A busy machine may need longer than the time that users wait.
  const port = (): GitNames =>
    createGitNames({
      environment: () => commandEnvironment(process.env, { roots: [root] }),
      roots: [root],
      timeoutMs: 10_000,
    });

  /** Commits: `first` src/a.ts, `secret` .npmrc and src/b.ts, `plain` src/b.ts, `gone` without .npmrc. */
  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-names-')));
    git('init', '--quiet', '--initial-branch=main');
    for (const [message, files] of [
      ['first', { 'src/a.ts': 'a\n' }],
      ['secret', { '.npmrc': `${KEY}\n`, 'src/b.ts': 'b\n' }],
      ['plain', { 'src/b.ts': 'c\n', 'docs/auth.json': '{}\n' }],
    ] as const) {
      for (const [file, text] of Object.entries(files)) write(file, text);
      commit(message);
      git('tag', message);
    }
    rmSync(path.join(root, '.npmrc'));
    commit('gone');
    git('tag', 'gone');
    write('src/a.ts', 'changed\n');
    commit('last');
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(() => {
    names = port();
  });

  const judge = (command: string, gitNames = names): Promise<CommandVerdict> => {
    const { gitNames: _, ...ports } = commandPorts();
    return judgeCommand(
      {
        command,
        shell: 'posix',
        allow: [...ALLOW, command],
        deny: [],
        roots: [root],
        cwd: root,
      },
      { ...ports, gitNames },
    );
  };

  const rows: readonly (readonly [command: string, decision: 'auto' | 'ask', reason?: RegExp])[] = [
    ['git show HEAD', 'auto'],
    ['git show', 'auto'],
    ['git --no-pager show HEAD', 'auto'],
    ['git --no-pager show secret', 'ask', /\.npmrc/],
    ['git show gone', 'ask', /\.npmrc/],
    ['git show secret', 'ask', /\.npmrc/],
    ['git show secret -- src', 'auto'],
    ['git show secret --stat', 'auto'],
    ['git show secret --stat -p', 'ask', /\.npmrc/],
    ['git show first gone', 'ask', /\.npmrc/],
    ['git show first', 'auto'],
    ['git show plain', 'ask', /auth\.json/],
    ['git show plain -- src/b.ts', 'auto'],
    ['git show HEAD:src/a.ts', 'auto'],
    ['git show secret:src/b.ts', 'auto'],
    ['git show secret:docs/.npmrc', 'ask', /secret/],
    ['git show gone~1..gone', 'ask', /\.npmrc/],
    ['git show missing', 'ask', /not known/],
    ['git show HEAD~99', 'auto'],
    ['git diff HEAD~99 HEAD', 'auto'],
    ['git diff HEAD~99 missing', 'ask', /not known/],
    ['git show HEAD --some-option', 'ask', /not known/],
    ['git log', 'auto'],
    ['git log --oneline -n 3 --stat', 'auto'],
    ['git log --follow src/a.ts', 'auto'],
    ['git log -p', 'ask', /\.npmrc/],
    ['git log -u', 'ask', /\.npmrc/],
    ['git log --patch', 'ask', /\.npmrc/],
    ['git log --pat', 'ask', /not known/],
    ['git log -U5', 'ask', /\.npmrc/],
    ['git log -p -1', 'auto'],
    ['git log -p -n 1', 'auto'],
    ['git log -p --max-count=2', 'ask', /\.npmrc/],
    ['git log -p src/a.ts', 'auto'],
    ['git log -p -- src', 'auto'],
    ['git log -p --follow src/a.ts', 'ask', /not known/],
    ['git log -p gone..HEAD', 'auto'],
    ['git log -p plain..', 'ask', /\.npmrc/],
    ['git diff', 'auto'],
    ['git diff first HEAD', 'ask', /auth\.json/],
    ['git diff secret plain -- .npmrc', 'ask'],
    ['git diff secret HEAD -- src', 'auto'],
    ['git diff secret...gone', 'ask', /\.npmrc/],
    ['git diff --cached', 'auto'],
    ['git diff HEAD --name-only', 'auto'],
    ['git diff --stat first', 'auto'],
    ['git blame src/a.ts', 'auto'],
    ['git blame plain -- docs/auth.json', 'ask', /auth\.json/],
    ['git cat-file -p HEAD', 'auto'],
    ['git cat-file -t gone', 'auto'],
    ['git cat-file -p HEAD:src/a.ts', 'auto'],
    ['git cat-file -p secret:.npmrc', 'ask'],
    ['git cat-file --batch', 'ask'],
    ['git grep -n changed src', 'auto'],
    ['git grep -n b secret', 'ask'],
    ['git archive first', 'auto'],
    ['git archive --format=zip secret', 'ask', /\.npmrc/],
    ['git archive --worktree-attributes first', 'ask', /not known/],
    ['git show HEAD && git log -p', 'ask', /\.npmrc/],
    ['uv run git show secret', 'ask', /\.npmrc/],
    ['npx git log -p', 'ask', /\.npmrc/],
    ['uv run git show HEAD', 'auto'],
    ...[
      ...['git stash show', 'git stash show -p', 'git stash list -p', 'git stash -p', 'git reflog -p'],
      ...[
        'git format-patch -1 --stdout',
        'git diff-tree -p HEAD',
        'git diff-index -p HEAD',
        'git diff-files -p',
      ],
      ...['git range-diff HEAD~1 HEAD', 'git fast-export HEAD', 'git checkout-index -a --prefix=x/'],
      ...['git status -v', 'git status -sv', 'git status --verbose', 'git commit --dry-run -v', 'git add -p'],
      ...[
        'git reset --patch',
        'git rebase --show-current-patch',
        'git merge-tree HEAD HEAD~1',
        'git difftool',
      ],
      ...[
        'git some-alias',
        'git bundle create - HEAD',
        'git unpack-file HEAD',
        'git am --show-current-patch',
      ],
    ].map((command) => [command, 'ask', /not known/] as const),
    ...[
      ...[
        'git stash',
        'git stash push -u',
        'git stash pop',
        'git stash list',
        'git stash list -5',
        'git reflog -5',
      ],
      ...['git add -A', 'git commit -am x', 'git checkout -b x', 'git reset --hard', 'git pull --rebase'],
      ...['git rebase main', 'git merge main', 'git fetch -p', 'git push -u origin main', 'git lfs ls-files'],
    ].map((command) => [command, 'auto'] as const),
  ];
  for (const [command, decision, reason] of rows) {
    it(`G9.git ${command} → ${decision}`, async () => {
      const verdict = await judge(command);
      assert.equal(verdict.decision, decision, verdict.reason);
      if (reason) assert.match(verdict.reason, reason);
    });
  }

  it('G9.git: a file by its number asks, because it has no name', async () => {
    const blob = git('rev-parse', 'secret:.npmrc');
    for (const command of [
      `git show ${blob}`,
      `git show --name-only ${blob}`,
      `git show --stat ${blob.slice(0, 12)}`,
      `git show ${blob} --`,
      `git cat-file -p ${blob}`,
      `git diff ${blob} HEAD`,
    ])
      assert.match((await judge(command)).reason, /not known/, command);
    assert.equal((await judge(`git show --stat ${git('rev-parse', 'secret')}`)).decision, 'auto');
    assert.match((await judge('git show --stat secret:.npmrc')).reason, /secret/);
  });

  it('G9.git: what is in the working tree and the index counts as it is now', async () => {
    assert.equal((await judge('git diff')).decision, 'auto');
    write('.npmrc', `${KEY}\n`);
    git('add', '--force', '.npmrc');
    try {
      assert.match((await judge('git diff --cached')).reason, /\.npmrc/);
      write('.npmrc', 'other\n');
      assert.match((await judge('git diff')).reason, /\.npmrc/);
      rmSync(path.join(root, '.npmrc'));
      assert.match((await judge('git grep --cached secret')).reason, /\.npmrc/);
    } finally {
      git('rm', '--quiet', '--cached', '.npmrc');
    }
    assert.equal((await judge('git diff --cached')).decision, 'auto');
  });

  it('G9.git: an answer is kept until HEAD changes', async () => {
    assert.equal((await judge('git show HEAD')).decision, 'auto');
    git('reset', '--quiet', '--hard', 'gone');
    try {
      assert.match((await judge('git show HEAD')).reason, /\.npmrc/);
    } finally {
      git('reset', '--quiet', '--hard', 'main@{1}');
    }
    assert.equal((await judge('git show HEAD')).decision, 'auto');
  });

  for (const [name, answer, decision] of [
    ['answers too late', 'exec sleep 60', 'ask'],
    ['lists too many names', "seq -f 'a%g' 5001 | tr '\\n' '\\0'", 'ask'],
    ['lists as many as allowed', "seq -f 'a%g' 5000 | tr '\\n' '\\0'", 'auto'],
    ['fails', 'exit 1', 'ask'],
  ] as const) {
    it(`G9.git: a git that ${name} → ${decision}`, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-other-git-'));
      const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      writeFileSync(
        path.join(folder, 'git'),
        `#!/bin/sh\ncase "$*" in *--name-only*) ${answer};; *) exec '${real}' "$@";; esac\n`,
        { mode: 0o755 },
      );
      const gitNames = createGitNames({
        environment: () => ({ ...process.env, PATH: `${folder}:${process.env['PATH']}` }),
        roots: [root],
        timeoutMs: answer.includes('sleep') ? 100 : 10_000,
      });
      const verdict = await judge('git show', gitNames);
      assert.equal(verdict.decision, decision, verdict.reason);
      rmSync(folder, { recursive: true });
    });
  }

  it('G9.git: the time holds for all lists of a command together', async () => {
    const slow = createGitNames({
      environment: () => commandEnvironment(process.env, { roots: [root] }),
      roots: [root],
      timeoutMs: 1,
    });
    const questions = Array.from({ length: 3 }, () => ({
      list: 'commits' as const,
      options: [],
      revisions: [],
      paths: [],
    }));
    assert.equal(await slow(questions, root), undefined);
    let calls = 0;
    await judge('git log -p -1 && git show HEAD && git diff', async (all) => {
      calls += 1;
      assert.equal(all.length, 3);
      return [];
    });
    assert.equal(calls, 1);
  });

  it('G1.git: where git may not be started, every printing command asks', async () => {
    const { gitNames: _, ...ports } = commandPorts();
    for (const command of ['git show', 'git diff', 'git log -p', 'git grep x src']) {
      const request = { command, shell: 'posix', allow: ALLOW, deny: [], roots: [root], cwd: root } as const;
      assert.match((await judgeCommand(request, ports)).reason, /not known/);
    }
  });

  it('prints nothing where there is no repository, so nothing is secret', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-none-')));
    const question: GitNamesQuestion = {
      list: 'commits',
      options: [],
      revisions: [],
      paths: [],
    };
    assert.deepEqual(await names([question], folder), []);
    rmSync(folder, { recursive: true });
  });

  it('G1.git: starts no program that the repository names', async () => {
    const program = path.join(root, '.git/evil');
    const trace = path.join(root, '.git/trace');
    writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\ncat\n`);
    chmodSync(program, 0o755);
    const settings = [
      ...['core.fsmonitor', 'core.pager', 'diff.external', 'diff.x.textconv', 'filter.x.clean'],
      ...['filter.x.process', 'gpg.program', 'core.sshCommand'],
    ];
    for (const setting of settings) git('config', setting, program);
    git('config', 'log.showSignature', 'true');
    writeFileSync(path.join(root, '.git/info/attributes'), '* diff=x filter=x\n');
    writeFileSync(path.join(root, 'src/a.ts'), 'changed again\n');
    rmSync(trace, { force: true });
    try {
      for (const command of ['git show', 'git diff', 'git diff --cached', 'git log -p -1', 'git grep x src'])
        await judge(command);
      assert.ok(!existsSync(trace));
    } finally {
      for (const setting of settings) git('config', '--unset', setting);
      git('config', '--unset', 'log.showSignature');
      rmSync(path.join(root, '.git/info/attributes'));
      git('checkout', '--quiet', '--', 'src/a.ts');
    }
  });

  it('G9.git: what runs unasked never prints the secret', async () => {
    const blob = git('rev-parse', 'secret:.npmrc');
    const word = fc.constantFrom(
      blob,
      ...[
        'HEAD',
        'secret',
        'gone',
        'plain',
        'gone~1..gone',
        'first..',
        '-p',
        '-1',
        '-n',
        '2',
        '--stat',
        '--name-only',
      ],
      ...[
        '-U1',
        '--cc',
        '-m',
        '--all',
        '--',
        'src',
        '.',
        'src/a.ts',
        '--cached',
        '--first-parent',
        '--reverse',
        '-s',
      ],
      ...[
        '--follow',
        '-W',
        '--grep=secret',
        '--no-walk',
        'HEAD:src',
        ':/secret',
        ':(exclude)src',
        '--raw',
        '-z',
      ],
    );
    const program = fc.constantFrom('show', 'diff', 'log', 'cat-file', 'blame', `grep ${KEY}`);
    await fc.assert(
      fc.asyncProperty(program, fc.array(word, { maxLength: 5 }), async (subcommand, words) => {
        const all = [...subcommand.split(' '), ...words];
        const command = ['git', ...all.map((each) => (/[:()]/u.test(each) ? `'${each}'` : each))].join(' ');
        if ((await judge(command)).decision !== 'auto') return;
        let printed = '';
        try {
          printed = execFileSync('git', all, {
            cwd: root,
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          });
        } catch {
          return;
        }
        assert.ok(!printed.split('\n').some((line) => /^[ +-]*secret-content$/u.test(line)), command);
      }),
      { numRuns: caseCount(40) },
    );
  }).timeout(120_000);
});
