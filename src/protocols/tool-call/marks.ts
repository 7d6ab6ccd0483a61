import type { Cursor, Reading } from '../engine/cursor';
import type { ValueEnds } from '../engine/long-text';
import { restOfTag } from '../engine/tags';
import type { Tags } from '../json/tagged-json';

/** Hermes, Qwen3-Coder and GLM share this opener; the content distinguishes them. */
export const TOOL_CALL = { open: '<tool_call>', close: '</tool_call>' };

/** Openers of a call: of most families; of Hy3, whose markers name the checkpoint; of Seed-OSS; of LongCat; of K2 Horizon. */
export const OPENERS: readonly string[] = [
  TOOL_CALL.open,
  '<tool_call:',
  '<seed:tool_call>',
  '<longcat_tool_call>',
  '<ifm|tool_call>',
];
/** Hy3 and K2 Horizon wrap all their calls in another tag. */
export const WRAPPERS: readonly string[] = ['<tool_calls>', '<tool_calls:', '<ifm|tool_calls>'];

/** How one family spells the tags of a call. */
export interface Marks extends Tags {
  readonly closers: readonly string[];
  readonly list: Tags;
  readonly key: Tags;
  /** The type of a value, which the schema says better. */
  readonly type: Tags;
  readonly value: Tags;
  readonly separator: string;
  /** The white space that belongs to the form at the ends of values in functions. */
  readonly ends: ValueEnds;
}

export const PLAIN = spelled('', '');

function spelled(prefix: string, suffix: string): Marks {
  const tags = (name: string): Tags => ({
    open: `<${prefix}${name}${suffix}>`,
    close: `</${prefix}${name}${suffix}>`,
  });
  const call = tags('tool_call');
  return {
    ...call,
    // Leaked calls of all families are closed like the plain ones.
    closers: [...new Set([call.close, TOOL_CALL.close])],
    list: tags('tool_calls'),
    key: tags('arg_key'),
    type: tags('arg_type'),
    value: tags('arg_value'),
    separator: tags('tool_sep').open,
    ends: prefix === 'seed:' ? 'pair' : 'each',
  };
}

/** The markers of the block that an opener begins at an offset; `undefined` if its tag has no end. */
export function* marksOf(cursor: Cursor, opener: string, offset = 0): Reading<Marks | undefined> {
  const prefix = opener.slice(1, opener.indexOf('tool_call'));
  if (opener.endsWith('>')) return spelled(prefix, '');
  const suffix = yield* restOfTag(cursor, offset + opener.length);
  return /^[\w.-]{1,32}$/.test(suffix) ? spelled(prefix, `:${suffix}`) : undefined;
}
