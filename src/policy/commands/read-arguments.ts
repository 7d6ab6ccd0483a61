import { isKind, kinds, type Kind, type Meaning } from './argument-kinds';
import { rowsOf, type OptionRow } from './argument-rows';
import type { SimpleCommand } from './simple-commands';
import type { Arguments } from './tables/arguments';

/** What one word of a command is, according to the table of its program. */
export interface ReadWord {
  readonly means: Meaning;
  /** What is judged as a path or a name. */
  readonly parts: readonly string[];
}

export interface ReadArguments {
  /** The words that the table knows, by their index. */
  readonly words: ReadonlyMap<number, ReadWord>;
  /** The index of each word that it does not know, with why. */
  readonly unknown: ReadonlyMap<number, string>;
  /** Every spelling of the options that were found. */
  readonly options: ReadonlySet<string>;
}

interface ArgumentReader {
  readonly words: SimpleCommand;
  readonly program: string;
  readonly found: Map<number, ReadWord>;
  readonly unknown: Map<number, string>;
  readonly options: Set<string>;
  readonly groups: Set<string>;
  table: Arguments;
  at: number;
  operands: number;
  /** After `--` there are no options. */
  isBehindDashes: boolean;
  /** The word before is an option without a value. */
  isBehindFlag: boolean;
  /** An option has taken the place of the first operand. */
  hasFirst: boolean;
}

/** Reads the words from `start` on by a table. `program` is its name for people. */
export function readArguments(
  words: SimpleCommand,
  start: number,
  { table, program }: { readonly table: Arguments; readonly program: string },
): ReadArguments {
  const reader: ArgumentReader = {
    words,
    program,
    found: new Map(),
    unknown: new Map(),
    options: new Set(),
    groups: new Set(),
    table,
    at: start,
    operands: 0,
    isBehindDashes: false,
    isBehindFlag: false,
    hasFirst: false,
  };
  while (reader.at < words.length) readNext(reader);
  return { words: reader.found, unknown: reader.unknown, options: reader.options };
}

function readNext(reader: ArgumentReader): void {
  const { text, isGlob } = reader.words[reader.at] ?? { text: '', isGlob: false };
  const { table } = reader;
  if (reader.isBehindDashes || !isOption(text, table)) {
    readOperand(text, isGlob, reader);
  } else if (text === '--') {
    readDashes(reader);
  } else if (isGlob || !(readOption(text, reader) || readCluster(text, reader))) {
    refuse(reader, text, reader.at);
    reader.at++;
    reader.isBehindFlag = false;
  }
}

function isOption(text: string, { isWindows, hasNoOptions }: Arguments): boolean {
  if (hasNoOptions === true) return false;
  return (text.startsWith('-') && text !== '-') || (isWindows === true && text.startsWith('/'));
}

function readDashes(reader: ArgumentReader): void {
  const { dashes } = reader.table;
  if (dashes === undefined) refuse(reader, '--', reader.at);
  else if (dashes === 'operands') reader.isBehindDashes = true;
  else Object.assign(reader, { table: dashes, operands: 0 });
  if (dashes !== undefined) found(reader, reader.at, 'plain', []);
  reader.at++;
  reader.isBehindFlag = false;
}

/** An option that is a whole word, perhaps with `=value`, and the word behind it if that is its value. */
function readOption(text: string, reader: ArgumentReader): boolean {
  const { options } = rowsOf(reader.table);
  const word = reader.table.isWindows === true ? text.toLowerCase() : text;
  const row = options.get(word) ?? (/^-\d+$/u.test(word) ? options.get('-NUMBER') : undefined);
  if (row !== undefined) {
    if (row.value === undefined || row.isOptional || row.names.includes('-NUMBER'))
      return accept(row, reader);
    return acceptWithNext(row, word, reader);
  }
  const sign = word.indexOf('=');
  const name = word.slice(0, sign);
  const attached = sign > 0 && name.length > 2 ? options.get(name) : undefined;
  if (attached?.value === undefined) return false;
  return acceptValue(attached, { value: text.slice(sign + 1), at: reader.at, isAttached: true }, reader);
}

/** `-la`, `-n5`, `-rnA 3`: every letter has a row, and the last may have a value. */
function readCluster(text: string, reader: ArgumentReader): boolean {
  const { options } = rowsOf(reader.table);
  if (!/^-[A-Za-z\d]/u.test(text)) return false;
  const rows: OptionRow[] = [];
  for (let place = 1; place < text.length; place++) {
    const name = `-${text.charAt(place)}`;
    const row = options.get(name);
    if (row === undefined || (reader.table.hasClusters !== true && !row.glued.includes(name))) return false;
    const rest = text.slice(place + 1);
    if (row.value !== undefined && !row.isOptional) {
      if (!rows.every((each) => enter(each, reader))) return true;
      if (rest === '') return acceptWithNext(row, name, reader);
      if (!row.glued.includes(name)) return false;
      return acceptValue(row, { value: rest, at: reader.at, isAttached: true }, reader);
    }
    rows.push(row);
  }
  const [last, ...before] = rows.toReversed();
  if (last === undefined || !before.every((row) => enter(row, reader))) return true;
  return accept(last, reader);
}

function accept(row: OptionRow, reader: ArgumentReader): boolean {
  if (!enter(row, reader)) return true;
  found(reader, reader.at, 'plain', []);
  reader.at++;
  reader.isBehindFlag = true;
  return true;
}

function acceptWithNext(row: OptionRow, name: string, reader: ArgumentReader): boolean {
  const next = reader.words[reader.at + 1];
  if (next === undefined || next.isGlob) {
    if (next) refuse(reader, next.text, reader.at + 1);
    refuse(reader, name, reader.at);
    reader.at += next ? 2 : 1;
    return true;
  }
  const { at } = reader;
  if (!acceptValue(row, { value: next.text, at: at + 1, isAttached: false }, reader)) return false;
  if (!reader.unknown.has(at + 1) && !reader.unknown.has(at)) found(reader, at, 'plain', []);
  return true;
}

interface Value {
  readonly value: string;
  readonly at: number;
  readonly isAttached: boolean;
}

function acceptValue(row: OptionRow, { value, at, isAttached }: Value, reader: ArgumentReader): boolean {
  const kind = kindOf(row.value ?? [], value);
  // Many programs take a word with a dash for the next option, not for a value.
  const isValue = kind !== undefined && (isAttached || !/^-(?!\d)/u.test(value));
  const isNew = enter(row, reader);
  if (isNew && isValue) found(reader, at, kind === 'word' ? 'plain' : kind.means, partsOf(kind, value));
  else if (isNew) refuse(reader, reader.words[at]?.text ?? value, at);
  reader.at = at + 1;
  reader.isBehindFlag = false;
  return true;
}

/**
 * Whether the option is the first of its group, as a repeated one may undo what was said before, and does not change what
 * an operand before it is: in `grep .env -e KEY` that is a file.
 */
function enter(row: OptionRow, reader: ArgumentReader): boolean {
  for (const name of row.names) reader.options.add(name);
  const isLate = row.isFirst && !reader.hasFirst && reader.operands > 0;
  if (row.isFirst && !isLate) {
    reader.operands = Math.max(reader.operands, 1);
    reader.hasFirst = true;
  }
  const isNew = !isLate && (row.isRepeatable || !reader.groups.has(row.group));
  reader.groups.add(row.group);
  if (!isNew) {
    refuse(reader, reader.words[reader.at]?.text ?? '', reader.at);
    reader.at++;
  }
  return isNew;
}

function readOperand(text: string, isGlob: boolean, reader: ArgumentReader): void {
  const { operands } = rowsOf(reader.table);
  const row =
    operands[reader.operands] ?? (operands.at(-1)?.isRepeated === true ? operands.at(-1) : undefined);
  const kind = row && kindOf(row.kinds, text);
  // Several parsers take the word behind an option as its value if it is one of these.
  const mayBeValue = reader.isBehindFlag && /^(?:true|false|yes|no|null)$/iu.test(text);
  const isPlain = kind === 'word' || kind?.means === 'plain';
  // The shell may replace a pattern with any number of words.
  const isWrongGlob = isGlob && (row?.isRepeated !== true || (isPlain && kind !== kinds.TEXT));
  if (kind === undefined || isWrongGlob || (mayBeValue && kind !== kinds.TEXT))
    refuse(reader, text, reader.at);
  else found(reader, reader.at, kind === 'word' ? 'plain' : kind.means, partsOf(kind, text));
  reader.operands++;
  reader.at++;
  reader.isBehindFlag = false;
}

function kindOf(names: readonly string[], word: string): Kind | 'word' | undefined {
  for (const name of names) {
    if (!isKind(name)) {
      if (name === word) return 'word';
    } else if (kinds[name].fits(word)) {
      return kinds[name];
    }
  }
  return undefined;
}

function partsOf(kind: Kind | 'word', value: string): readonly string[] {
  if (kind === 'word' || kind.means === 'plain') return [];
  return kind.paths?.(value) ?? [value];
}

function found({ found: words }: ArgumentReader, at: number, means: Meaning, parts: readonly string[]): void {
  words.set(at, { means, parts });
}

function refuse({ unknown, program }: ArgumentReader, word: string, at: number): void {
  const shown = word.length > LONGEST_SHOWN ? `${word.slice(0, LONGEST_SHOWN)}…` : word;
  const reason = `${shown} is not known to be harmless for ${program}`;
  unknown.set(at, reason);
}

const LONGEST_SHOWN = 40;
