import { gitSubcommand } from '../../policy/commands/programs';

/** What a git command may contact besides its own repository, according to its words. */
interface GitReach {
  /** Indexes of the words that are another repository: the name of a remote, an address or a path. */
  readonly named: readonly number[];
  /** The words themselves, and values after a `=`. */
  readonly repositories: readonly string[];
  /** Words that may be one, if it is unknown whether the option before them takes a value. */
  readonly doubtful: readonly string[];
  /** Whether it may contact any remote in the settings. */
  readonly usesSettings: boolean;
  /** Whether it may go on into submodules. */
  readonly goesBelow: boolean;
  readonly pushes: boolean;
  /** Its argument is an address or a path, never the name of a remote. */
  readonly takesPlacesOnly: boolean;
}

/** An address on another machine. A single letter is a drive of Windows, and two colons name a program. */
export const FAR_ADDRESS =
  /^(?:(?:https?|ssh|git|ftps?|git\+ssh|ssh\+git):\/\/[^-]|(?!-)[\w.@-]{2,}:(?!:|\/\/)|\[[\w.@:]+\]:)/u;

/** Their argument is where they work, and they use the settings and hooks of that place. */
const SERVERS: readonly string[] = [
  ...['upload-pack', 'receive-pack', 'upload-archive', 'daemon', 'http-backend', 'shell', 'cvsserver'],
  ...['remote-ext', 'remote-fd'],
];
const REACHING: readonly string[] = ['fetch', 'pull', 'push', 'ls-remote', 'request-pull'];
/** They do not read remotes from the settings. */
const BY_PLACE: readonly string[] = ['clone', 'fetch-pack', 'send-pack', 'http-fetch', 'http-push'];
const LFS_REACHING: readonly string[] = [
  'fetch',
  'pull',
  'push',
  'clone',
  'lock',
  'unlock',
  'locks',
  'prune',
];

/** Options whose value follows. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  [
    '--depth --deepen --shallow-since --shallow-exclude --jobs -j --refmap --negotiation-tip --server-option --filter',
    '--push-option -o --strategy --strategy-option -X --branch -b --origin --reference --reference-if-able --sort',
    '--separate-git-dir',
  ]
    .join(' ')
    .split(' '),
);

/** Options without a value; after any other option, a word may be its value or the repository. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(
  [
    '-q --quiet -v --verbose -u --set-upstream -f --force -t --tags --no-tags -p --prune --prune-tags -n --dry-run -r',
    '--rebase --no-rebase --ff --ff-only --no-ff --force-with-lease --force-if-includes --no-verify --follow-tags',
    '--atomic --delete -d --mirror --unshallow --keep -k --progress --recurse-submodules --no-recurse-submodules',
    '--autostash --no-autostash --edit --no-edit --commit --no-commit --squash --porcelain --signed --thin --no-thin',
    '--heads -h --branches --refs --exit-code --symref --get-url --bare -l --local --no-hardlinks --shared',
    '--no-checkout --single-branch --no-single-branch --recursive --sparse --append -a --update-head-ok -4 -6 --',
    '--allow-unrelated-histories',
  ]
    .join(' ')
    .split(' '),
);

/** Nothing if the command stays in its repository. `words` begin with git. */
export function gitReach(words: readonly string[]): GitReach | undefined {
  const at = gitSubcommand(words);
  const subcommand = words[at] ?? '';
  const start = at + 1;
  const below = { goesBelow: true };
  if (SERVERS.includes(subcommand)) {
    return reach(words, { named: [words.length - 1], usesSettings: false, takesPlacesOnly: true });
  }
  if (BY_PLACE.includes(subcommand)) {
    return reach(words, { ...scanned(words, start), usesSettings: false, takesPlacesOnly: true });
  }
  if (REACHING.includes(subcommand)) {
    const found = scanned(words, start);
    // `--all` and `--multiple`, which may be shortened, use the remotes of the settings or any number of names.
    const isMany = subcommand !== 'push' && words.some((word) => /^--(?:all?|mul?t?i?p?l?e?)$/u.test(word));
    const usesSettings = isMany || found.named.length === 0;
    const more = isMany ? { doubtful: operands(words, start) } : {};
    const goesBelow = subcommand !== 'ls-remote' && subcommand !== 'request-pull';
    return reach(words, { ...found, ...more, usesSettings, goesBelow, pushes: subcommand === 'push' });
  }
  const inner = words.findIndex((word, index) => index > at && !word.startsWith('-'));
  const action = words[inner] ?? '';
  switch (subcommand) {
    case 'archive': {
      const named = words.flatMap((word, index) =>
        /^--rem/u.test(word) && !word.includes('=') ? [index + 1] : [],
      );
      const isFar = words.some((word) => /^--rem/u.test(word));
      return isFar ? reach(words, { named, doubtful: [], usesSettings: false }) : undefined;
    }
    case 'remote': {
      const rest = operandPlaces(words, inner + 1);
      if (action === 'update') return reach(words, { ...below, doubtful: operands(words, inner + 1) });
      if (action === 'add' && words.some((word) => /^-[a-z]*f|^--f/u.test(word))) {
        return reach(words, { named: rest.slice(-1), usesSettings: false, takesPlacesOnly: true });
      }
      const reaches = ['show', 'prune', 'set-head'].includes(action) && rest.length > 0;
      return reaches
        ? reach(words, { named: action === 'set-head' ? rest.slice(0, 1) : rest, usesSettings: false })
        : undefined;
    }
    case 'submodule':
      if (action === 'add') {
        return reach(words, { ...scanned(words, inner + 1), ...below, takesPlacesOnly: true });
      }
      return action === 'update' ? reach(words, below) : undefined;
    case 'lfs':
      return LFS_REACHING.includes(action)
        ? reach(words, { doubtful: operands(words, inner + 1), pushes: action === 'push' })
        : undefined;
    case 'maintenance':
      return words.some((word) => /prefetch|^--sch/u.test(word)) ? reach(words, {}) : undefined;
    default:
      return undefined;
  }
}

function reach(words: readonly string[], found: Partial<GitReach>): GitReach {
  const { named = [] } = found;
  const glued = words.flatMap((word) => gluedRepository(word) ?? []);
  return {
    named,
    doubtful: [],
    usesSettings: true,
    goesBelow: false,
    pushes: false,
    takesPlacesOnly: false,
    ...found,
    repositories: [...named.flatMap((at) => words[at] ?? []), ...glued],
  };
}

/** `--remote=x`, `--repo=x`, and as short as they may be written. */
function gluedRepository(word: string): string | undefined {
  return /^--(?:rem[ote]*|rep[o]*)=(.*)$/su.exec(word)?.[1];
}

/** The first operand is the repository; after it come branches, or the folder of a clone. */
function scanned(words: readonly string[], start: number): Pick<GitReach, 'named' | 'doubtful'> {
  const doubtful: string[] = [];
  for (let at = start; at < words.length; at++) {
    const word = words[at] ?? '';
    const before = at === start ? '' : (words[at - 1] ?? '');
    if (/^--rep?o?$/u.test(before)) return { named: [at], doubtful };
    if (word.startsWith('-') || WITH_VALUE.has(before)) continue;
    const mayBeValue = before.startsWith('-') && !before.includes('=') && !WITHOUT_VALUE.has(before);
    // After a word that may be the repository, another may be a branch.
    if (!mayBeValue && doubtful.length === 0) return { named: [at], doubtful };
    doubtful.push(word);
  }
  return { named: [], doubtful };
}

function operandPlaces(words: readonly string[], start: number): readonly number[] {
  return words.flatMap((word, at) => (at >= start && !word.startsWith('-') ? [at] : []));
}

function operands(words: readonly string[], start: number): readonly string[] {
  return operandPlaces(words, start).map((at) => words[at] ?? '');
}
