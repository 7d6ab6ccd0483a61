import { editDistance } from '../../base/closest';
import { lineAt, lineNumber, splitLines } from '../text/lines';
import { longestLine, SHORT, trimBlanks, trimEndBlanks } from './edit-matching';

/** The place in a text that is most like a remembered one. Only for error messages; no edit is ever applied there. */
interface NearestRegion {
  /** From 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The first line that differs. */
  readonly difference?: Difference;
}

interface Difference {
  readonly line: number;
  /** Absent if the file has no such line. */
  readonly inFile?: string;
  readonly remembered: string;
  /** The line is longer; it is shown from where it matches the remembered one. */
  readonly isPart?: true;
}

export function nearestRegion(text: string, old: string): NearestRegion | undefined {
  const wanted = splitLines(old).map(trimBlanks);
  while (wanted.length > 1 && wanted.at(-1) === '') wanted.pop();
  const start = nearestByLines(text, wanted) ?? nearestByWords(text, wanted);
  return start === undefined ? undefined : describe(text, start, splitLines(old), wanted.length);
}

/** Each search costs a pass over the whole text. */
const LINES_TRIED = 3;
const WORDS_TRIED = 3;
const PLACES_TRIED = 50;
const LINES_COMPARED = 200;
const CHARACTERS_COMPARED = 200;
/** A prefix of a line up to this length is shown with the place. */
const WORD_CHARACTERS = 8;

/** The block in which most lines agree, found by the longest lines that occur at all. */
function nearestByLines(text: string, wanted: readonly string[]): number | undefined {
  const probes = wanted
    .slice(0, LINES_COMPARED)
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => line.length >= 4)
    .sort((a, b) => b.line.length - a.line.length)
    .slice(0, LINES_TRIED);
  let best: { start: number; score: number } | undefined;
  for (const { line, index } of probes) {
    for (const at of places(text, line.slice(0, SHORT))) {
      const start = up(text, at, index);
      const score = agreeing(text, start, wanted);
      if (score > (best?.score ?? 0)) best = { start, score };
    }
    // Most lines agree: a better place is unlikely.
    if (best && best.score * 2 > wanted.length) break;
  }
  return best?.start;
}

/** The line most like the longest remembered one, among those that share one of its words. */
function nearestByWords(text: string, wanted: readonly string[]): number | undefined {
  const anchor = longestLine(wanted);
  const line = wanted[anchor] ?? '';
  const compared = line.slice(0, CHARACTERS_COMPARED);
  const words = [...new Set(compared.match(/[\p{L}\p{N}_$]{3,}/gu) ?? [])]
    .sort((a, b) => b.length - a.length)
    .slice(0, WORDS_TRIED);
  let best: { at: number; likeness: number } | undefined;
  // Of equal lines, the first is meant.
  const seen = new Set<string>();
  for (const word of words) {
    for (const at of places(text, word)) {
      const { start, end } = lineAt(text, at);
      const from = Math.max(start, at - compared.indexOf(word));
      const part = trimEndBlanks(text.slice(from, Math.min(end, from + compared.length)));
      if (seen.has(part)) continue;
      seen.add(part);
      const likeness = likenessOf(part, compared);
      if (likeness > (best?.likeness ?? 0.4)) best = { at: from, likeness };
    }
  }
  if (!best) return undefined;
  const { start } = lineAt(text, best.at);
  const isPart = anchor === 0 && trimBlanks(text.slice(start, best.at)).length > WORD_CHARACTERS;
  return isPart ? best.at : up(text, start, anchor);
}

/** The first lines that contain a part. Each line counts once, but a very long one can count again. */
function places(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && found.length < PLACES_TRIED;) {
    found.push(at);
    at = text.indexOf(part, Math.min(lineAt(text, at).next, at + CHARACTERS_COMPARED));
  }
  return found;
}

/** The start of the line that is `lines` above an offset, or of the text. */
function up(text: string, offset: number, lines: number): number {
  let { start } = lineAt(text, offset);
  for (let left = lines; left > 0 && start > 0; left--) ({ start } = lineAt(text, start - 1));
  return start;
}

function agreeing(text: string, start: number, wanted: readonly string[]): number {
  let score = 0;
  let offset = start;
  for (const line of wanted.slice(0, LINES_COMPARED)) {
    const { end, next } = lineAt(text, offset);
    // Of two places, prefer the one that begins alike.
    if (line !== '' && trimBlanks(text.slice(offset, end)) === line) score += offset === start ? 1.5 : 1;
    if (next === end) break;
    offset = next;
  }
  return score;
}

/** 1 for the same text, 0 for nothing in common. */
function likenessOf(first: string, second: string): number {
  return 1 - editDistance(first, second) / Math.max(first.length, second.length, 1);
}

function describe(text: string, start: number, remembered: readonly string[], count: number): NearestRegion {
  const firstLine = lineNumber(text, start);
  let lastLine = firstLine;
  let difference: Difference | undefined;
  let offset = start;
  for (let index = 0; index < count; index++) {
    const wanted = remembered[index] ?? '';
    if (offset === text.length) {
      difference ??= { line: firstLine + index, remembered: wanted };
      break;
    }
    const line = lineAt(text, offset);
    const inFile = text.slice(offset, line.end);
    lastLine = firstLine + index;
    if (inFile !== wanted) {
      difference ??= {
        ...{ line: lastLine, inFile, remembered: wanted },
        ...(offset > line.start && { isPart: true }),
      };
    }
    offset = line.next;
  }
  return { firstLine, lastLine, ...(difference && { difference }) };
}
