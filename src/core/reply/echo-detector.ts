import { limits } from '../../base/limits';

/** Texts from files, programs, servers and others. A call in them may have been planted for the model to copy. */
export class EchoDetector {
  /** By the original text. */
  private readonly plainTexts = new Map<string, string>();

  constructor(private readonly texts: readonly string[]) {}

  /**
   * Whether a block occurs in one of the texts, however a tool displayed its lines: after line numbers, a path or
   * quotation marks, indented, wrapped, cut or escaped. Takes a bounded number of steps per character; returns true if
   * they run out.
   */
  isEcho(written: string): boolean {
    const block = written.trim();
    if (block === '') return false;
    if (this.texts.some((text) => text.includes(block))) return true;
    const call = blockOf(block);
    if (call.text.length < SHORTEST) return false;
    // A cheap test first: it rules out most texts.
    const signs = signsOf(block);
    return this.texts.some((text) => {
      return [...signs, '\\u'].some((sign) => text.includes(sign)) && isIn(this.plain(text), call);
    });
  }

  private plain(text: string): string {
    const known = this.plainTexts.get(text) ?? plain(text).replace(/\n+/g, '\n');
    this.plainTexts.set(text, known);
    return known;
  }
}

/** A shorter block has to match exactly. */
const SHORTEST = 16;

/** The text without what tools change: no blanks, no escapes, only line breaks between the lines. */
function plain(text: string): string {
  return withoutEscapes(text).replace(/[^\S\n]+/g, '');
}

/**
 * Backslashes occur in markers, Markdown and JSON, where some precede blanks. Both compared texts are treated alike.
 */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .replace(/(?<!\\)\\+u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/([<「]|<<<\[)\\+/g, '$1')
    .replace(/\\+[nrt]?/g, '');
}

/** A block without its line breaks. */
interface Block {
  readonly text: string;
  /** Offsets where its lines end, in order. */
  readonly lineEnds: readonly number[];
  /** Number of blank lines after a line end. Tools leave them out, or show only their line number. */
  readonly blankLines: ReadonlyMap<number, number>;
  /** The beginning of its first line. */
  readonly head: string;
}

const HEAD = 12;

function blockOf(block: string): Block {
  const lineEnds: number[] = [];
  const blankLines = new Map<number, number>();
  const lines: string[] = [];
  let end = 0;
  for (const line of plain(block).split('\n')) {
    if (line === '') {
      blankLines.set(end, (blankLines.get(end) ?? 0) + 1);
      continue;
    }
    end += line.length;
    lines.push(line);
    lineEnds.push(end);
  }
  return { text: lines.join(''), lineEnds, blankLines, head: (lines[0] ?? '').slice(0, HEAD) };
}

/**
 * The longest words near the beginning that have no escapable characters: `action` and `calls`. Two, because a wrapped
 * line may break one of them.
 */
function signsOf(block: string): readonly string[] {
  const words = withoutEscapes(block.slice(0, 64)).match(/[a-z0-9]+/gi) ?? [''];
  return [...new Set(words)].sort((one, other) => other.length - one.length).slice(0, 2);
}

function isIn(text: string, block: Block): boolean {
  const search = new Search(text, block);
  for (let at = text.indexOf(block.head); at >= 0; at = text.indexOf(block.head, at + 1)) {
    if (search.findsFrom(at)) return true;
  }
  return false;
}

/** Marks a cut line, before or after the part that is shown. */
const CUT = '…';
/** Minimum characters that identify a cut line. */
const PART = 100;
/** Compare a short chunk first: most comparisons fail early. */
const CHUNK = 32;

/** Where the match continues in the block, and how many lines in a row have not matched since. */
type Places = ReadonlyMap<number, number>;

/** Follows one block through the lines of a text. */
class Search {
  private stepsLeft: number;

  constructor(
    private readonly text: string,
    private readonly block: Block,
  ) {
    this.stepsLeft = limits.echoSteps + limits.echoStepsPerCharacter * text.length;
  }

  /** Whether the block begins at an offset, anywhere in a line, and continues in the following lines. */
  findsFrom(start: number): boolean {
    if (!this.begins(start)) return this.stepsLeft < 0;
    let end = this.lineEnd(start);
    let places = this.reached(this.text.slice(start, end), new Map([[0, 0]]), 0);
    for (;;) {
      if (places.has(this.block.text.length) || this.stepsLeft < 0) return true;
      if (places.size === 0 || end === this.text.length) return false;
      const next = this.lineEnd(end + 1);
      places = this.reached(this.text.slice(end + 1, next), places, limits.echoPrefixCharacters);
      end = next;
    }
  }

  /** Rules out most offsets before looking for the end of their line. */
  private begins(start: number): boolean {
    const { text } = this.block;
    for (let at = 0; at < CHUNK && at < text.length; at++) {
      this.stepsLeft--;
      const char = this.text[start + at];
      if (char === undefined || char === '\n' || char === CUT) return true;
      if (char !== text[at]) return false;
    }
    return true;
  }

  private lineEnd(from: number): number {
    const found = this.text.indexOf('\n', from);
    const end = found < 0 ? this.text.length : found;
    this.stepsLeft -= (end - from) / CHUNK;
    return end;
  }

  /** Extends the match by one more line, which may have up to `most` characters before the match. */
  private reached(line: string, places: Places, most: number): Places {
    const { text, blankLines } = this.block;
    const last = Math.min(most, line.length - 1);
    const found = new Map<number, number>();
    const add = (place: number | undefined, skipped = 0): void => {
      if (place !== undefined) found.set(place, Math.min(skipped, found.get(place) ?? skipped));
    };
    for (const [place, skipped] of places) {
      if (line.length <= most && skipped < (blankLines.get(place) ?? 0)) add(place, skipped + 1);
      const end = this.endOfLine(place);
      const whole = line.length - (end - place);
      if (whole >= 0 && whole <= last && this.isSame(line, whole, place, end - place)) add(end);
      for (let at = 0; at <= last && this.stepsLeft >= 0; at++) {
        this.stepsLeft--;
        if (line[at] === CUT) add(this.holdsPart(line.slice(at + CUT.length), place));
        const reached = line[at] === text[place] ? this.agrees(line, at, place) : undefined;
        add(reached);
        // A later start differs only if the text repeats itself.
        if (reached !== undefined) break;
      }
    }
    return found;
  }

  /** The place in the block after the line, if the line from `at` on is part of the block or follows its end. */
  private agrees(line: string, at: number, place: number): number | undefined {
    const length = Math.min(line.length - at, this.block.text.length - place);
    if (this.isSame(line, at, place, length)) return place + length;
    const shown = line.length - at - CUT.length;
    if (!line.endsWith(CUT) || shown < PART || !this.isSame(line, at, place, shown)) return undefined;
    // The end of the line is cut off; all of it counts as shown.
    const end = this.endOfLine(place);
    return place + shown <= end ? end : undefined;
  }

  private isSame(line: string, at: number, place: number, length: number): boolean {
    const { text } = this.block;
    this.stepsLeft -= Math.min(length, CHUNK);
    if (!text.startsWith(line.slice(at, at + Math.min(length, CHUNK)), place)) return false;
    this.stepsLeft -= length;
    return text.startsWith(line.slice(at, at + length), place);
  }

  /** The same for the rest of a line whose beginning, and perhaps end, is cut off. */
  private holdsPart(shown: string, place: number): number | undefined {
    const isCut = shown.endsWith(CUT);
    const part = isCut ? shown.slice(0, -CUT.length) : shown;
    const end = this.endOfLine(place);
    if (part.length < PART || part.length > end - place) return undefined;
    if (!isCut) return this.isSame(part, 0, end - part.length, part.length) ? end : undefined;
    const { text } = this.block;
    const probe = part.slice(0, CHUNK);
    let from = place;
    for (;;) {
      const at = text.indexOf(probe, from);
      this.stepsLeft -= (at < 0 ? text.length : at) - from;
      if (at < 0 || at + part.length > end || this.stepsLeft < 0) return undefined;
      if (this.isSame(part, 0, at, part.length)) return end;
      from = at + 1;
    }
  }

  /** The end of the block's line that contains a place. */
  private endOfLine(place: number): number {
    const { lineEnds, text } = this.block;
    let [low, high] = [0, lineEnds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((lineEnds[middle] ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    return lineEnds[low] ?? text.length;
  }
}
