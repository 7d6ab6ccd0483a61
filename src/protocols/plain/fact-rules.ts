import type { Rule } from '../../core/words/grammar';
import type { WorkspaceFacts } from '../../core/words/workspace-facts';
import type { CallRules } from '../grammar/call-grammar';
import { chars, choice, EMPTY, optional, repeat, sequence, type GrammarBuilder } from '../grammar/rules';
import { escapedLine, lineOf } from './lines';

/** With longer files, the choice of a line costs more time than it saves. */
const LINES = 300;
/** UTF-16 units of all files together. */
const SIZE = 16_000;

/** Begin paths that are in no list of files: outside the workspace, or ignored. */
const UNLISTED = [
  ...['/', '../', '~'],
  ...['node_modules/', 'dist/', 'build/', 'out/', 'target/', 'vendor/', 'coverage/', 'tmp/', 'bin/', 'obj/'],
  ...['.git/', '.venv/', 'venv/', '__pycache__/', '.cache/'],
];

/** Characters of a path behind its free beginning. */
const FREE_PATH = 200;

/** A text, and what may follow it. */
interface Branch {
  readonly text: string;
  readonly next?: Rule;
}

/** One of several texts, as a tree of their common beginnings: as a list they would cost twice the time. */
export function anyOf(branches: readonly Branch[]): Rule {
  const sorted = [...branches].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return tree(sorted, 0);
}

/** `branches` are sorted, and have the same characters before `from`. */
function tree(branches: readonly Branch[], from: number): Rule {
  const groups = new Map<string, Branch[]>();
  for (const branch of branches) {
    const key = Array.from(branch.text.slice(from, from + 2))[0] ?? '';
    groups.set(key, [...(groups.get(key) ?? []), branch]);
  }
  return choice(
    ...[...groups.values()].map((group): Rule => {
      const [first, last] = [group[0], group.at(-1)];
      if (!first || !last) return EMPTY;
      const shared = sharedLength(first.text, last.text, from);
      if (shared === from || group.length === 1)
        return choice(...group.map(({ text: all, next = EMPTY }) => sequence(all.slice(from), next)));
      return sequence(first.text.slice(from, shared), tree(group, shared));
    }),
  );
}

/** Never within a pair of surrogates. */
function sharedLength(a: string, b: string, from: number): number {
  let at = from;
  while (at < a.length && a[at] === b[at]) at++;
  const isWithin = at > from && /[\ud800-\udbff]/.test(a[at - 1] ?? '');
  return isWithin ? at - 1 : at;
}

const ofGrammar = new WeakMap<CallRules, FactRules>();

/** The rules of arguments that name something of the workspace. */
export class FactRules {
  private known: ReadonlyMap<string, Rule> | undefined;

  private constructor(
    private readonly build: GrammarBuilder,
    private readonly facts: WorkspaceFacts,
  ) {}

  /** Those of a grammar, which all its tools share; nothing if nothing is known. */
  static of(rules: CallRules): FactRules | undefined {
    const made = ofGrammar.get(rules) ?? (rules.facts && new FactRules(rules.build, rules.facts));
    if (made) ofGrammar.set(rules, made);
    return made;
  }

  /** A file that exists; nothing if the files are not known. */
  file(): Rule | undefined {
    const other = this.fileWithoutLines();
    return other && this.build.once('file', () => choice(...[...this.lines().keys()].map(lineOf), other));
  }

  /** A file that exists and whose lines are not known. */
  fileWithoutLines(): Rule | undefined {
    const { files } = this.facts;
    const known = this.lines();
    return files && this.build.once('other-file', () => this.path(files.filter((each) => !known.has(each))));
  }

  /** A file that may be edited and whose lines are not known. */
  editable(): Rule | undefined {
    const { files, seen } = this.facts;
    if (!files || !seen) return this.fileWithoutLines();
    const known = this.lines();
    return this.build.once('edited-file', () => this.path(seen.filter((each) => !known.has(each))));
  }

  /** A file that exists and was not read as it is now. */
  unread(): Rule | undefined {
    const { files, read } = this.facts;
    if (!files || !read || read.size === 0) return this.file();
    return this.build.once('unread-file', () => this.path(files.filter((each) => !read.has(each))));
  }

  folder(): Rule | undefined {
    const { files } = this.facts;
    if (!files) return undefined;
    return this.build.once('folder', () => this.path(['.', ...new Set(files.flatMap(foldersOf))]));
  }

  /** Runs of whole lines of the files that are known, by their paths. */
  lines(): ReadonlyMap<string, Rule> {
    if (this.known) return this.known;
    const found = new Map<string, Rule>();
    let size = 0;
    for (const [path, content] of [...this.facts.texts].reverse()) {
      size += content.length;
      const rule = size > SIZE ? undefined : this.linesOf(content);
      if (rule) found.set(path, rule);
    }
    this.known = found;
    return found;
  }

  private path(paths: readonly string[]): Rule {
    const free = sequence(
      anyOf(UNLISTED.map((each) => ({ text: each }))),
      repeat(chars('^\u0000-\u001f\u007f'), 0, FREE_PATH),
    );
    const known = paths.map((path) => ({ text: lineOf(path) }));
    return known.length === 0 ? free : choice(anyOf(known), free);
  }

  /** A run of whole lines, at least so long that it occurs only once. */
  private linesOf(content: string): Rule | undefined {
    const lines = content.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    if (lines.length > LINES || !lines.some((line) => line.trim() !== '')) return undefined;
    // Models see such characters in another spelling.
    if (lines.some((line) => /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line))) return undefined;
    const { build } = this;
    const whole = `${lines.join('\n')}\n`;
    const written = lines.map((line) => `${escapedLine(line)}\n`);
    const name = build.nameFor('lines');
    const rest = lines.map((_, at): Rule => ({ type: 'rule', name: `${name}-${at}` }));
    for (const [at, line] of written.entries()) {
      const next = rest[at + 1];
      build.set(`${name}-${at}`, sequence(line, ...(next ? [optional(next)] : [])));
    }
    const starts = lines.flatMap((line, at): Branch[] => {
      if (line.trim() === '') return [];
      const end = endOfUnique(whole, lines, at);
      const next = rest[end];
      return [{ text: written.slice(at, end).join(''), ...(next && { next: optional(next) }) }];
    });
    build.set(name, anyOf(starts));
    return { type: 'rule', name };
  }
}

/** Behind the last line of the shortest run from a line on that occurs once in the text. */
function endOfUnique(whole: string, lines: readonly string[], start: number): number {
  let run = '';
  for (let end = start; end < lines.length; end++) {
    run += `${lines[end] ?? ''}\n`;
    const first = whole.indexOf(run);
    if (whole.indexOf(run, first + 1) < 0) return end + 1;
  }
  return lines.length;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
