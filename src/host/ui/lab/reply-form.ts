import { limits } from '../../../base/limits';
import type { AllowedNext, FormMatch, FormPlace, ReplyForm } from '../../../contract/lab-parse';
import type { CharSet } from '../../../core/words/grammar';
import type { Protocol } from '../../../core/words/protocol';
import type { ToolSpec } from '../../../core/words/tool';
import { toGbnf } from '../../../protocols/grammar/gbnf';
import { matchGrammar, type NextAllowed } from '../../../protocols/grammar/match';

/** The form of a protocol for these tools, and where a reply violates it. */
export function replyForm(protocol: Protocol, tools: readonly ToolSpec[], raw: string): ReplyForm {
  if (!protocol.grammar) return { type: 'none', why: 'native' };
  if (tools.length === 0) return { type: 'none', why: 'no-tools' };
  const grammar = protocol.grammar(tools, { thinking: beginsInThinking(raw) ? 'opened' : 'may' });
  const schema = protocol.schema?.(tools).schema;
  const { isWhole, leavesAt, stopsAt, next } = matchGrammar(grammar, raw, limits.labFormSteps);
  const match = (): FormMatch => {
    if (isWhole) return { type: 'whole' };
    if (stopsAt !== undefined) return { type: 'stopped', at: stopsAt };
    const allowed = allowedNext(next ?? { texts: [], sets: [], mayEnd: false });
    return leavesAt === undefined
      ? { type: 'unfinished', place: placeIn(raw, raw.length, allowed) }
      : { type: 'left', place: placeIn(raw, leavesAt, allowed) };
  };
  return {
    type: 'form',
    grammar: toGbnf(grammar),
    ...(schema && { schema: JSON.stringify(schema, undefined, 2) }),
    match: match(),
  };
}

/** Chat templates may open the reasoning, so that the reply has only its end. */
function beginsInThinking(raw: string): boolean {
  const end = raw.indexOf('</think>');
  return end >= 0 && !raw.slice(0, end).includes('<think>');
}

/** Context to recognize the position by. */
const BEFORE = 24;

function placeIn(raw: string, at: number, allowed: AllowedNext): FormPlace {
  let line = 1;
  let lineStart = 0;
  for (let end = raw.indexOf('\n'); end >= 0 && end < at; end = raw.indexOf('\n', end + 1)) {
    line++;
    lineStart = end + 1;
  }
  const [found = ''] = raw.slice(at, at + 2);
  const before = Array.from(raw.slice(Math.max(0, at - 2 * BEFORE), at))
    .slice(-BEFORE)
    .join('');
  return { at, line, column: at - lineStart + 1, before, found, allowed };
}

/** Each text once; single characters grouped, so that the list is readable. */
export function allowedNext({ texts, sets, mayEnd }: NextAllowed): AllowedNext {
  const each = new Map(texts.map((text) => [text.written + '\0' + text.rest, text])).values();
  const isSingle = ({ written, rest }: NextText): boolean => written === '' && Array.from(rest).length === 1;
  const all = [...each];
  const single = sets.length > 0 ? all.filter(isSingle) : [];
  const listed = all.filter((text) => !single.includes(text));
  const chars = [
    ...sets,
    ...single.map(({ rest }) => ({ isNegated: false, ranges: [[rest, rest]] as const })),
  ];
  const most = limits.labFormTexts;
  return {
    texts: listed.slice(0, most).map(shortened),
    more: Math.max(0, listed.length - most),
    ...(sets.length > 0 && { chars: union(chars) }),
    mayEnd,
  };
}

type NextText = NextAllowed['texts'][number];

function shortened({ written, rest }: NextText): NextText {
  const most = limits.labFormTextCharacters;
  return {
    written: written.length > most ? `…${written.slice(-most)}` : written,
    rest: rest.length > most ? `${rest.slice(0, most)}…` : rest,
  };
}

type Stretch = readonly [from: number, to: number];

const LAST = 0x10ffff;

function union(sets: readonly CharSet[]): CharSet {
  const all = merged(
    sets.flatMap(({ isNegated, ranges }) => {
      const own = merged(ranges.map(([from, to]) => [codeOf(from), codeOf(to)]));
      return isNegated ? complement(own) : own;
    }),
  );
  // A range up to the end of Unicode means all but a few.
  const isNegated = all.at(-1)?.[1] === LAST;
  const ranges = isNegated ? complement(all) : all;
  return {
    isNegated,
    ranges: ranges.map(([from, to]) => [String.fromCodePoint(from), String.fromCodePoint(to)]),
  };
}

/** Sorted, without adjacent ranges. */
function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: [number, number][] = [];
  for (const [from, to] of [...stretches].sort(([left], [right]) => left - right)) {
    const last = all.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

function complement(stretches: readonly Stretch[]): readonly Stretch[] {
  const starts = [0, ...stretches.map(([, to]) => to + 1)];
  const ends = [...stretches.map(([from]) => from - 1), LAST];
  return starts.map((from, at): Stretch => [from, ends[at] ?? LAST]).filter(([from, to]) => from <= to);
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}
