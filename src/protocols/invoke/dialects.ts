import { blanksEnd, seenOf, type Cursor, type Reading } from '../engine/cursor';
import type { ValueEnds } from '../engine/long-text';
import type { ReplyWriter } from '../engine/reader';
import { isTag } from '../engine/tags';

/** How one family spells the tags. The body is the same in all of them. */
export interface Dialect {
  /** The tag around calls; empty if there is none. */
  readonly opener: string;
  /** Spellings of the wrapper's closing tag, the usual one first. */
  readonly closers: readonly string[];
  /** Prefixes of tag names; models sometimes leave out their prefix. */
  readonly prefixes: readonly string[];
  readonly call: string;
  readonly parameter: string;
  readonly ends: ValueEnds;
  /** Markers that may precede every tag. */
  readonly marks: readonly string[];
  /** Other forms share this opening tag: it counts only if a call follows. */
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

/** The tag for calls of one tool, as prompts name it: `<write_file>`. */
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

/** One row for each spelling, in the order in which a call without its wrapper is tried. */
const WRAPPED: readonly Dialect[] = [
  ...spelled('', ['function_calls', 'minimax:tool_call']),
  ...spelled('antml:', ['function_calls']),
  // Muse.
  ...spelled('atem:', ['function_calls']),
  // DeepSeek, the prefix also with `r:`, and GigaChat.
  ...['DSML', 'GCML'].flatMap((token) =>
    BARS.flatMap((bar) => spelled(`${bar}${token}${bar}`, ['function_calls', 'tool_calls', 'r:tool_calls'])),
  ),
  // DeepSeek V4.1 writes a blank behind it.
  ...BARS.flatMap((bar) => spelled(`${bar}DSML${bar} `, ['calls'])),
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

/** The dialect of each opener: a wrapper, a call without one, or a marker before either. The first dialect wins. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [
    ...WRAPPED.flatMap((dialect) =>
      [dialect.opener, ...dialect.marks].map((mark) => [mark, dialect] as const),
    ),
    ...BARE.map((dialect) => [`<${dialect.prefixes[0] ?? ''}${dialect.call}`, dialect] as const),
    ...['<function ', '<functionĠ', '<functionname='].map((opener) => [opener, MINICPM] as const),
  ]
    // With letters as openers, every letter of a reply would have to be examined.
    .filter(([opener]) => !/^\w/.test(opener))
    .reverse(),
);

/** The tags that end calls, in all spellings. */
export const CALL_CLOSERS: readonly string[] = [
  ...new Set([
    ...ALL_CLOSERS,
    ...[...BARE, MINICPM].flatMap(({ prefixes, call }) => prefixes.map((prefix) => `</${prefix}${call}>`)),
  ]),
];

/** The tags that begin and end calls, in all spellings. */
export const CALL_MARKERS: readonly string[] = [
  ...[...DIALECTS.keys()].filter((opener) => opener.startsWith('<')),
  ...CALL_CLOSERS,
];

/** The beginning of a call's tag at an offset, `<｜DSML｜invoke`; the next text may follow it directly. */
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

/** More of them are not part of a call. */
const MARK_LIMIT = 8;

/** The end of the blanks and markers before a tag. */
export function* marksEnd(cursor: Cursor, { marks }: Dialect, from = 0): Reading<number> {
  let end = yield* blanksEnd(cursor, from);
  for (let count = 0; count < MARK_LIMIT; count++) {
    const mark = yield* seenOf(cursor, marks, end);
    if (mark === undefined) break;
    end = yield* blanksEnd(cursor, end + mark.length);
  }
  return end;
}

/** Takes the blanks and markers before a tag. */
export function* skipMarks({ cursor }: ReplyWriter, dialect: Dialect): Reading<void> {
  while (cursor.take(yield* marksEnd(cursor, dialect)) !== '');
}
