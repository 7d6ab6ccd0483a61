import {
  ANY,
  matchName,
  matchPath,
  parseClass,
  STAR,
  type NamePart,
  type PathComponent,
} from '../tools/name-pattern';

/** What an ignore file says, as git reads it. Of all rules that fit the last one decides. */
export class IgnoreFile {
  /** Most rules are plain names or endings; these need not be tried one by one. */
  private readonly byName = new Map<string, Rule[]>();
  private readonly byEnding = new Map<string, Rule[]>();
  private readonly others: Rule[] = [];

  constructor(text: string) {
    const lines = text.replace(/^\ufeff/, '').split('\n');
    for (const [index, line] of lines.entries()) {
      const rule = parseRule(line, index);
      if (rule) this.add(rule);
    }
  }

  /** What it says about an entry below its folder, whose path has `depth` names; nothing if no rule fits. */
  decide({ folders, name, isFolder }: IgnorableEntry, depth: number): 'ignored' | 'kept' | undefined {
    let best: Rule | undefined;
    let path: readonly string[] | undefined;
    const consider = (rule: Rule): void => {
      if ((best && best.index > rule.index) || (rule.onlyFolders && !isFolder)) return;
      if (rule.path) path ??= [...folders.slice(depth), name];
      if (rule.path && path ? matchPath(rule.path, path) : matchName(rule.name, name)) best = rule;
    };
    this.byName.get(name)?.forEach(consider);
    this.byEnding.get(endingOf(name))?.forEach(consider);
    this.others.forEach(consider);
    return best && (best.negated ? 'kept' : 'ignored');
  }

  private add(rule: Rule): void {
    const [first, ...rest] = rule.name;
    const plain = rest.every((part) => typeof part === 'string') ? rest.join('') : undefined;
    if (rule.path || plain === undefined) this.others.push(rule);
    else if (typeof first === 'string') insert(this.byName, first + plain, rule);
    else if (first === STAR && /^\.[^.]+$/.test(plain)) insert(this.byEnding, plain, rule);
    else this.others.push(rule);
  }
}

export interface IgnorableEntry {
  /** The names of the path of the folder it is in. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
}

interface Rule {
  readonly index: number;
  readonly negated: boolean;
  readonly onlyFolders: boolean;
  /** Fits names at every depth, unless there is a path. */
  readonly name: readonly NamePart[];
  /** Fits paths from the folder of the file on. */
  readonly path?: readonly PathComponent[];
}

function parseRule(line: string, index: number): Rule | undefined {
  const text = withoutBlanksAtEnd(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return undefined;
  const negated = text.startsWith('!');
  const [, body = '', slash] = /^(.*?)(\/?)$/su.exec(negated ? text.slice(1) : text) ?? [];
  const components = body.replace(/^\//, '').split('/').map(parseComponent);
  // A pattern that cannot be read fits nothing.
  if (body === '' || components.includes(undefined)) return undefined;
  const path = components.flatMap((component) => component ?? []);
  const [only] = path;
  const rule = { index, negated, onlyFolders: slash === '/', name: only?.parts ?? [] };
  if (!body.includes('/')) return rule;
  // `a/**` is what lies in the folder, not the folder.
  const ending = path.at(-1)?.anyDepth === true ? [{ anyDepth: false, parts: [STAR] as const }] : [];
  return { ...rule, path: [...path, ...ending] };
}

function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  // An escaped blank belongs to the pattern.
  const escapes = /\\*$/.exec(line.slice(0, end))?.[0].length ?? 0;
  return escapes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}

function parseComponent(source: string): PathComponent | undefined {
  const parts = parseParts(source);
  return parts && { anyDepth: /^\*{2,}$/.test(source), parts };
}

function parseParts(source: string): NamePart[] | undefined {
  const parts: NamePart[] = [];
  for (let i = 0; i < source.length; i++) {
    const character = source.charAt(i);
    if (character === '\\') {
      i++;
      if (i === source.length) return undefined;
      parts.push(source.charAt(i));
    } else if (character === '*') {
      if (parts.at(-1) !== STAR) parts.push(STAR);
    } else if (character === '?') parts.push(ANY);
    else if (character === '[') {
      const close = source.indexOf(']', i + (/^[!^]/.test(source.slice(i + 1)) ? 3 : 2));
      if (close < 0) return undefined;
      parts.push(parseClass(source.slice(i + 1, close)));
      i = close;
    } else parts.push(character);
  }
  return parts;
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

function insert(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const present = rules.get(key);
  if (present) present.push(rule);
  else rules.set(key, [rule]);
}
