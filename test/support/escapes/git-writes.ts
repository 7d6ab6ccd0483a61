import { execFileSync } from 'node:child_process';
import { lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Escape } from './escape';
import type { World } from './world';

const writable = () => ({ git: 'write' }) as const;
const spoils = (file: string) => (world: World) => world.isSpoilt(file);
const makes = (file: string) => (world: World) => world.has(file);

/** Writes to files that decide what git runs. */
export const gitWrites: readonly Escape[] = [
  {
    name: 'change a hook',
    attempt: () => 'echo spoilt >> .git/hooks/pre-commit',
    succeeded: spoils('.git/hooks/pre-commit'),
  },
  {
    name: 'add a hook',
    attempt: () => 'echo spoilt > .git/hooks/post-checkout',
    succeeded: makes('.git/hooks/post-checkout'),
  },
  {
    name: 'let git run a hook',
    attempt: () => 'chmod +x .git/hooks/pre-push',
    succeeded: (world) => (lstatSync(world.in('.git/hooks/pre-push')).mode & 0o100) !== 0,
  },
  {
    name: 'set a program in the settings of git',
    attempt: () => 'git config core.fsmonitor spoilt',
    succeeded: spoils('.git/config'),
  },
  {
    name: 'add to the settings of git',
    attempt: () => "printf '[core]\\n\\tfsmonitor = spoilt\\n' >> .git/config",
    succeeded: spoils('.git/config'),
  },
  {
    name: 'make settings of a working tree',
    attempt: () => 'echo spoilt > .git/config.worktree',
    succeeded: makes('.git/config.worktree'),
  },
  {
    name: 'make attributes of a repository',
    attempt: () => 'mkdir -p .git/info && echo spoilt > .git/info/attributes',
    succeeded: makes('.git/info/attributes'),
  },
  {
    name: 'rename a repository and make another',
    attempt: () => 'mv .git old; cp -r old .git; mkdir -p .git/hooks; echo spoilt > .git/hooks/pre-commit',
    succeeded: spoils('.git/hooks/pre-commit'),
  },
  {
    name: 'remove hooks',
    attempt: () => 'rm -rf .git/hooks',
    succeeded: (world) => !world.has('.git/hooks/pre-commit'),
  },
  {
    name: 'remove a repository',
    attempt: () => 'rm -rf .git',
    succeeded: (world) => !world.has('.git/HEAD'),
  },
  {
    name: 'make a repository in a folder',
    attempt: () => 'git init -q --template= src && git -C src config core.fsmonitor spoilt',
    succeeded: makes('src/.git'),
  },
  {
    name: 'make a .git file that points git to a new repository',
    attempt: () => 'git init -q --bare mine && echo "gitdir: ../mine" > src/.git',
    succeeded: makes('src/.git'),
    leaves: ['mine'],
  },
  {
    name: 'make a repository in the workspace',
    prepare: (world) => rmSync(world.in('.git'), { recursive: true }),
    attempt: () => 'git init -q --template= . && echo spoilt >> .git/config',
    succeeded: makes('.git'),
  },
  ...[
    { file: '.git/hooks/pre-commit', what: 'change a hook' },
    { file: '.git/hooks/post-checkout', what: 'add a hook' },
    { file: '.git/config', what: 'change settings' },
    { file: '.git/config.worktree', what: 'make settings of a working tree' },
    { file: '.git/commondir', what: 'point git to other settings' },
  ].map(({ file, what }): Escape => ({
    name: `${what} of a repository that it may write to`,
    settings: writable,
    attempt: () => `echo spoilt >> ${file}`,
    succeeded: spoils(file),
  })),
  {
    name: 'make attributes of a repository that it may write to',
    settings: writable,
    attempt: () => 'mkdir -p .git/info && echo spoilt > .git/info/attributes',
    succeeded: makes('.git/info/attributes'),
    leaves: ['.git/info'],
  },
  {
    name: 'add hooks to a writable repository without hooks',
    settings: writable,
    prepare: (world) => rmSync(world.in('.git/hooks'), { recursive: true }),
    attempt: () => 'mkdir .git/hooks && echo spoilt > .git/hooks/pre-commit',
    succeeded: makes('.git/hooks'),
  },
  {
    name: 'rename hooks of a repository that it may write to and make others',
    settings: writable,
    attempt: () => 'mv .git/hooks .git/old; mkdir -p .git/hooks; echo spoilt > .git/hooks/pre-commit',
    succeeded: spoils('.git/hooks/pre-commit'),
  },
  {
    name: 'rename a repository that it may write to and make another',
    settings: writable,
    attempt: () => 'mv .git old; mkdir -p .git/hooks; echo spoilt > .git/hooks/pre-commit',
    succeeded: spoils('.git/hooks/pre-commit'),
  },
  {
    name: 'remove hooks of a repository that it may write to',
    settings: writable,
    attempt: () => 'rm -rf .git/hooks',
    succeeded: (world) => !world.has('.git/hooks/pre-commit'),
  },
  ...['read', 'write'].map((git): Escape => ({
    name: `change hooks of a working tree's repository elsewhere, with git: ${git}`,
    settings: () => ({ git: git === 'write' ? 'write' : 'read' }),
    prepare: makeWorkingTree,
    attempt: () => 'echo spoilt >> "$(git rev-parse --git-common-dir)/hooks/pre-commit"',
    succeeded: (world) => world.isSpoilt(path.join(world.outside, 'main/.git/hooks/pre-commit')),
  })),
  {
    name: "make settings of a working tree's repository elsewhere that it may write to",
    settings: writable,
    prepare: makeWorkingTree,
    attempt: () => 'echo spoilt > "$(git rev-parse --git-common-dir)/config.worktree"',
    succeeded: (world) => world.has(path.join(world.outside, 'main/.git/config.worktree')),
  },
  {
    name: 'change hooks of a repository that a file .git names in the workspace',
    settings: writable,
    prepare: (world) => {
      renameSync(world.in('.git'), world.in('store'));
      world.write('.git', 'gitdir: store\n');
    },
    attempt: () => 'echo spoilt >> store/hooks/pre-commit; echo spoilt > store/hooks/post-checkout',
    succeeded: (world) => world.isSpoilt('store/hooks/pre-commit') || world.has('store/hooks/post-checkout'),
  },
  {
    name: 'write to a repository behind a link',
    prepare: (world) => {
      renameSync(world.in('.git'), path.join(world.outside, 'real'));
      symlinkSync(path.join(world.outside, 'real'), world.in('.git'));
    },
    attempt: () => 'echo spoilt >> .git/hooks/pre-commit',
    succeeded: spoils('.git/hooks/pre-commit'),
  },
  {
    name: 'write to a repository in the workspace behind a link',
    prepare: (world) => {
      renameSync(world.in('.git'), world.in('real'));
      symlinkSync('real', world.in('.git'));
    },
    attempt: () => 'echo spoilt >> real/hooks/pre-commit',
    succeeded: spoils('.git/hooks/pre-commit'),
  },
  {
    name: 'change hooks of a submodule',
    prepare: (world) => {
      world.write('.git/modules/libs/one/HEAD', 'ref: refs/heads/main\n');
      world.write('.git/modules/libs/one/hooks/pre-commit', '#!/bin/sh\n', 0o755);
    },
    settings: writable,
    attempt: () => 'echo spoilt >> .git/modules/libs/one/hooks/pre-commit',
    succeeded: spoils('.git/modules/libs/one/hooks/pre-commit'),
  },
  {
    name: 'make the repository that a file .git names',
    prepare: (world) => world.write('src/.git', 'gitdir: ../missing\n'),
    attempt: () => 'git init -q --bare missing && git -C src config core.fsmonitor spoilt',
    succeeded: (world) => world.isSpoilt('missing/config') && world.has('src/.git'),
    leaves: ['missing', 'src/.git'],
  },
];

/** Makes the workspace a linked working tree of a repository outside. */
function makeWorkingTree(world: World): void {
  const main = path.join(world.outside, 'main');
  execFileSync('cp', ['-a', world.workspace, main]);
  rmSync(world.workspace, { recursive: true });
  execFileSync('git', ['-C', main, 'worktree', 'add', '-q', '-b', 'other', world.workspace]);
}
