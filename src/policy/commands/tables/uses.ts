import type { PathUse } from '../../../core/words/verdict';

const words = (text: string, use: PathUse): Readonly<Record<string, PathUse>> =>
  Object.fromEntries(text.split(' ').map((word) => [word, use]));

/**
 * What a program does with the places in its arguments, by its name with a subcommand or alone. A program that is not
 * listed may write there. `move` and `delete` affect everything in a folder.
 */
export const uses: Readonly<Record<string, PathUse>> = {
  ...words('ls stat du find gfind basename dirname realpath readlink', 'read'),
  ...words(
    'cat head tail tac wc nl rev cut tr fold fmt pr paste join column expand unexpand strings',
    'read',
  ),
  ...words('grep egrep fgrep rgrep pcregrep pcre2grep zgrep rg ag ack ugrep fd fdfind jq', 'read'),
  ...words('diff cmp comm diff3 sdiff colordiff zdiff zcat bat batcat tokei', 'read'),
  ...words('md5sum sha1sum sha256sum cksum sum b2sum', 'read'),
  ...words('echo printf pwd date whoami id uname which type true false seq sleep df ps', 'read'),
  ...words('cp mv ln install chmod chown chgrp tar gtar bsdtar zip unzip rsync', 'move'),
  ...words('rm rmdir unlink', 'delete'),
  ...words('tee dd touch mkdir truncate sed patch', 'write'),
  git: 'read',
  ...Object.fromEntries(
    ['checkout', 'restore', 'clone', 'init', 'submodule', 'worktree'].map((name) => [`git ${name}`, 'write']),
  ),
  'git mv': 'move',
  'git rm': 'delete',
  // Windows
  ...words('dir get-content gc get-childitem gci get-item gi select-string sls findstr test-path', 'read'),
  ...words('copy move ren mklink xcopy robocopy copy-item move-item rename-item', 'move'),
  ...words('del erase rd ri remove-item', 'delete'),
};
