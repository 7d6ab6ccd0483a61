import { isAddress } from './addresses';
import { isFieldPath, isFieldTemplate } from './jq';
import { isPrintingSed, isSubstitution } from './sed';

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
  /** What to say of a word that is not of this kind: "is no number". */
  readonly what: string;
  readonly fits: (word: string) => boolean;
  readonly means: Meaning;
  /** The parts of the word that are paths; the word itself if not given. */
  readonly paths?: (word: string) => readonly string[];
}

const plain = (what: string, form: RegExp): Kind => ({
  what,
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
  NUMBER: plain('a number', /^[+-]?\d+(?:\.\d+)?(?:[a-zA-Z]{1,3}|%)?(?:\d+[a-z]{1,2})?$/u),
  /** A search pattern, a message, a test expression: only where the program takes it as text. */
  TEXT: { what: 'a text', fits: () => true, means: 'plain' },
  /** One of the program's own things: a test, a rule, a container. */
  ITEM: plain('a name', ITEM),
  ITEMS: plain('names', /^[A-Za-z_@][\w:./@-]*(?:,[A-Za-z_@][\w:./@-]*)*$/u),
  EXTENSIONS: plain('endings of files', /^\.?\w+(?:,\.?\w+)*$/u),
  NAME: {
    what: 'a name',
    fits: (word) => /^[\w.][\w.:@/+-]*$/u.test(word) && !isAddress(word),
    means: 'name',
  },
  PATH: { what: 'a path', fits: isPath, means: 'path' },
  /** A path that cannot be taken for a subcommand or a value: with a slash or a dot. */
  FILE: { what: 'a path', fits: (word) => isPath(word) && /[./\\]/u.test(word), means: 'path' },
  PATTERN: {
    what: 'a path or a pattern of paths',
    fits: (word) => isPath(unnegated(word)),
    means: 'pattern',
  },
  /** The same, but nothing that may be a subcommand. */
  FILES: {
    what: 'a path or a pattern of paths',
    fits: (word) => isPath(word) && /[./\\*]/u.test(word),
    means: 'pattern',
  },
  /** For git, which also reads patterns in it. */
  PATHSPEC: { what: 'a path', fits: (word) => isPath(word) && !GLOB.test(word), means: 'path' },
  /** `HEAD~1`, `a...b`, `HEAD:src/a.ts` */
  REVISION: {
    what: 'a revision',
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
    what: 'a branch',
    fits: (word) => {
      const sides = word.split(':');
      return sides.length <= 2 && sides.every((side) => BRANCH.test(side));
    },
    means: 'plain',
  },
  /** The name of a remote: an address or a path has other signs, and a folder of this name would be a repository. */
  REMOTE: { what: 'the name of a remote', fits: (word) => /^\w[\w-]*$/u.test(word), means: 'name' },
  TEST: {
    what: 'a test',
    fits: (word) => TEST.test(word) && isPath(TEST.exec(word)?.[1] ?? ''),
    means: 'path',
    paths: (word) => [TEST.exec(word)?.[1] ?? word],
  },
  PACKAGES: {
    what: 'packages of the workspace',
    fits: (word) => GO_PACKAGES.test(word),
    means: 'path',
    paths: (word) => [GO_PACKAGES.exec(word)?.[1] ?? word],
  },
  PACKAGE: plain('a package', PACKAGE_NAME),
  /** The settings of TypeScript in the folder itself. */
  TSCONFIG: {
    what: 'a tsconfig of this folder',
    fits: (word) => /^(?:\.|(?:\.\/)?tsconfig(?:\.[\w-]+)*\.json)$/u.test(word),
    means: 'path',
  },
  JQ: { what: 'a path of fields', fits: isFieldPath, means: 'plain' },
  JSONPATH: { what: 'a path of fields', fits: isFieldTemplate, means: 'plain' },
  SED_LINES: { what: 'printing lines', fits: isPrintingSed, means: 'plain' },
  SED: { what: 'substituting text', fits: isSubstitution, means: 'plain' },
  /** `+%F` */
  DATE: plain('a form of dates', /^\+[^\n]*$/u),
  NUMBERS: plain('numbers', /^\d+(?:,\d+)*$/u),
  /** `1,3-5` */
  RANGES: plain('ranges', /^[\d,-]*\d[\d,-]*$/u),
  /** `10,20`, `10,+5` */
  LINES: plain('lines', /^\d+(?:,[+-]?\d+)?$/u),
  /** `2,2nr` */
  SORT_KEY: plain('a key', /^\d+(?:\.\d+)?[bdfgiMhnRrV]*(?:,\d+(?:\.\d+)?[bdfgiMhnRrV]*)?$/u),
  /** Columns of `ps`, except the one with the environment. */
  COLUMNS: plain('columns', new RegExp(`^(?:${COLUMN})=?(?:,(?:${COLUMN})=?)*$`, 'u')),
  PS_KEY: plain('columns', /^[+-]?[%a-z]+(?:,[+-]?[%a-z]+)*$/u),
  /** `FooTest#bar,com.example.*` */
  TESTS: plain('tests', /^[A-Za-z*!][\w.,#*!+$-]*$/u),
  /** `1/3` */
  SHARD: plain('a part', /^\d+\/\d+$/u),
  NO_PLUGIN: plain('a plugin to leave out', /^no:[\w.-]+$/u),
  JSON_FIELD: plain('a field', /^\{?\.?[A-Za-z_][\w.-]*\}?$/u),
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

export function isKind(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}
