import type { Rule } from '../../core/words/grammar';
import type { WorkspaceFacts } from '../../core/words/workspace-facts';
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

/** The rules of arguments that name something of the workspace. */
export class FactRules {
  constructor(
    private readonly build: GrammarBuilder,
    private readonly facts: WorkspaceFacts,
  ) {}

  /** A file that exists, but none of `without`; nothing if the files are not known. */
  file(without: readonly string[] = []): Rule | undefined {
    const { files } = this.facts;
    if (!files) return undefined;
    const name = without.length > 0 ? 'other-file' : 'file';
    return this.build.once(name, () => this.path(files.filter((each) => !without.includes(each))));
  }

  folder(): Rule | undefined {
    const { files } = this.facts;
    if (!files) return undefined;
    return this.build.once('folder', () => this.path(['.', ...new Set(files.flatMap(foldersOf))]));
  }

  /** Runs of whole lines of the files that are known, by their paths. */
  lines(): ReadonlyMap<string, Rule> {
    const found = new Map<string, Rule>();
    let size = 0;
    for (const [path, content] of [...this.facts.texts].reverse()) {
      size += content.length;
      const rule = size > SIZE ? undefined : this.linesOf(path, content);
      if (rule) found.set(path, rule);
    }
    return found;
  }

  private path(paths: readonly string[]): Rule {
    const free = sequence(
      anyOf(UNLISTED.map((each) => ({ text: each }))),
      repeat(chars('^\u0000-\u001f\u007f')),
    );
    const known = paths.map((path) => ({ text: lineOf(path) }));
    return known.length === 0 ? free : choice(anyOf(known), free);
  }

  /** A run of whole lines, at least so long that it occurs only once. */
  private linesOf(path: string, content: string): Rule | undefined {
    const lines = content.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    if (lines.length > LINES || !lines.some((line) => line.trim() !== '')) return undefined;
    // Models see such characters in another spelling.
    if (lines.some((line) => /[\u0000-\u0008\u000b-\u001f\u007f]/.test(line))) return undefined;
    const { build } = this;
    const whole = `${lines.join('\n')}\n`;
    const written = lines.map((line) => `${escapedLine(line)}\n`);
    const wanted = `lines of ${path}`;
    const rest: Rule[] = [];
    for (let at = lines.length - 1; at >= 0; at--)
      rest[at] = build.add(wanted, sequence(written[at] ?? '', optional(rest[at + 1] ?? EMPTY)));
    const starts = lines.flatMap((line, at): Branch[] => {
      if (line.trim() === '') return [];
      const end = endOfUnique(whole, lines, at);
      const next = rest[end];
      return [{ text: written.slice(at, end).join(''), ...(next && { next: optional(next) }) }];
    });
    return build.add(wanted, anyOf(starts));
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
