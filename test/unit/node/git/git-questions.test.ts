import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { limits } from '../../../../src/base/limits';
import type { Verdict } from '../../../../src/core/words/verdict';
import { caseCount } from '../../../hosts/random-cases';
import { runContext } from '../../../support/agent/run-context';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@a'];
const FAR = 'https://example.com/a/b.git';

posix.describe('questions about a repository', () => {
  let template: string;
  let parent: string;
  let root: string;
  let scratch: ScratchWorkspace;
  let isTrusted: boolean;
  let exact: readonly string[];

  before(() => {
    template = mkdtempSync(path.join(tmpdir(), 'parley-git-'));
    git(template, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(path.join(template, 'a.txt'), 'before\n');
    git(template, 'add', 'a.txt');
    git(template, ...AUTHOR, 'commit', '--quiet', '-m', 'one');
    writeFileSync(path.join(template, 'a.txt'), 'after!\n');
  });
  after(() => rmSync(template, { recursive: true, force: true }));
  beforeEach(() => {
    isTrusted = true;
    exact = [];
    parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-git-')));
    root = path.join(parent, 'work');
    cpSync(template, root, { recursive: true });
    scratch = ScratchWorkspace.over(root, {
      isTrusted: () => isTrusted,
      commandRules: () => ({ allow: ['git', 'gh', 'ls', 'grep', ...exact], deny: ['git gc'] }),
    });
  });
  afterEach(async () => {
    await scratch.dispose();
    rmSync(parent, { recursive: true, force: true });
  });

  function git(folder: string, ...words: readonly string[]): string {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  const configure = (...words: readonly string[]): string => git(root, 'config', ...words);
  const trace = (): string => path.join(parent, 'trace');
  const traces = (): string => (existsSync(trace()) ? readFileSync(trace(), 'utf8') : '');
  /** A program that leaves a trace and passes on what it is given. */
  function program(): string {
    const file = path.join(parent, 'evil');
    writeFileSync(file, `#!/bin/sh\necho "$0" >> '${trace()}'\ncat\n`, { mode: 0o755 });
    return file;
  }

  /** By a rule of exactly this command, so that only what git would be asked can make it ask. */
  async function judged(command: string, cwd = '.'): Promise<Verdict> {
    exact = [command];
    const { accesses } = await scratch.prepare('run_shell_command', { command, cwd });
    return accesses.find(({ kind }) => kind === 'command')?.verdict ?? assert.fail();
  }

  it('G10.git-settings: asks about an unknown setting, names it and offers no rule', async () => {
    configure('hook.x.command', program());
    configure('hook.x.event', 'post-index-change');
    for (const command of ['git status', 'ls && git log', 'gh pr view', 'git\nstatus', 'uv run git status']) {
      const verdict = await judged(command);
      assert.equal(verdict.decision, 'ask', command);
      assert.match(verdict.reason, /settings name hook\.x\.command, which may start a program/u);
      assert.equal(verdict.grant, undefined);
    }
    assert.equal((await judged('ls')).decision, 'auto');
    assert.equal((await judged('grep git a.txt')).decision, 'auto');
    assert.equal((await judged('git gc')).decision, 'deny');
  });

  it('G10.git-settings: names the setting beside another reason to ask', async () => {
    configure('hook.x.command', 'x');
    assert.match((await judged('git status > a.txt')).reason, /redirects to a\.txt, and .*hook\.x\.command/u);
  });

  const places: Readonly<Record<string, () => void>> = {
    'an included file': () => {
      writeFileSync(path.join(root, '.git', 'more'), '[hook "x"]\n\tcommand = x\n');
      configure('include.path', 'more');
    },
    'the settings of the working folder': () => {
      configure('extensions.worktreeConfig', 'true');
      configure('--worktree', 'hook.x.command', 'x');
    },
    'a submodule': () => {
      const inner = path.join(root, 'inner');
      cpSync(template, inner, { recursive: true });
      git(root, 'add', 'inner');
      git(inner, 'config', 'hook.x.command', 'x');
    },
  };
  for (const [name, put] of Object.entries(places)) {
    it(`G10.git-settings: finds it in ${name}`, async () => {
      assert.equal((await judged('git status')).decision, 'auto');
      put();
      assert.match((await judged('git status')).reason, /hook\.x\.command/u);
    });
  }

  it('leaves out what the user has set for all repositories', async () => {
    const file = path.join(parent, 'gitconfig');
    writeFileSync(file, '[hook "x"]\n\tcommand = x\n');
    process.env['GIT_CONFIG_GLOBAL'] = file;
    try {
      assert.equal((await judged('git status')).decision, 'auto');
    } finally {
      delete process.env['GIT_CONFIG_GLOBAL'];
    }
  });

  it('G10.git-settings: starts what the user approved, unless its settings have changed', async () => {
    configure('web.browser', 'x');
    const input = { command: 'git log --format=%s' };
    const prepared = await scratch.prepare('run_shell_command', input);
    const { signal } = new AbortController();
    assert.match((await prepared.run(runContext(signal))).text, /^one$/mu);
    configure('hook.x.command', 'x');
    await assert.rejects(
      async () => prepared.run(runContext(signal)),
      /changed since the command was judged: .*hook\.x\.command/u,
    );
  });

  it('G16.git-settings: shows a name that hides something visibly', async () => {
    writeFileSync(
      path.join(root, '.git', 'config'),
      `[hook "\u001b[2J\u202e${'x'.repeat(1_000)}"]\n\tcommand = x\n`,
    );
    const { reason } = await judged('git status');
    assert.match(reason, /hook\.⟨U\+001B⟩\[2J⟨U\+202E⟩x+…/u);
    assert.ok(reason.length < 300);
  });

  it('G1.git: starts no git in a workspace that is not trusted', async () => {
    const bin = path.join(parent, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\necho git >> '${trace()}'\n`, { mode: 0o755 });
    const given = process.env['PATH'];
    process.env['PATH'] = `${bin}:${given}`;
    try {
      isTrusted = false;
      await judged('git status');
      assert.equal(traces(), '');
      isTrusted = true;
      await judged('git status');
      assert.notEqual(traces(), '');
    } finally {
      process.env['PATH'] = given;
    }
  });

  const ordinary: Readonly<Record<string, string>> = {
    'git clone': `[remote "origin"]\n\turl = ${FAR}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n\trebase = true\n`,
    'VS Code and its extensions': `[branch "main"]\n\tvscode-merge-base = origin/main\n\tgithub-pr-owner-number = "a#b#1"\n\tgithub-pr-base-branch = "a#b#main"\n\tgk-last-accessed = 2025\n[remote "origin"]\n\tgithub-pr-remote = true\n`,
    'GitHub CLI': `[remote "upstream"]\n\turl = git@github.com:a/b.git\n\tgh-resolved = base\n[branch "x"]\n\tremote = ${FAR}\n\tpushRemote = ${FAR}\n\tgh-merge-base = main\n`,
    'Git LFS': `[lfs]\n\trepositoryformatversion = 0\n[lfs "https://example.com/a/b.git/info/lfs"]\n\taccess = basic\n\tlocksverify = true\n[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n`,
    submodules: `[submodule]\n\tactive = .\n[submodule "x"]\n\turl = ${FAR}\n\tactive = true\n\tupdate = merge\n`,
    'a partial clone': `[remote "origin"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`,
    husky: `[core]\n\thooksPath = .husky/_\n`,
    'drivers that are switched off': `[diff "x"]\n\ttextconv = x\n[filter "x"]\n\tclean = x\n\tsmudge = x\n\trequired\n[merge "x"]\n\tname = x\n\tdriver = x %A\n[alias]\n\tx = status\n`,
    'settings of people': `[user]\n\tname = a\n\temail = a@a\n\tsigningkey = x\n[commit]\n\tgpgsign = true\n[gpg]\n\tformat = ssh\n[pull]\n\trebase = true\n[push]\n\tdefault = current\n\tautoSetupRemote = true\n[color]\n\tui = auto\n[core]\n\tautocrlf = input\n\teditor = vim\n\tpager = less\n\tfsmonitor = true\n\tuntrackedcache = true\n[fetch]\n\tprune = true\n[rerere]\n\tenabled = true\n[merge]\n\tconflictstyle = zdiff3\n[gui]\n\twmstate = normal\n[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n[http]\n\tpostBuffer = 1\n[http "https://example.com/"]\n\textraheader = x\n[credential]\n\thelper = store\n[svn-remote "svn"]\n\turl = https://example.com/svn\n\tfetch = trunk:refs/remotes/trunk\n[url "git@github.com:"]\n\tinsteadOf = https://github.com/\n[maintenance]\n\tauto = false\n\tstrategy = incremental\n`,
  };
  const { gitNamesMs } = limits;
  afterEach(() => Object.assign(limits, { gitNamesMs }));

  it('asks nothing in ordinary repositories', async () => {
    // On a busy machine git does not say in time what it would print.
    Object.assign(limits, { gitNamesMs: 20_000 });
    configure('remote.origin.url', FAR);
    for (const text of ['', ...Object.values(ordinary)]) {
      const config = readFileSync(path.join(root, '.git', 'config'), 'utf8');
      writeFileSync(path.join(root, '.git', 'config'), config + text);
    }
    const commands = [
      ...['git status', 'git diff HEAD~1', 'git log -p --oneline', 'git fetch', 'git fetch --all --prune'],
      ...[
        'git fetch origin',
        'git fetch --depth 1 origin main',
        'git pull',
        'git pull --rebase origin feature/x',
      ],
      ...['git push', 'git push -u origin feature/x', 'git push --force-with-lease origin HEAD:x'],
      ...['git push origin --delete x', 'git push --tags', 'git ls-remote --heads origin', 'git remote -v'],
      ...[
        'git remote show origin',
        'git remote update',
        'git remote prune origin',
        'git submodule update --init',
      ],
      ...[
        'git submodule status',
        'git checkout -b feature/x',
        'git commit -m "git fetch ./x"',
        'git stash list',
      ],
      ...['git archive --format=tar HEAD', 'git branch -a', 'git add src', 'git worktree list', 'gh pr view'],
      ...['git pull --allow-unrelated-histories origin feature/x', 'git merge origin/main', 'git tag -l'],
    ];
    for (const command of commands)
      assert.equal((await judged(command)).reason.split(' ')[0], 'matches', command);
  });

  it('asks nothing after git itself has made submodules, working folders and sparse checkouts', async () => {
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './', 'inner');
    git(root, 'worktree', 'add', '--quiet', 'tree');
    git(root, 'sparse-checkout', 'set', 'src');
    git(root, 'maintenance', 'run');
    git(root, 'branch', '--set-upstream-to=main', 'tree');
    for (const cwd of ['.', 'inner', 'tree']) {
      for (const command of ['git status', 'git log', 'git checkout main', 'git commit -m x']) {
        assert.equal((await judged(command, cwd)).decision, 'auto', `${command} in ${cwd}`);
      }
    }
  });

  /** A repository of ordinary files whose hook leaves a trace, and whose archives are made by its own program. */
  function evil(name: string): string {
    const folder = path.join(root, name);
    git(root, 'clone', '--quiet', '--bare', '.', folder);
    writeFileSync(path.join(folder, 'hooks', 'pre-receive'), readFileSync(program()), { mode: 0o755 });
    git(folder, 'config', 'tar.x.command', program());
    git(folder, 'config', 'tar.x.remote', 'true');
    return folder;
  }

  for (const command of [
    'git push evil.git HEAD:x',
    'git push --no-thin evil.git HEAD:x',
    'git push evil HEAD:x',
    'git push ./evil.git HEAD:x',
    'git push --repo=evil.git --all',
    'git push --repo evil.git --all',
    'git push x HEAD:x',
    'git push far:evil.git HEAD:x',
    'git archive --remote=evil.git --format=x HEAD',
    'git archive --remote=x --format=x HEAD',
  ]) {
    it(`G10.git-remote: asks before ${command}`, async () => {
      const folder = evil('evil.git');
      git(root, ...AUTHOR, 'commit', '--quiet', '--allow-empty', '-m', 'two');
      configure('remote.x.url', folder);
      configure('url.evil.insteadOf', 'far:evil');
      const { decision, reason } = await judged(command);
      assert.equal(decision, 'ask');
      assert.match(reason, /may be a repository whose hooks would run/u);
      // The question is justified.
      execFileSync('bash', ['-c', command], { cwd: root, stdio: 'ignore' });
      assert.notEqual(traces(), '');
    });
  }

  interface Reaching {
    readonly command: string;
    readonly settings?: readonly (readonly [string, string])[];
  }
  const reaching: readonly Reaching[] = [
    ...['git fetch evil.git', 'git fetch evil', 'git fetch --depth 1 evil', 'git fetch ../work/evil.git'],
    ...[
      'git fetch file://evil.git',
      'git pull ./evil.git',
      'git ls-remote evil.git',
      'git clone evil.git new',
    ],
    ...['git clone -b main evil new', 'git clone --depth 1 evil', 'git fetch .', 'git push . HEAD:x'],
    ...['git submodule add ./evil.git x', 'git remote add -f x evil.git', 'git fetch --multiple x evil'],
    ...['git upload-pack evil.git', 'git receive-pack evil.git', 'git daemon evil.git', 'git fetch unknown'],
    ...['git fetch', 'git pull', 'git push', 'git fetch x::evil', 'git fetch --server-option x evil'],
    ...[
      'git request-pull HEAD evil.git',
      'git archive --rem evil.git --format=x HEAD',
      'git lfs fetch evil.git',
      'git remote show evil.git',
      'git e',
      'git p x',
    ],
  ].map((command) => ({ command }));
  const bySettings: readonly Reaching[] = [
    { command: 'git fetch', settings: [['remote.origin.url', './evil.git']] },
    { command: 'git pull', settings: [['remote.origin.url', 'file:///evil.git']] },
    { command: 'git fetch origin', settings: [['remote.origin.url', 'evil']] },
    {
      command: 'git push',
      settings: [
        ['remote.origin.url', FAR],
        ['remote.origin.pushurl', '../evil'],
      ],
    },
    {
      command: 'git push origin main',
      settings: [
        ['remote.origin.url', FAR],
        ['url../evil.pushInsteadOf', 'https://example.com/'],
      ],
    },
    {
      command: 'git fetch',
      settings: [
        ['remote.origin.url', FAR],
        ['branch.main.remote', './evil.git'],
      ],
    },
    {
      command: 'git push',
      settings: [
        ['remote.origin.url', FAR],
        ['branch.main.remote', '.'],
      ],
    },
    {
      command: 'git checkout x && git push',
      settings: [
        ['remote.origin.url', FAR],
        ['branch.main.remote', 'origin'],
        ['branch.x.remote', '.'],
      ],
    },
    {
      command: 'git push',
      settings: [
        ['remote.origin.url', FAR],
        ['remote.pushDefault', 'evil'],
      ],
    },
    {
      command: 'git fetch --all',
      settings: [
        ['remote.origin.url', FAR],
        ['remote.x.url', 'C:/evil'],
      ],
    },
    {
      command: 'git remote update',
      settings: [
        ['remote.origin.url', FAR],
        ['remote.x.url', 'evil'],
      ],
    },
    {
      command: 'git submodule update',
      settings: [
        ['remote.origin.url', FAR],
        ['submodule.x.url', '/evil'],
      ],
    },
  ];
  for (const { command, settings = [] } of [...reaching, ...bySettings]) {
    it(`G10.git-remote: asks before ${[command, ...settings.flat()].join(' ')}`, async () => {
      evil('evil.git');
      for (const setting of settings) configure(...setting);
      const file = path.join(parent, 'gitconfig');
      writeFileSync(file, '[alias]\n\te = fetch evil\n\tp = "push"\n');
      process.env['GIT_CONFIG_GLOBAL'] = file;
      try {
        assert.equal((await judged(command)).decision, 'ask');
      } finally {
        delete process.env['GIT_CONFIG_GLOBAL'];
      }
    });
  }

  it('G10.git-remote: treats a folder named like an address as the repository it is', async () => {
    mkdirSync(path.join(root, 'https:', 'x'), { recursive: true });
    evil(path.join('https:', 'x', 'evil'));
    assert.equal((await judged('git clone https://x/other new')).decision, 'auto');
    assert.equal((await judged('git clone https://x/evil new')).decision, 'ask');
  });

  it('G10.git-remote: goes by the branch that is checked out, and pulls from another one unasked', async () => {
    configure('remote.origin.url', FAR);
    configure('branch.main.remote', 'origin');
    configure('branch.x.remote', '.');
    assert.equal((await judged('git push')).decision, 'auto');
    configure('branch.main.remote', '.');
    assert.equal((await judged('git pull')).decision, 'auto');
  });

  it('G10.git-property: no command that runs unasked starts a program of the repository', async function () {
    this.timeout(120_000);
    const settings = [
      ...[
        'diff.external',
        'diff.x.command',
        'diff.x.textconv',
        'filter.x.clean',
        'filter.x.smudge',
        'filter.x.process',
      ],
      ...['merge.x.driver', 'gpg.program', 'gpg.ssh.program', 'gpg.ssh.defaultKeyCommand', 'core.editor'],
      ...[
        'core.pager',
        'core.fsmonitor',
        'core.sshCommand',
        'core.askPass',
        'sequence.editor',
        'core.gitProxy',
      ],
      ...['interactive.diffFilter', 'pager.log', 'tar.x.command', 'trailer.x.command', 'trailer.x.cmd'],
      ...['credential.helper', 'remote.origin.vcs', 'remote.origin.uploadpack', 'remote.origin.receivepack'],
      ...[
        'core.alternateRefsCommand',
        'man.x.cmd',
        'browser.x.cmd',
        'web.browser',
        'difftool.x.cmd',
        'diff.tool',
      ],
      ...[
        'mergetool.x.cmd',
        'merge.tool',
        'uploadpack.packObjectsHook',
        'help.browser',
        'instaweb.httpd',
        'hook.x.command',
      ],
      ...['alias.status', 'alias.x', 'sendemail.toCmd', 'guitool.x.cmd', 'imap.tunnel', 'core.hooksPath'],
      ...[
        'remote.origin.url',
        'remote.origin.pushurl',
        'url.evil.git.insteadOf',
        'branch.main.remote',
        'remote.pushDefault',
      ],
      ...[
        'log.showSignature',
        'commit.gpgSign',
        'submodule.x.update',
        'protocol.ext.allow',
        'protocol.file.allow',
      ],
      ...['core.attributesFile', 'core.unsetenvvars', 'init.templateDir', 'http.saveCookies', 'no.such.key'],
    ];
    const values = ['PROGRAM', '!PROGRAM', 'true', 'x', 'evil.git', 'ext::PROGRAM', '.', 'ssh', 'hooks'];
    const hooks = [
      'post-index-change',
      'reference-transaction',
      'pre-auto-gc',
      'pre-receive',
      'post-update',
      'update',
    ];
    const commands = [
      ...[
        'git status',
        'git diff',
        'git diff HEAD',
        'git log -p',
        'git log --show-signature',
        'git show',
        'git x',
      ],
      ...[
        'git log --remerge-diff',
        'git archive --format=x HEAD',
        'git archive --remote=evil.git --format=x HEAD',
      ],
      ...[
        'git fetch',
        'git fetch evil.git',
        'git fetch origin',
        'git push',
        'git push evil.git HEAD:y',
        'git ls-remote',
      ],
      ...[
        'git ls-remote evil.git',
        'git clone evil.git new',
        'git branch y',
        'git branch --edit-description',
        'git tag y',
      ],
      ...[
        'git tag -s z -m z',
        'git stash',
        'git add .',
        'git blame a.txt',
        'git grep b',
        'git help -w status',
        'git pull',
      ],
      ...[
        'git remote update',
        'git remote show origin',
        'git checkout a.txt',
        'git restore a.txt',
        'git gc --auto',
      ],
      ...[
        'git rebase -i --root',
        'git merge x',
        'git interpret-trailers a.txt',
        'git describe --always',
        'git push . HEAD:z',
      ],
    ];
    let unasked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...settings), fc.constantFrom(...values)), { maxLength: 4 }),
        fc.subarray(hooks, { maxLength: 2 }),
        fc.array(fc.constantFrom(...commands), { minLength: 1, maxLength: 2 }),
        async (chosen, present, lines) => {
          rmSync(root, { recursive: true, force: true });
          cpSync(template, root, { recursive: true });
          writeFileSync(path.join(root, '.gitattributes'), '*.txt diff=x filter=x merge=x\n');
          const folder = evil('evil.git');
          git(root, 'branch', 'x');
          git(root, 'config', 'remote.origin.url', 'ssh://127.0.0.1:1/x');
          for (const name of present) {
            for (const at of [
              path.join(root, '.git', 'hooks'),
              path.join(root, 'hooks'),
              path.join(folder, 'hooks'),
            ]) {
              mkdirSync(at, { recursive: true });
              writeFileSync(path.join(at, name), readFileSync(program()), { mode: 0o755 });
            }
          }
          for (const [name, value] of chosen) configure(name, value.replace('PROGRAM', program()));
          const command = lines.join('; ');
          if ((await judged(command)).decision !== 'auto') return;
          unasked++;
          await scratch.call('run_shell_command', { command, timeout_s: 20 }).catch(() => '');
          assert.equal(traces(), '', command);
        },
      ),
      { numRuns: caseCount(120) },
    );
    assert.ok(unasked >= caseCount(20), `${unasked} ran`);
  });
});
