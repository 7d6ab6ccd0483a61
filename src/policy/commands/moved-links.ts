import { gitSubcommand, programName } from './programs';
import { startedWords } from './started-programs';

const MAKES_LINKS: ReadonlySet<string> = new Set(
  'ln mv rsync install tar gtar bsdtar unzip 7z 7za 7zz mklink move ren move-item new-item'.split(' '),
);
const GIT_MAKES_LINKS: ReadonlySet<string> = new Set(
  'checkout switch restore pull merge stash reset rebase cherry-pick revert clone worktree submodule mv'.split(
    ' ',
  ),
);

/**
 * Whether links may move or change their target: the paths of later commands in the same line were already looked up.
 */
export function mayMakeLinks(command: readonly string[]): boolean {
  const words = startedWords(command);
  const program = programName(words[0] ?? '');
  if (program === 'git') return GIT_MAKES_LINKS.has(words[gitSubcommand(words)] ?? '');
  // Without options it copies the target of a link.
  if (program === 'cp') return words.some((word) => word.startsWith('-'));
  return MAKES_LINKS.has(program);
}
