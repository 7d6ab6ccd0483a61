import { blanksEnd, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { ValueEnds } from '../engine/long-text';
import type { ReplyWriter } from '../engine/reader';
import { isTag } from '../engine/tags';

/** How one family spells the tags. The body is the same in all of them. */
export interface Dialect {
  /** The tag around calls; empty where there is none. */
  readonly opener: string;
  /** How the closing tag of the wrapper may be spelled, the usual way first. */
  readonly closers: readonly string[];
  /** What may stand before the names of tags; models leave out their own prefix here and there. */
  readonly prefixes: readonly string[];
  readonly call: string;
  readonly parameter: string;
  readonly ends: ValueEnds;
  /** Marks that may stand in front of every tag. */
  readonly marks: readonly string[];
  /** Other forms are opened by the same tag: it counts only where a call stands behind it. */
  readonly isShared: boolean;
}

const PLAIN: Dialect = {
  opener: '',
  closers: [],
  prefixes: [''],
  call: 'invoke',
  parameter: 'parameter',
  ends: 'pair',
  marks: [],
  isShared: false,
};

/** What one tool is called by, in the words of its prompt: `<write_file>`. */
export function tagOf(tool: string): Dialect {
  return { ...PLAIN, call: tool };
}

function spelled(prefix: string, wrappers: readonly string[], how: Partial<Dialect> = {}): Dialect[] {
  const prefixes = [...new Set([prefix, ...(/\w[|｜]/.test(prefix) ? [`${prefix}r:`] : []), ''])];
  return wrappers.map((name) => ({
    ...PLAIN,
    opener: `<${prefix}${name}>`,
    closers: prefixes.map((each) => `</${each}${name.replace('r:', '')}>`),
    prefixes,
    ...how,
  }));
}

const BARS = ['｜', '｜｜', '|', '||'];

/** One row for each spelling, in the order in which a call without its wrapper is looked for. */
const WRAPPED: readonly Dialect[] = [
  ...spelled('', ['function_calls', 'minimax:tool_call']),
  ...spelled('antml:', ['function_calls']),
  // Muse.
  ...spelled('atem:', ['function_calls']),
  // DeepSeek, the prefix also with `r:`, and GigaChat.
  ...['DSML', 'GCML'].flatMap((token) =>
    BARS.flatMap((bar) => spelled(`${bar}${token}${bar}`, ['function_calls', 'tool_calls', 'r:tool_calls'])),
  ),
  // DeepSeek without its token.
  ...spelled('', ['tool_calls'], { isShared: true }),
  ...spelled('', ['dots_function_call'], { ends: 'trimmed' }),
  ...spelled('steptml:', [''], {
    opener: '<｜tool_calls_begin｜>',
    closers: ['<｜tool_calls_end｜>'],
    marks: ['<｜tool_call_begin｜>', 'function<｜tool_sep｜>', '<｜tool_sep｜>', '<｜tool_call_end｜>'],
    ends: 'trimmed',
    isShared: true,
  }),
  // MiniMax M3.
  ...spelled('', ['tool_call'], { marks: [']<]minimax[>['], isShared: true }),
];

const ALL_CLOSERS = [...new Set(WRAPPED.flatMap(({ closers }) => closers))];

/** Without a wrapper; its closing tag may still be there. */
const BARE = WRAPPED.map((dialect): Dialect => ({ ...dialect, opener: '', closers: ALL_CLOSERS }));
const MINICPM: Dialect = { ...PLAIN, call: 'function', parameter: 'param', ends: 'trimmed' };

/** Who reads what an opener begins: a wrapper, a call without one, or a mark in front of either. The first has it. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [
    ...WRAPPED.flatMap((dialect) =>
      [dialect.opener, ...dialect.marks].map((mark) => [mark, dialect] as const),
    ),
    ...BARE.map((dialect) => [`<${dialect.prefixes[0] ?? ''}${dialect.call}`, dialect] as const),
    ...['<function ', '<functionĠ', '<functionname='].map((opener) => [opener, MINICPM] as const),
  ]
    // Letters would have every one of them in a reply looked at.
    .filter(([opener]) => !/^\w/.test(opener))
    .reverse(),
);

/** The tags that begin and end calls, in all spellings. */
export const CALL_MARKERS: readonly string[] = [
  ...new Set([
    ...[...DIALECTS.keys()].filter((opener) => opener.startsWith('<')),
    ...ALL_CLOSERS,
    ...[...BARE, MINICPM].flatMap(({ prefixes, call }) => prefixes.map((prefix) => `</${prefix}${call}>`)),
  ]),
];

/** The beginning of a tag of the call that stands at an offset, `<｜DSML｜invoke`; what follows may be glued to it. */
export function* tagStart(
  cursor: Cursor,
  { prefixes }: Dialect,
  name: string,
  offset = 0,
): Reading<string | undefined> {
  for (const prefix of prefixes) {
    const start = `<${prefix}${name}`;
    const isTagHere = yield* isTag(cursor, start, offset);
    if (isTagHere || (yield* seenOf(cursor, [`${start}Ġ`, `${start}name=`], offset)) !== undefined)
      return start;
  }
  return undefined;
}

/** More of them are no part of a call. */
const MARK_LIMIT = 8;

/** Where the blanks and marks end that stand in front of a tag. */
export function* marksEnd(cursor: Cursor, { marks }: Dialect, from = 0): Reading<number> {
  let end = yield* blanksEnd(cursor, from);
  for (let count = 0; count < MARK_LIMIT; count++) {
    const mark = yield* seenOf(cursor, marks, end);
    if (mark === undefined) break;
    end = yield* blanksEnd(cursor, end + mark.length);
  }
  return end;
}

/** Takes the blanks and marks in front of a tag. */
export function* skipMarks({ cursor }: ReplyWriter, dialect: Dialect): Reading<void> {
  while (cursor.take(yield* marksEnd(cursor, dialect)) !== '');
}
