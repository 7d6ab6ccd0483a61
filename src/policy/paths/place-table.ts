import { foldName, overlaps } from './path-text';

/**
 * A place by its name: one or more path components, at any depth. Lower case; `*` matches any characters of a component,
 * `?` one.
 */
export interface PlaceRow {
  readonly path: string;
}

/** A row with its reason, which is shown to the user who approves a change. */
export interface ReasonedRow extends PlaceRow {
  readonly why: string;
}

/** Rows that have the same reason. */
export interface RowGroup {
  readonly why: string;
  /** Separated by white space. */
  readonly paths: string;
}

export function rowsOf(groups: readonly RowGroup[]): readonly ReasonedRow[] {
  return groups.flatMap(({ why, paths }) =>
    paths
      .trim()
      .split(/\s+/u)
      .map((path) => ({ path, why })),
  );
}

/** Looks up places by every name that a file system or a program might treat as theirs. */
export class PlaceTable<Row extends PlaceRow> {
  /** The rows of one component without `*`. A name without a short form is looked up here. */
  private readonly plain: ReadonlyMap<string, Row>;
  /** The rows to try one by one, and those that only a short name needs. */
  private readonly tried: readonly TriedRow<Row>[];
  private readonly short: readonly TriedRow<Row>[];
  /** The rows to try for a name in the position of their first or last component. */
  private readonly byFirst: RowsByName<Row>;
  private readonly byLast: RowsByName<Row>;

  constructor(rows: readonly Row[]) {
    const isPlain = ({ path }: Row): boolean => !/[*?/]/u.test(path);
    const tried = (row: Row): TriedRow<Row> => {
      const names = row.path.split('/');
      return { row, names, parts: names.map(partOf) };
    };
    this.plain = new Map(rows.filter(isPlain).map((row) => [row.path, row]));
    this.tried = rows.filter((row) => !isPlain(row)).map(tried);
    this.short = rows.filter(isPlain).map(tried);
    this.byFirst = rowsByName(this.tried, 0);
    this.byLast = rowsByName(this.tried, -1);
  }

  /** The row that consecutive components of the path match: everything below a place belongs to it. */
  within(components: readonly string[]): Row | undefined {
    const names = components.map(readingsOf);
    for (const [at, name] of names.entries()) {
      const row = this.find(name, this.byFirst, ({ parts }) =>
        parts.every((part, index) => names[at + index]?.some(part) === true),
      );
      if (row) return row;
    }
    return undefined;
  }

  /** The row that the last components match. */
  atEnd(components: readonly string[]): Row | undefined {
    return this.find(
      readingsOf(components.at(-1) ?? ''),
      this.byLast,
      ({ parts }) =>
        parts.length <= components.length &&
        parts.every((part, at) => readingsOf(components.at(at - parts.length) ?? '').some(part)),
    );
  }

  private find(
    name: Readings,
    rows: RowsByName<Row>,
    fits: (row: TriedRow<Row>) => boolean,
  ): Row | undefined {
    for (const reading of name) {
      const row = this.plain.get(reading);
      if (row) return row;
    }
    if (name.some((reading) => reading.includes('~') && SHORT.test(reading)))
      return [...this.tried, ...this.short].find(fits)?.row;
    for (const reading of name) {
      for (const key of keysOf(reading)) {
        const found = rows.get(key)?.find(fits);
        if (found) return found.row;
      }
    }
    return undefined;
  }
}

/** Components of the longest row that is looked for at the end of a path. */
export const LONGEST_ROW = 4;

/** The names that one component may be treated as. */
type Readings = readonly string[];

interface TriedRow<Row> {
  readonly row: Row;
  readonly names: readonly string[];
  readonly parts: readonly ((name: string) => boolean)[];
}

type RowsByName<Row> = ReadonlyMap<string, readonly TriedRow<Row>[]>;

function rowsByName<Row>(rows: readonly TriedRow<Row>[], place: 0 | -1): RowsByName<Row> {
  const found = new Map<string, TriedRow<Row>[]>();
  for (const row of rows) {
    const key = keyOf(row.names.at(place) ?? '');
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

/**
 * Of a pattern itself, `a*` or `*z` by its first or last letter, or `*`. A name that matches it has the same key among
 * its keys.
 */
function keyOf(pattern: string): string {
  if (!/[*?]/u.test(pattern)) return pattern;
  if (!/^[*?]/u.test(pattern)) return `${pattern.slice(0, 1)}*`;
  return /[*?]$/u.test(pattern) ? '*' : `*${pattern.slice(-1)}`;
}

function keysOf(name: string): readonly string[] {
  return [name, `${name.slice(0, 1)}*`, `*${name.slice(-1)}`, '*'];
}

/** For recent names: the same folders occur in many paths. */
const known = new Map<string, Readings>();
const MOST_KNOWN = 1_000;

function readingsOf(name: string): Readings {
  const before = known.get(name);
  if (before) return before;
  if (known.size === MOST_KNOWN) known.clear();
  const readings = newReadingsOf(name);
  known.set(name, readings);
  return readings;
}

/** FAT and NTFS open `.git`, `.git. .` and `.git::$DATA` as the same, on whatever system they are mounted. */
function newReadingsOf(name: string): Readings {
  const folded = foldName(name, 'posix');
  if (!/:|[. ]$/u.test(name) && /^[\x20-\x7e]*$/u.test(name)) return [folded];
  const bare = foldName(name, 'win32');
  return bare === folded || bare === '' ? [folded] : [folded, bare];
}

function partOf(pattern: string): (name: string) => boolean {
  const isLike = likePattern(pattern);
  const isShort = likeShortName(pattern);
  return (name) => isLike(name) || (name.includes('~') && SHORT.test(name) && isShort(name));
}

/** Whether a name matches a pattern. With a single `*`, the time is proportional to the length of the name. */
function likePattern(pattern: string): (name: string) => boolean {
  // In a name these characters are literal.
  if (pattern.includes('?')) return (name) => overlaps(pattern, name.replace(/[*?]/gu, '_'));
  const [first = '', ...more] = pattern.split('*');
  const last = more.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    const end = name.length - last.length;
    if (name === '' || end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of more) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}

/** The 8.3 name that FAT and NTFS make of a longer one: `gitmod~1`, `env~1.loc`, or with a checksum `gi7d29~1`. */
const SHORT = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{1,3})?$/u;

function likeShortName(pattern: string): (name: string) => boolean {
  const bare = pattern.replace(/^[. ]+/u, '').replaceAll(' ', '');
  const dot = bare.lastIndexOf('.');
  const base = (dot === -1 ? bare : bare.slice(0, dot)).replaceAll('.', '');
  const extension = dot === -1 ? '' : `.${cut(bare.slice(dot + 1), 3)}`;
  // The short form of `*.prompt.md` would match every short name that ends in `.md`.
  if (base.startsWith('*') && (base !== '*' || !/[^.*]/u.test(extension))) return () => false;
  const start = cut(base, 6);
  const isLike = likePattern(`${start}~*${extension}`);
  const isSummed = likePattern(`${cut(base, 2)}*~*${extension}`);
  return (name) => isLike(name) || (/^..[\da-f]{4}~/u.test(name) && isSummed(name));
}

/** The beginning of a pattern; nothing is known after a `*`. */
function cut(pattern: string, length: number): string {
  return pattern.slice(0, length).replace(/\*.*$/su, '*');
}
