import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolError } from '../../../../src/core/words/tool';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { long, posix } from '../../../support/platform';

const ATTRIBUTES = '*.txt diff=x filter=x\n';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@a'];

/** An object that no repository holds. */
const LACKING = '1'.repeat(40);

/** Prints the key for a host. */
const ASK_KEY = `printf 'protocol=https\\nhost=a.invalid\\n\\n' | git credential fill`;

/** A commit that claims to be signed. */
const SIGNED = `author a <a@a> 1 +0000
committer a <a@a> 1 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 ${''}
 x
 -----END PGP SIGNATURE-----

signed
`;

posix.describe('programs that a repository names', () => {
  let parent: string;
  let root: string;
  let scratch: ScratchWorkspace;
  let template: string;
  const program = (): string => path.join(parent, 'evil');
  /** The same if git would wait for its answer. */
  const unasked = (): string => `${program()} </dev/null`;
  const trace = (): string => path.join(parent, 'trace');

  before(() => {
    template = mkdtempSync(path.join(tmpdir(), 'parley-git-'));
    git(template, 'init', '--quiet');
    writeFileSync(path.join(template, 'a.txt'), 'before\n');
    git(template, 'add', 'a.txt');
    git(template, ...AUTHOR, 'commit', '--quiet', '-m', 'one');
    writeFileSync(path.join(template, 'a.txt'), 'after!\n');
  });
  after(() => rmSync(template, { recursive: true, force: true }));
  beforeEach(() => {
    parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-git-')));
    root = path.join(parent, 'work');
    writeFileSync(program(), `#!/bin/sh\necho "$0 $*" >> '${trace()}'\ncat\n`);
    chmodSync(program(), 0o755);
    newRepository(root);
    scratch = ScratchWorkspace.over(root, {});
  });
  afterEach(async () => {
    await scratch.dispose();
    rmSync(parent, { recursive: true, force: true });
  });

  /** With one commit and one file that differs from it. A copy, because git takes its time to make one. */
  function newRepository(folder: string): void {
    cpSync(template, folder, { recursive: true });
  }

  function git(folder: string, ...words: readonly string[]): string {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim();
  }

  const traces = (): string => (existsSync(trace()) ? readFileSync(trace(), 'utf8') : '');
  const run = async (command: string, cwd = '.'): Promise<string> =>
    scratch.call('run_shell_command', { command, cwd });

  /** With settings that hold for all repositories. */
  async function asUser(settings: string, act: () => Promise<void>): Promise<void> {
    const file = path.join(parent, 'gitconfig');
    writeFileSync(file, settings);
    process.env['GIT_CONFIG_GLOBAL'] = file;
    try {
      await act();
    } finally {
      delete process.env['GIT_CONFIG_GLOBAL'];
    }
  }

  /** Not starting git is one way to start nothing. */
  function refusal(error: unknown): string {
    if (error instanceof ToolError) return error.message;
    throw error;
  }

  interface Row {
    readonly name: string;
    readonly command: string;
    /** Below the root, if it is not the root. */
    readonly cwd?: string;
    /** Settings that get the program as their value. */
    readonly settings?: readonly string[];
    /** What else it takes. */
    readonly also?: () => void;
  }
  const attributes = (folder = root): void => writeFileSync(path.join(folder, '.gitattributes'), ATTRIBUTES);
  /** One that differs between the earlier commits and is no longer in the index. */
  const oldSubmodule = (): void => {
    const inner = path.join(root, 'inner');
    newRepository(inner);
    for (const step of ['add', 'add', 'rm --cached']) {
      git(root, ...step.split(' '), 'inner');
      git(root, ...AUTHOR, 'commit', '--quiet', '-m', step);
      git(inner, ...AUTHOR, 'commit', '--quiet', '-m', 'two', '--allow-empty', 'a.txt');
    }
    git(inner, 'config', 'diff.external', program());
  };
  /** It would fetch missing objects through the program. */
  const lackAll = (): void => {
    configure('extensions.partialClone', 'x');
    configure('remote.x.url', '.');
    configure('remote.x.uploadpack', unasked());
    writeFileSync(path.join(root, '.git', 'HEAD'), LACKING);
  };
  const hook = (folder: string, name: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), readFileSync(program()), { mode: 0o755 });
  };
  /** Two branches that change the same line, merged or not. */
  const twoSides = (isMerged: boolean): void => {
    writeFileSync(path.join(root, '.gitattributes'), '*.txt merge=x\n');
    git(root, 'add', '.');
    git(root, 'branch', 'x');
    git(root, ...AUTHOR, 'commit', '--quiet', '-m', 'two');
    git(root, 'checkout', '--quiet', '-f', 'x');
    writeFileSync(path.join(root, 'a.txt'), 'other\n');
    writeFileSync(path.join(root, '.gitattributes'), '*.txt merge=x\n');
    git(root, 'add', '.');
    git(root, ...AUTHOR, 'commit', '--quiet', '-m', 'three');
    git(root, 'checkout', '--quiet', '-');
    if (isMerged) git(root, ...AUTHOR, 'merge', '--quiet', '-X', 'ours', '-m', 'merged', 'x');
  };
  const configure = (...words: readonly string[]): string => git(root, 'config', ...words);

  const rows: readonly Row[] = [
    { name: 'diff.external', command: 'git diff', settings: ['diff.external'] },
    { name: 'a program in quotes', command: `g'i't diff`, settings: ['diff.external'] },
    {
      name: 'a setting of the worktree',
      command: 'git diff',
      also: () => {
        configure('extensions.worktreeConfig', 'true');
        configure('--worktree', 'diff.external', program());
      },
    },
    {
      name: 'an included setting',
      command: 'git diff',
      also: () => {
        writeFileSync(path.join(root, 'included'), `[diff]\n\texternal = ${program()}\n`);
        configure('include.path', path.join(root, 'included'));
      },
    },
    { name: 'diff.x.command', command: 'git diff', settings: ['diff.x.command'], also: attributes },
    {
      name: 'diff.x.textconv',
      command: 'git diff; git log -p',
      settings: ['diff.x.textconv'],
      also: attributes,
    },
    {
      name: 'filter.x.clean',
      command: 'git diff; git status',
      settings: ['filter.x.clean'],
      also: attributes,
    },
    {
      name: 'filter.x.smudge',
      command: 'git checkout a.txt',
      settings: ['filter.x.smudge'],
      also: attributes,
    },
    { name: 'filter.x.process', command: 'git status', settings: ['filter.x.process'], also: attributes },
    {
      name: 'gpg.program',
      command: 'git log',
      settings: ['gpg.program'],
      also: () => {
        configure('log.showSignature', 'true');
        const commit = path.join(parent, 'commit');
        writeFileSync(commit, `tree ${git(root, 'write-tree')}\n${SIGNED}`);
        git(root, 'update-ref', 'HEAD', git(root, 'hash-object', '-t', 'commit', '-w', commit));
      },
    },
    { name: 'tar.x.command', command: 'git archive --format=x HEAD', settings: ['tar.x.command'] },
    {
      name: 'man.x.cmd',
      command: 'git status --help',
      settings: ['man.x.cmd'],
      also: () => configure('man.viewer', 'x'),
    },
    { name: 'man.man.path', command: 'git status --help', settings: ['man.man.path'] },
    {
      name: 'core.alternateRefsCommand',
      command: 'git rev-list --all --alternate-refs',
      settings: ['core.alternateRefsCommand'],
      also: () => {
        newRepository(path.join(parent, 'other'));
        const objects = path.join(parent, 'other', '.git', 'objects');
        writeFileSync(path.join(root, '.git', 'objects', 'info', 'alternates'), `${objects}\n`);
      },
    },
    {
      name: 'the hook that a refreshed index calls',
      command: 'git status; git diff',
      also: () => {
        const hook = path.join(root, '.git', 'hooks', 'post-index-change');
        writeFileSync(hook, readFileSync(program()), { mode: 0o755 });
        writeFileSync(path.join(root, 'a.txt'), 'before\n');
        utimesSync(path.join(root, 'a.txt'), 1, 1);
      },
    },
    {
      name: 'a setting of a submodule',
      command: 'git status',
      also: () => {
        const inner = path.join(root, 'inner');
        newRepository(inner);
        git(root, 'add', 'inner');
        attributes(inner);
        git(inner, 'config', 'filter.x.clean', program());
      },
    },
    {
      name: 'a setting of a repository that the line makes a submodule',
      command: 'git add inner; git status',
      also: () => {
        const inner = path.join(root, 'inner');
        newRepository(inner);
        attributes(inner);
        git(inner, 'config', 'filter.x.clean', program());
      },
    },
    {
      name: 'a setting of a repository that another branch has as a submodule',
      command: 'git checkout pr',
      also: () => {
        const inner = path.join(root, 'inner');
        git(root, 'checkout', '--quiet', 'a.txt');
        git(root, 'checkout', '--quiet', '-b', 'pr');
        newRepository(inner);
        git(root, 'add', 'inner');
        git(root, ...AUTHOR, 'commit', '--quiet', '-m', 'two');
        git(root, 'checkout', '--quiet', '-');
        attributes(inner);
        git(inner, 'config', 'filter.x.clean', program());
      },
    },
    {
      name: 'a setting of a submodule whose files are said to lie elsewhere',
      command: 'git status',
      also: () => {
        const inner = path.join(root, 'elsewhere', 'inner');
        mkdirSync(path.dirname(inner));
        newRepository(inner);
        git(
          path.join(root, 'elsewhere'),
          `--git-dir=${path.join(root, '.git')}`,
          '--work-tree=.',
          'add',
          '.',
        );
        attributes(inner);
        git(inner, 'config', 'filter.x.clean', program());
        configure('core.worktree', '../elsewhere');
      },
    },
    {
      name: 'a setting of a submodule of old commits',
      command: 'git diff HEAD~2 HEAD~1',
      also: () => {
        configure('diff.submodule', 'diff');
        oldSubmodule();
      },
    },
    {
      name: 'a setting of a submodule of old commits whose diff is wanted',
      command: `git diff --submod'ule=diff' HEAD~2 HEAD~1`,
      also: oldSubmodule,
    },
    {
      name: 'a setting of a submodule of old commits that is put away',
      command: 'git diff --submodule=diff HEAD~2 HEAD~1',
      also: () => {
        oldSubmodule();
        const modules = path.join(root, '.git', 'modules');
        mkdirSync(modules);
        renameSync(path.join(root, 'inner', '.git'), path.join(modules, 'inner'));
        writeFileSync(path.join(root, 'inner', '.git'), 'gitdir: ../.git/modules/inner\n');
      },
    },
    {
      name: 'an alias that is a shell',
      command: 'git x',
      also: () => configure('alias.x', `!${program()}`),
    },
    {
      name: 'an alias that brings a setting',
      command: 'git x',
      also: () => configure('alias.x', `-c diff.external=${program()} diff`),
    },
    {
      name: 'core.sshCommand',
      command: 'git ls-remote ssh://127.0.0.1:1/x',
      also: () => configure('core.sshCommand', unasked()),
    },
    {
      name: 'core.gitProxy',
      command: 'git ls-remote git://127.0.0.1:1/x',
      also: () => {
        const proxy = path.join(parent, 'proxy');
        writeFileSync(proxy, `#!/bin/sh\n${unasked()}\n`, { mode: 0o755 });
        configure('core.gitProxy', proxy);
      },
    },
    { name: 'core.askPass', command: ASK_KEY, settings: ['core.askPass'] },
    {
      name: 'credential.helper',
      command: ASK_KEY,
      also: () => configure('credential.helper', `!${program()}`),
    },
    {
      name: 'credential.x.helper',
      command: ASK_KEY,
      also: () => configure('credential.https://a.invalid.helper', `!${program()}`),
    },
    {
      name: 'remote.x.vcs',
      command: 'git ls-remote x',
      also: () => {
        mkdirSync(path.join(root, 'git-remote-x'));
        const helper = path.join(root, 'git-remote-x', 'x');
        writeFileSync(helper, `#!/bin/sh\n${unasked()}\n`, { mode: 0o755 });
        configure('remote.x.url', 'x');
        configure('remote.x.vcs', 'x/x');
      },
    },
    ...['protocol.allow', 'protocol.ext.allow'].map((name) => ({
      name,
      command: 'git ls-remote x',
      also: () => {
        const end = path.join(parent, 'end');
        writeFileSync(end, `#!/bin/sh\n${unasked()}\n`, { mode: 0o755 });
        configure(name, 'always');
        configure('remote.x.url', `ext::${end}`);
      },
    })),
    ...['./evil', './git-upload-pack', '/usr/../proc/self/cwd/git-upload-pack'].map((value) => ({
      name: `remote.x.uploadpack at ${value}`,
      command: 'git ls-remote x',
      also: () => {
        const end = path.join(root, path.basename(value));
        writeFileSync(end, `#!/bin/sh\n${unasked()}\n`, { mode: 0o755 });
        configure('remote.x.url', '.');
        configure('remote.x.uploadpack', value);
      },
    })),
    {
      name: 'remote.x.receivepack',
      command: 'git push x HEAD:x',
      also: () => {
        configure('remote.x.url', '.');
        configure('remote.x.receivepack', unasked());
      },
    },
    {
      name: 'submodule.x.update',
      command: 'git submodule update',
      also: () => {
        newRepository(path.join(root, 'x'));
        git(root, 'add', 'x');
        writeFileSync(path.join(root, '.gitmodules'), '[submodule "x"]\n\tpath = x\n\turl = ./x\n');
        git(path.join(root, 'x'), ...AUTHOR, 'commit', '--quiet', '-a', '-m', 'two');
        configure('submodule.x.url', './x');
        configure('submodule.x.update', `!${program()}`);
      },
    },
    {
      name: 'trailer.x.command',
      command: 'git interpret-trailers </dev/null',
      settings: ['trailer.x.command'],
    },
    { name: 'the fetch of what is missing', command: 'git log', also: lackAll },
    ...['git log --remerge-diff', 'git merge x'].map((command) => ({
      name: `merge.x.driver in ${command}`,
      command,
      settings: ['merge.x.driver'],
      also: () => twoSides(command.endsWith('diff')),
    })),
    {
      name: 'gpg.ssh.defaultKeyCommand',
      command: 'git tag -s v1 -m x',
      settings: ['gpg.ssh.defaultKeyCommand'],
      also: () => configure('gpg.format', 'ssh'),
    },
    { name: 'core.editor', command: 'git branch --edit-description', settings: ['core.editor'] },
    {
      name: 'core.editor of a commit',
      command: 'git -c user.name=a -c user.email=a@a commit -a',
      settings: ['core.editor'],
    },
    {
      name: 'sequence.editor',
      command: 'git rebase -i --root',
      settings: ['sequence.editor'],
      also: () => git(root, 'checkout', 'a.txt'),
    },
    ...[
      'git fetch ../other HEAD:x',
      'git branch x',
      'git tag x',
      'git fetch ../other HEAD:x; git remote',
    ].map((command) => ({
      name: `the hook of changed references in ${command}`,
      command,
      also: () => {
        newRepository(path.join(parent, 'other'));
        hook(path.join(root, '.git', 'hooks'), 'reference-transaction');
      },
    })),
    {
      name: 'hooks in a folder that settings name',
      command: 'git tag x',
      also: () => {
        configure('core.hooksPath', 'mine');
        hook(path.join(root, 'mine'), 'reference-transaction');
      },
    },
    {
      name: 'the hook before a fetch cleans up',
      command: 'git fetch ../other',
      also: () => {
        newRepository(path.join(parent, 'other'));
        git(path.join(parent, 'other'), ...AUTHOR, 'commit', '--quiet', '-a', '-m', 'two');
        configure('gc.auto', '1');
        configure('gc.autoDetach', 'false');
        // It counts the objects in one of the folders.
        for (const digits of ['1', '2']) {
          mkdirSync(path.join(root, '.git', 'objects', '17'), { recursive: true });
          writeFileSync(path.join(root, '.git', 'objects', '17', digits.repeat(38)), '');
        }
        hook(path.join(root, '.git', 'hooks'), 'pre-auto-gc');
      },
    },
    {
      name: 'the fetch of what is missing in files that are a repository',
      command: 'git log',
      cwd: 'bare',
      also: () => {
        const config = `[core]\n\tbare = true\n[extensions]\n\tpartialClone = x\n[remote "x"]\n\turl = .\n`;
        const files: Readonly<Record<string, string>> = {
          HEAD: 'ref: refs/heads/main\n',
          'refs/heads/main': `${LACKING}\n`,
          'objects/x': '',
          config: `${config}\tpromisor = true\n\tuploadpack = ${unasked()}\n`,
        };
        for (const [name, content] of Object.entries(files)) {
          const file = path.join(root, 'bare', name);
          mkdirSync(path.dirname(file), { recursive: true });
          writeFileSync(file, content);
        }
      },
    },
  ];

  for (const { name, command, cwd = '.', settings = [], also } of rows) {
    it(`G1.git: starts no program for ${name}`, async () => {
      also?.();
      for (const setting of settings) configure(setting, program());
      const said = await run(command, cwd).catch(refusal);
      assert.equal(traces(), '', said);
    });

    it(`G1.git: would otherwise start one for ${name}`, () => {
      also?.();
      for (const setting of settings) configure(setting, program());
      try {
        execFileSync('bash', ['-c', command], {
          cwd: path.join(root, cwd),
          stdio: 'ignore',
          timeout: 10_000,
        });
      } catch {
        // Whatever becomes of git, the program has run.
      }
      assert.notEqual(traces(), '');
    });
  }

  it('shows the diff of files whose text conversion is switched off', async () => {
    attributes();
    configure('diff.x.textconv', program());
    assert.match(await run('git diff'), /-before\n\+after!/u);
  });

  it('stores nothing that a filter should have changed', async () => {
    attributes();
    configure('filter.x.clean', program());
    assert.match(await run('git add a.txt'), /clean filter 'x' failed/u);
    assert.equal(git(root, 'diff', '--cached', '--name-only'), '');
  });

  it('keeps what the user has set for all repositories', async () => {
    attributes();
    configure('filter.x.clean', program());
    await asUser('[filter "x"]\n\tclean = sed s/after/mine/\n', async () => {
      assert.match(await run('git diff'), /-before\n\+mine!/u);
    });
    assert.equal(traces(), '');
  });

  it('shows submodules as the user wants it, but starts no git in them', async () => {
    oldSubmodule();
    await asUser('[diff]\n\tsubmodule = diff\n', async () => {
      assert.match(await run('git diff HEAD~2 HEAD~1'), /^Submodule inner .*:\n {2}> two$/mu);
    });
    assert.equal(traces(), '');
  });

  it("says why an alias of the repository does nothing, and runs the user's aliases", async () => {
    configure('alias.mine', '!false');
    configure('alias.theirs', '!true');
    await asUser('[alias]\n\tmine = log --format=%s\n', async () => {
      assert.match(await run('git mine'), /^one$/mu);
      assert.match(await run('git theirs'), /'theirs' failed; 'alias-of-the-repository-which-parley-does/u);
    });
  });

  it('says which setting with a program for a remote is to be taken out', async () => {
    configure('remote.x.uploadpack', './evil');
    const said = await scratch.failure('run_shell_command', { command: 'git status' });
    assert.match(said, /\(remote\.x\.uploadpack\).*not started.*\.git\/config/u);
  });

  it('starts what the user has set for remotes and keys', async () => {
    const mine = path.join(parent, 'mine');
    writeFileSync(mine, '#!/bin/sh\necho username=mine; echo password=x\n', { mode: 0o755 });
    configure('credential.helper', `!${program()}`);
    configure('core.sshCommand', unasked());
    const credentials = `[credential "https://a.invalid"]\n\thelper = ${mine}\n`;
    await asUser(`${credentials}[core]\n\tsshCommand = echo mine >&2 \n`, async () => {
      assert.match(await run(ASK_KEY), /^username=mine$/mu);
      assert.match(await run('git ls-remote ssh://127.0.0.1:1/x'), /^mine .*127/mu);
    });
    assert.equal(traces(), '');
  });

  const harmless = [
    ['core.sshCommand', `ssh -i ~/.ssh/work -o IdentitiesOnly=yes -F /dev/null`],
    ['credential.helper', 'store'],
    ['submodule.x.update', 'rebase'],
    ['protocol.ext.allow', 'never'],
    ['remote.x.uploadpack', '~/bin/git-upload-pack'],
  ] as const;
  for (const [name, value] of harmless) {
    it(`keeps ${name} of the repository that is ${value}`, async () => {
      configure(name, value);
      assert.match(await run(`git config --get-all ${name}`), new RegExp(`^${value}$`, 'u'));
    });
  }

  it('works in a workspace that is a repository without .git, and in its working folders', async () => {
    const bare = path.join(parent, 'bare');
    git(parent, 'clone', '--quiet', '--bare', root, bare);
    git(bare, 'worktree', 'add', '--quiet', 'tree');
    const over = ScratchWorkspace.over(bare, {});
    try {
      for (const cwd of ['.', 'tree']) {
        assert.match(await over.call('run_shell_command', { command: 'git log --oneline', cwd }), / one$/mu);
      }
    } finally {
      await over.dispose();
    }
  });

  it('fetches nothing that is missing', async () => {
    lackAll();
    configure('--unset', 'remote.x.uploadpack');
    assert.match(await run('git log'), /lazy fetching disabled/u);
  });

  it('G1.git: shows no files outside of the workspace that settings call those of the repository', async () => {
    mkdirSync(path.join(parent, 'outside'));
    writeFileSync(path.join(parent, 'outside', 'a.txt'), 'private\n');
    configure('core.worktree', '../../outside');
    const said = await scratch.failure('run_shell_command', { command: 'git diff' });
    assert.match(said, /outside \(core\.worktree\), outside of the workspace, so .*not started/u);
  });

  it('works in submodules and working folders, even if only they are the workspace', async () => {
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './', 'inner');
    git(root, 'worktree', 'add', '--quiet', path.join(parent, 'tree'));
    assert.equal(git(path.join(root, 'inner'), 'config', 'core.worktree'), '../../../inner');
    const workspaces = [root, path.join(root, 'inner'), path.join(parent, 'tree')];
    for (const workspace of workspaces) {
      mkdirSync(path.join(workspace, 'deep'));
      const over = ScratchWorkspace.over(path.join(workspace, 'deep'), {});
      for (const command of ['git log --oneline', 'git log --oneline --submodule=diff']) {
        assert.match(await over.call('run_shell_command', { command }), / one$/mu);
      }
      await over.dispose();
    }
  });

  it('fetches what a clone has left on another machine', async () => {
    lackAll();
    configure('--unset', 'remote.x.uploadpack');
    configure('remote.x.url', 'ssh://127.0.0.1:1/x');
    await asUser('[core]\n\tsshCommand = echo mine >&2 \n', async () => {
      assert.match(await run('git log'), /^mine .*127/mu);
    });
  });

  for (const address of ['x', 'x::y', 'file:///x', 'C:/x']) {
    it(`fetches nothing from ${address}`, async () => {
      lackAll();
      configure('--unset', 'remote.x.uploadpack');
      configure('remote.x.url', address);
      assert.match(await run('git log'), /lazy fetching disabled/u);
    });
  }

  it('calls no hook when it has fetched what a clone has left on another machine', async () => {
    const far = path.join(parent, 'far');
    newRepository(far);
    git(far, 'config', 'uploadpack.allowFilter', 'true');
    git(far, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    const clone = path.join(root, 'clone');
    git(root, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${far}`, clone);
    git(clone, 'config', 'gc.autoPackLimit', '1');
    git(clone, 'config', 'gc.autoDetach', 'false');
    git(clone, 'config', 'remote.origin.url', `far:${far}`);
    const hook = path.join(clone, '.git', 'hooks', 'pre-auto-gc');
    writeFileSync(hook, readFileSync(program()), { mode: 0o755 });
    await asUser(`[url "file://"]\n\tinsteadOf = far:\n`, async () => {
      assert.match(await run('git log -p', 'clone'), /^\+before$/mu);
    });
    assert.equal(traces(), '');
  });

  it('does not work in a repository made up of workspace files', async () => {
    git(root, 'clone', '--quiet', '--bare', '.', 'bare');
    assert.match(await run('git log', 'bare'), /cannot use bare repository/u);
  });

  it('runs the hooks of a commit, which does not only read', async () => {
    const hook = path.join(root, '.git', 'hooks', 'pre-commit');
    writeFileSync(hook, readFileSync(program()), { mode: 0o755 });
    await run('git -c user.name=a -c user.email=a@a commit -a -m two');
    assert.match(traces(), /pre-commit/u);
  });

  it('runs the hooks of a commit also by an alias of the user, and those in a folder that settings name', async () => {
    configure('core.hooksPath', 'mine');
    hook(path.join(root, 'mine'), 'pre-commit');
    await asUser('[alias]\n\tci = commit -a\n[user]\n\tname = a\n\temail = a@a\n', async () => {
      await run('git ci -m two');
    });
    assert.match(traces(), /pre-commit/u);
  });

  it('replaces a filter that only a terminal would start', async () => {
    configure('interactive.diffFilter', program());
    assert.match(await run('git config --get interactive.diffFilter'), /^cat$/u);
  });

  it('merges texts like git if the driver of the repository is switched off', async () => {
    twoSides(false);
    configure('merge.x.driver', program());
    assert.match(await run('git merge x'), /CONFLICT \(content\)/u);
    assert.match(
      readFileSync(path.join(root, 'a.txt'), 'utf8'),
      /^<<<<<<< ours\nafter!\n=======\nother\n>>>>>>> /u,
    );
  });

  long.it('does not start git if its settings are too large to check', async () => {
    writeFileSync(
      path.join(root, '.git', 'config'),
      `[a]\n${`\tb = ${'c'.repeat(1_000)}\n`.repeat(70_000)}[diff]\n\texternal = ${program()}\n`,
    );
    assert.match(await scratch.failure('run_shell_command', { command: 'git diff' }), /settings of git/u);
    assert.equal(traces(), '');
  });
});
