import { limits } from '../../base/limits';

/** What files, programs, servers and others have said: a call in it may have been put there for the model to repeat. */
export class Heard {
  /** By the text as it was said. */
  private readonly plainTexts = new Map<string, string>();

  constructor(private readonly texts: readonly string[]) {}

  /**
   * Whether a block stands in one of the texts, however a tool has shown its lines: behind their numbers, a path or
   * marks of a quotation, indented otherwise, wrapped, cut or with escapes. Looking takes a bounded number of steps for
   * each character; where these do not do, the answer is yes.
   */
  holds(written: string): boolean {
    const block = written.trim();
    if (block === '') return false;
    if (this.texts.some((text) => text.includes(block))) return true;
    const call = blockOf(block);
    if (call.text.length < SHORTEST) return false;
    // Looking closely costs more; this says for most texts that they do not hold it.
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

/** A shorter block has to stand there exactly. */
const SHORTEST = 16;

/** The text without what tools change about it: no blanks, no escapes, line breaks alone between the lines. */
function plain(text: string): string {
  return withoutEscapes(text).replace(/[^\S\n]+/g, '');
}

/**
 * Backslashes stand in markers, Markdown and JSON, where some are blanks. What this does to other texts, it does to
 * both that are compared.
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
  /** Where its lines end, in order. */
  readonly lineEnds: readonly number[];
  /** How many blank lines follow where a line ends. Tools leave them out, or show their number alone. */
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
 * The longest words near the beginning, without anything that may be escaped: `action` and `calls`. Two, because a
 * wrapped line may break one of them.
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

/** A line is cut where it shows this, in front of or behind the part that is shown. */
const CUT = '…';
/** So much of a line that is cut says which one it is. */
const PART = 100;
/** Most comparisons fail early. */
const CHUNK = 32;

/** How far the block goes on, and how many lines in a row have shown nothing of it since then. */
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

  /** Whether the block begins at an offset, in the middle of a line or not, and goes on in the lines behind it. */
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

  /** Decides about most places before the end of their line is looked for. */
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

  /** How far the block goes on in one more line, in which up to `most` characters stand in front of it. */
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
        // One that begins later is another only where the text repeats itself.
        if (reached !== undefined) break;
      }
    }
    return found;
  }

  /** Where the block is after the line, all of which from `at` is a part of it or behind its end. */
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

  /** The same for what is left of a line whose beginning is cut off, and perhaps its end too. */
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

  /** The end of the line of the block that a place is in. */
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
