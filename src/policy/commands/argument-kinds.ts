import { isAddress } from './addresses';
import { isFieldPath, isFieldTemplate, isPrintingSed, isSubstitution } from './embedded-programs';

/** What a word is if it has this form, besides being harmless as it is. */
export type Meaning =
  /** Nothing that a program looks up. */
  | 'plain'
  /** A file or folder. */
  | 'path'
  /** A commit, judged as a path because git takes it for one if there is one. */
  | 'revision'
  /** A path or a pattern of paths that the program expands itself. */
  | 'pattern'
  /** Not a path, if no file has this name. */
  | 'name';

export interface Kind {
  readonly fits: (word: string) => boolean;
  readonly means: Meaning;
  /** The parts of the word that are paths; the word itself if not given. */
  readonly paths?: (word: string) => readonly string[];
}

const plain = (form: RegExp): Kind => ({
  fits: (word) => form.test(word) && !isAddress(word),
  means: 'plain',
});

/** Some programs take `@file` as a list of arguments, `+x` and `!x` as more than a name. */
const PATH = /^(?![-@+!^:])[^\n]+$|^-$/su;
const GLOB = /[*?[\]{}]/u;
const REVISION = /^(?![-:.+/])[\w./@{}~^+-]+$/u;
const BRANCH = /^(?![-:+/.])[\w./+-]+$/u;
const ITEM = /^[A-Za-z_][\w:.-]*$/u;
const DRIVE = /^[A-Za-z]:[\\/]/u;

const isPath = (word: string): boolean =>
  PATH.test(word) && (!word.includes(':') || DRIVE.test(word)) && !word.includes('=') && !isAddress(word);

/** `tests/a.py::test_x[1]`, `spec/a_spec.rb:12:14`, `src/a.ts` */
const TEST = /^([^:[\]=]+)(?:(?:::[\w.-]+(?:\[[\w.,: -]*\])?)+|(?::\d+)+|\[[\d:, ]+\])?$/u;
/** `./...`, `./cmd/x`, `.` */
const GO_PACKAGES = /^(\.{1,2}(?:\/[\w.-]+)*?)(?:\/\.\.\.)?\/?$/u;
const PACKAGE_NAME = /^[A-Za-z_][\w-]*(?:::\w+)*$/u;

const COLUMN =
  'pid|ppid|pgid|sid|uid|gid|user|group|ruser|cmd|comm|args|command|ucmd|fname|etime|etimes|time|cputime|start|lstart|stat|state|rss|vsz|pcpu|pmem|%cpu|%mem|nice|ni|pri|psr|tty|tt|tid|lwp|nlwp|wchan';

/** `!node_modules` leaves out what it names. */
const unnegated = (word: string): string => word.replace(/^!/u, '');

/** The kinds of values and operands, by their names in the tables. */
export const kinds = {
  NUMBER: plain(/^[+-]?\d+(?:\.\d+)?(?:[a-zA-Z]{1,3}|%)?(?:\d+[a-z]{1,2})?$/u),
  /** A search pattern, a message, a test expression: only where the program takes it as text. */
  TEXT: { fits: () => true, means: 'plain' },
  /** One of the program's own things: a test, a rule, a container. */
  ITEM: plain(ITEM),
  ITEMS: plain(/^[A-Za-z_@][\w:./@-]*(?:,[A-Za-z_@][\w:./@-]*)*$/u),
  EXTENSIONS: plain(/^\.?\w+(?:,\.?\w+)*$/u),
  PATH: { fits: isPath, means: 'path' },
  /** A path that cannot be taken for a subcommand or a value: with a slash or a dot. */
  FILE: { fits: (word) => isPath(word) && /[./\\]/u.test(word), means: 'path' },
  PATTERN: {
    fits: (word) => isPath(unnegated(word)),
    means: 'pattern',
  },
  /** The same, but nothing that may be a subcommand. */
  FILES: {
    fits: (word) => isPath(word) && /[./\\*]/u.test(word),
    means: 'pattern',
  },
  /** For git, which also reads patterns in it. */
  PATHSPEC: { fits: (word) => isPath(word) && !GLOB.test(word), means: 'path' },
  /** `HEAD~1`, `a...b`, `HEAD:src/a.ts` */
  REVISION: {
    fits: (word) => {
      const [revision = '', path, ...more] = word.split(':');
      const isOne = REVISION.test(revision) && more.length === 0 && !isAddress(word);
      return isOne && (path === undefined || isPath(path));
    },
    means: 'revision',
    paths: (word) => word.split(':'),
  },
  /** `main`, `HEAD:main`; never `+main`, which forces, and `:main`, which deletes. */
  REFSPEC: {
    fits: (word) => {
      const sides = word.split(':');
      return sides.length <= 2 && sides.every((side) => BRANCH.test(side));
    },
    means: 'plain',
  },
  /** The name of a remote: an address or a path has other signs, and a folder of this name would be a repository. */
  REMOTE: { fits: (word) => /^\w[\w-]*$/u.test(word), means: 'name' },
  TEST: {
    fits: (word) => TEST.test(word) && isPath(TEST.exec(word)?.[1] ?? ''),
    means: 'path',
    paths: (word) => [TEST.exec(word)?.[1] ?? word],
  },
  PACKAGES: {
    fits: (word) => GO_PACKAGES.test(word),
    means: 'path',
    paths: (word) => [GO_PACKAGES.exec(word)?.[1] ?? word],
  },
  PACKAGE: plain(PACKAGE_NAME),
  /** The settings of TypeScript in the folder itself. */
  TSCONFIG: {
    fits: (word) => /^(?:\.|(?:\.\/)?tsconfig(?:\.[\w-]+)*\.json)$/u.test(word),
    means: 'path',
  },
  JQ: { fits: isFieldPath, means: 'plain' },
  JSONPATH: { fits: isFieldTemplate, means: 'plain' },
  SED_LINES: { fits: isPrintingSed, means: 'plain' },
  SED: { fits: isSubstitution, means: 'plain' },
  /** `+%F` */
  DATE: plain(/^\+[^\n]*$/u),
  NUMBERS: plain(/^\d+(?:,\d+)*$/u),
  /** `1,3-5` */
  RANGES: plain(/^[\d,-]*\d[\d,-]*$/u),
  /** `10,20`, `10,+5` */
  LINES: plain(/^\d+(?:,[+-]?\d+)?$/u),
  /** `2,2nr` */
  SORT_KEY: plain(/^\d+(?:\.\d+)?[bdfgiMhnRrV]*(?:,\d+(?:\.\d+)?[bdfgiMhnRrV]*)?$/u),
  /** Columns of `ps`, except the one with the environment. */
  COLUMNS: plain(new RegExp(`^(?:${COLUMN})=?(?:,(?:${COLUMN})=?)*$`, 'u')),
  PS_KEY: plain(/^[+-]?[%a-z]+(?:,[+-]?[%a-z]+)*$/u),
  /** `FooTest#bar,com.example.*` */
  TESTS: plain(/^[A-Za-z*!][\w.,#*!+$-]*$/u),
  /** `1/3` */
  SHARD: plain(/^\d+\/\d+$/u),
  NO_PLUGIN: plain(/^no:[\w.-]+$/u),
  JSON_FIELD: plain(/^\{?\.?[A-Za-z_][\w.-]*\}?$/u),
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

export function isKind(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}
