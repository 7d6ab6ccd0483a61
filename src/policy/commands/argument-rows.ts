import type { Arguments } from './tables/arguments';

/** One option of a program. */
export interface OptionRow {
  /** Every spelling: `-n`, `--lines`; `-NUMBER` for a number as an option. */
  readonly names: readonly string[];
  /** The names whose value may be glued to them. */
  readonly glued: readonly string[];
  /** What its value may be; nothing if it has none. */
  readonly value?: readonly string[];
  /** The value may be left out, and is only attached by `=`. */
  readonly isOptional: boolean;
  readonly isRepeatable: boolean;
  /** It takes the place of the first operand. */
  readonly isFirst: boolean;
  /** Options of one group contradict each other. */
  readonly group: string;
  /** What it does. */
  readonly reason: string;
}

/** The kinds of an operand, each one name. */
export interface OperandRow {
  readonly kinds: readonly string[];
  readonly isRepeated: boolean;
}

export interface ArgumentRows {
  readonly options: ReadonlyMap<string, OptionRow>;
  readonly operands: readonly OperandRow[];
}

const ROW =
  /^([*^]*) ?(?:\{(\w+)\} )?([-/][^\s[]*(?: [-/][^\s[]*)*?)(?:\[=(\S+)\]|(?: ([^\s/-]\S*)))?: (.+)$/u;

const known = new WeakMap<Arguments, ArgumentRows>();

/** The rows of a table. Throws if a row cannot be read, which a test of all tables excludes. */
export function rowsOf(table: Arguments): ArgumentRows {
  const before = known.get(table);
  if (before) return before;
  const lines = (table.options ?? '').split('\n').map((line) => line.trim());
  const rows = lines.filter((line) => line !== '').map(readRow);
  const options = new Map(rows.flatMap((row) => row.names.map((name) => [name, row])));
  const operands = (table.operands ?? '').split(' ').filter((word) => word !== '');
  const found = {
    options,
    operands: operands.map((word) => ({
      kinds: word.replace(/\*$/u, '').split('|'),
      isRepeated: word.endsWith('*'),
    })),
  };
  known.set(table, found);
  return found;
}

function readRow(line: string): OptionRow {
  const [, marks = '', group, spellings = '', optional, value = optional, reason] = ROW.exec(line) ?? [];
  if (reason === undefined) throw new Error(`No row of a table: ${line}`);
  const spelled = spellings.split(' ');
  const names = spelled.map((name) => name.replace(/\+$/u, ''));
  const isNumber = names.includes('-NUMBER');
  const kinds = value?.split('|') ?? (isNumber ? ['NUMBER'] : undefined);
  return {
    names,
    glued: spelled.filter((name) => name.endsWith('+')).map((name) => name.slice(0, -1)),
    ...(kinds && { value: kinds }),
    isOptional: optional !== undefined,
    isRepeatable: marks.includes('*'),
    isFirst: marks.includes('^'),
    group: group ?? withoutNegation(names.at(-1) ?? ''),
    reason,
  };
}

/** `--no-color` and `--color` contradict each other. */
function withoutNegation(name: string): string {
  return name.replace(/^--no-/u, '--');
}
