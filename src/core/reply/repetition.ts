import { isJsonList, isJsonObject, type Json } from '../../base/json';
import type { ToolCall } from '../words/messages';
import type { ReplyEvent } from '../words/protocol';

/**
 * Models fall into loops: weak ones for minutes, strong ones now and then. The thresholds are set so that the natural
 * repetition in code, tables and data does not count.
 */

/** Longer periods are not detected. */
const LONGEST = 2_000;

/**
 * Text and reasoning: a period this long is a loop after four turns, a shorter one when it fills this many characters.
 */
const LONG_PERIOD = 40;
const TURNS = 4;
const FILLED = 1_500;

/** Text and reasoning: a line is a loop after so many times in a row and so many characters. */
const LINES = 12;
const LINES_FILLED = 300;

/** Consecutive blanks outside values. */
const BLANKS = 2_000;

/** Inside a value, where data repeats naturally. */
const VALUE_TURNS = 20;
const VALUE_FILLED = 8_000;

/** Calls in a row of one tool that differ only in whole numbers growing by the same step. */
const COUNTING_CALLS = 12;

/** Characters between two checks of the tail: blanks are checked each time, everything else every second time. */
const STEP = 500;

/** The text in which periods are guessed; it can show the longest period. */
const WINDOW = 2 * LONGEST;

/** Characters of the end that are searched for before it, to guess the period. */
const PROBE = 32;

/** Guesses per check. */
const GUESSES = 8;

/** Replaces a whole number, which may grow from turn to turn. */
const NUMBER = '\0';

/** Watches one reply as it streams. The cost per character is constant, and the remembered part is bounded. */
export class RepetitionWatch {
  private readonly said = new Tail({ isValue: false, most: LONGEST * TURNS + LONGEST });
  private readonly calls: WrittenCall[] = [];
  private readonly counting = new CountingCalls();
  private value: { readonly index: number; readonly key: string; readonly tail: Tail } | undefined;
  /** What has arrived since the last event with visible text: the parser holds it back, or has dropped it. */
  private silent: Tail | undefined;

  /** `markers`: those of the protocol. Alone and repeated, they are never data. */
  constructor(private readonly markers: readonly string[] = []) {}

  /** Takes a piece of the raw reply with the events it caused. Returns the repeated text if the reply is a loop by now. */
  read(
    raw: string,
    events: readonly ReplyEvent[],
    writtenAt: (malformed: Span) => string,
  ): string | undefined {
    let repeated: string | undefined;
    for (const event of events) repeated ??= this.look(event, writtenAt);
    if (events.some((event) => isProgress(event))) this.silent = undefined;
    else if (raw !== '') repeated ??= this.addSilent(raw);
    return repeated;
  }

  /** Takes the next event of a reply. Returns the repeated text if the reply is a loop by now. */
  look(event: ReplyEvent, writtenAt: (malformed: Span) => string = () => ''): string | undefined {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return this.addText(event.text);
      case 'call-delta':
        return this.addValue(event.index, event.key, event.text);
      case 'call-end': {
        const { call } = event;
        const text = `${call.name} ${JSON.stringify(call.arguments)}`;
        return (
          this.addCall({ text, length: Math.max(text.length, call.end - call.start) }) ??
          this.counting.add(call)
        );
      }
      case 'malformed': {
        const text = writtenAt(event.malformed.diagnostic).trim();
        return this.addCall({ text, length: text.length });
      }
      default:
        return undefined;
    }
  }

  /** Visible text and reasoning. */
  private addText(text: string): string | undefined {
    return this.said.add(
      text,
      (tail, isSecond) => tail.blanks() ?? (isSecond ? (tail.lines() ?? tail.period(isLoop)) : undefined),
    );
  }

  /** The same calls in a row are a loop, too; repetition inside one call is not. */
  private addCall(call: WrittenCall): string | undefined {
    const { calls } = this;
    calls.push(call);
    for (let period = 1; period * TURNS <= calls.length; period++) {
      let same = period;
      while (same < calls.length && calls.at(-1 - same)?.text === calls.at(-1 - same + period)?.text) same++;
      const filled = calls.slice(-same).reduce((sum, { length }) => sum + length, 0);
      if (same >= TURNS * period && filled >= FILLED)
        return calls
          .slice(-period)
          .map(({ text }) => text)
          .join('\n');
    }
    return undefined;
  }

  /** A piece of one argument's value; call and key identify the value. */
  private addValue(index: number, key: string, text: string): string | undefined {
    if (this.value?.key !== key || this.value.index !== index) this.value = { index, key, tail: valueTail() };
    return this.value.tail.add(text, (tail, isSecond) => (isSecond ? tail.period(isLoopInValue) : undefined));
  }

  /** It may be a value of a call that is read only as a whole, so the limits are those of values. */
  private addSilent(raw: string): string | undefined {
    this.silent ??= valueTail();
    const is: IsLoop = (period, filled, turn) =>
      isLoopInValue(period, filled) || (isLoop(period, filled) && this.isOnlyMarkers(turn));
    return this.silent.add(raw, (tail, isSecond) => (isSecond ? tail.period(is) : undefined));
  }

  private isOnlyMarkers(turn: string): boolean {
    const marks = [...this.markers, ...(`${turn}${turn}`.match(CONTROL_TOKENS) ?? [])];
    // The turn may begin in the middle of a marker.
    const starts = marks.map((mark) => `${turn}${turn}`.indexOf(mark)).filter((at) => at >= 0);
    if (starts.length === 0) return false;
    const from = Math.min(...starts) % turn.length;
    const whole = turn.slice(from) + turn.slice(0, from);
    return marks.reduce((left, mark) => left.replaceAll(mark, ''), whole).trim() === '';
  }
}

/** Of chat templates. */
const CONTROL_TOKENS = /<[|｜][^<>|｜\s]{1,60}[|｜]>/g;

interface WrittenCall {
  readonly text: string;
  /** As it was written. */
  readonly length: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function valueTail(): Tail {
  return new Tail({ isValue: true, most: LONGEST * VALUE_TURNS + LONGEST });
}

/** Whether something is visible, or a call has begun or ended. */
function isProgress(event: ReplyEvent): boolean {
  return !(event.type === 'text' || event.type === 'reasoning') || /\S/.test(event.text);
}

/** Calls in a row that differ only in whole numbers. */
class CountingCalls {
  private shape = '';
  private numbers: readonly number[] = [];
  private step = '';
  private times = 0;

  /** Returns the call as text when there have been too many of them. */
  add({ name, arguments: args }: Pick<ToolCall, 'name' | 'arguments'>): string | undefined {
    const numbers: number[] = [];
    const shape = `${name} ${JSON.stringify(withoutNumbers(args, numbers))}`;
    const steps = numbers.map((number, at) => number - (this.numbers[at] ?? NaN));
    const step = steps.join();
    if (shape !== this.shape || !steps.every((each) => each >= 0) || steps.every((each) => each === 0))
      this.times = 1;
    else if (this.times > 1 && step === this.step) this.times++;
    else this.times = 2;
    this.shape = shape;
    this.numbers = numbers;
    this.step = step;
    return this.times >= COUNTING_CALLS ? `${name} ${JSON.stringify(args)}` : undefined;
  }
}

/** The value with a mark instead of each whole number; the numbers are added to the list. */
function withoutNumbers(value: Json, numbers: number[]): Json {
  if (typeof value === 'number' && Number.isInteger(value)) {
    numbers.push(value);
    return NUMBER;
  }
  if (isJsonList(value)) return value.map((each) => withoutNumbers(each, numbers));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutNumbers(each, numbers)]));
}

type IsLoop = (period: number, filled: number, turn: string) => boolean;

function isLoop(period: number, filled: number): boolean {
  return filled >= FILLED && (period < LONG_PERIOD || filled >= TURNS * period);
}

function isLoopInValue(period: number, filled: number): boolean {
  return filled >= VALUE_FILLED && filled >= VALUE_TURNS * period;
}

/** The last characters of a text. */
class Tail {
  /** Joined only when needed: joining for every piece would cost more than reading it. */
  private older: readonly string[] = [];
  private recent = '';
  /** The end with its numbers marked, kept because marking it again for every check would cost most. */
  private shaped = '';
  private sinceLook = 0;
  private looks = 0;

  constructor(private readonly options: { readonly isValue: boolean; readonly most: number }) {}

  /** Adds a text and checks at fixed intervals, wherever the text was cut. */
  add(text: string, look: (tail: Tail, isSecond: boolean) => string | undefined): string | undefined {
    // Usually one token.
    if (this.sinceLook + text.length < STEP) {
      this.recent += text;
      this.sinceLook += text.length;
      return undefined;
    }
    for (let at = 0; at < text.length;) {
      const piece = text.slice(at, at + STEP - this.sinceLook);
      at += piece.length;
      this.recent += piece;
      this.sinceLook += piece.length;
      if (this.sinceLook < STEP) return undefined;
      this.sinceLook = 0;
      if (!this.options.isValue) this.shaped = joinShaped(this.shaped, shape(this.recent.slice(-STEP)));
      const found = look(this, ++this.looks % 2 === 0);
      if (found !== undefined) return found;
      if (this.recent.length > WINDOW) {
        this.older = [...this.older, this.recent].slice(-Math.ceil(this.options.most / WINDOW));
        this.recent = '';
      }
    }
    return undefined;
  }

  private whole(): string {
    return [...this.older, this.recent].join('');
  }

  /** At most a window. */
  private end(length: number): string {
    return this.recent.length >= length
      ? this.recent.slice(-length)
      : (this.older.at(-1) ?? '').slice(this.recent.length - length) + this.recent;
  }

  /** Whether the end is only blanks for this long. */
  blanks(): string | undefined {
    if (/\S/.test(this.end(STEP))) return undefined;
    const end = this.end(BLANKS);
    return end.length === BLANKS && end.trim() === '' ? end : undefined;
  }

  /** The last whole line, if it is repeated often enough in a row. */
  lines(): string | undefined {
    const end = this.end(WINDOW);
    // The last line is still being written.
    const lines = grown(linesBack(end.slice(0, end.lastIndexOf('\n') + 1).trimEnd()));
    const [line = ''] = lines;
    return lines.length >= LINES && lengthOf(lines) + lines.length >= LINES_FILLED && /\p{L}/u.test(line)
      ? line
      : undefined;
  }

  /** The period of the end, if the end repeats one text. */
  period(is: IsLoop): string | undefined {
    const end = this.end(WINDOW);
    for (const { period, same } of guesses(end)) {
      const turn = end.slice(-period);
      // Invisible blanks have their own limit.
      if (!this.options.isValue && turn.trim() === '') continue;
      // The text before the end is examined only if all of the end has this period.
      if (is(period, same < end.length ? same : sameFrom(this.whole(), period), turn))
        return fromSentence(turn);
    }
    return this.shaped.includes(NUMBER) ? this.growingPeriod(is) : undefined;
  }

  /** The same, except for one whole number per turn that grows by a constant step. */
  private growingPeriod(is: IsLoop): string | undefined {
    // The last number may still be growing.
    const end = this.shaped.endsWith(NUMBER) ? this.shaped.slice(0, -1) : this.shaped;
    for (const { period, same } of guesses(end)) {
      if (same < Math.min(2 * period, end.length)) continue;
      const turn = end.slice(-period);
      if (!turn.includes(NUMBER) || !/\p{L}/u.test(turn)) continue;
      const turns = grown(turnsBack(same < end.length ? this.end(WINDOW) : this.whole(), turn));
      const length = lengthOf(turns);
      if (turns.length > 1 && is(length / turns.length, length, turn)) return fromSentence(turns[0] ?? '');
    }
    return undefined;
  }
}

/** The repeated text, from the beginning of a sentence or line. */
function fromSentence(turn: string): string {
  const at = turn.search(/[.!?。\n]\s*\S/);
  if (at < 0) return turn;
  const begin = turn.length - turn.slice(at + 1).trimStart().length;
  return turn.slice(begin) + turn.slice(0, begin);
}

/** The text with a mark in place of each whole number. */
function shape(text: string): string {
  return text.replace(/\d+/g, NUMBER);
}

/** Joins two parts whose cut may have split a number. */
function joinShaped(before: string, after: string): string {
  const isCut = before.endsWith(NUMBER) && after.startsWith(NUMBER);
  return (isCut ? before + after.slice(1) : before + after).slice(-WINDOW);
}

/**
 * Possible periods of the end, shortest first: the distances at which its last characters occur before. `same`
 * characters of the end have that period.
 */
function* guesses(text: string): Generator<{ readonly period: number; readonly same: number }> {
  let probe = text.slice(-PROBE);
  for (let tried = 0, period = 0; tried < GUESSES; tried++) {
    // A negative position would match at the very beginning.
    const from = text.length - probe.length - period - 1;
    const at = from < 0 ? -1 : text.lastIndexOf(probe, from);
    if (at < 0) return;
    period = text.length - probe.length - at;
    if (period > LONGEST) return;
    const same = sameFrom(text, period);
    yield { period, same };
    // A longer period must also repeat what ends this one: in a long ruler, every other guess would fail the same way.
    if (same >= probe.length) probe = text.slice(-same - 1);
  }
}

/** How many characters of the end have this period. */
function sameFrom(text: string, period: number): number {
  let same = 0;
  // Whole turns first: comparing strings costs less than comparing characters.
  const turn = text.slice(-period);
  while (same + period <= text.length && text.startsWith(turn, text.length - same - period)) same += period;
  while (same < text.length && text[text.length - 1 - same] === text[text.length - 1 - same + period]) same++;
  return same;
}

/** The lines of the same shape at the end, last first. The first line of the text may be incomplete. */
function* linesBack(text: string): Generator<string> {
  let last: string | undefined;
  for (let to = text.length, from = 0; to > 0; to = from) {
    from = text.lastIndexOf('\n', to - 1);
    if (from < 0) return;
    const line = text.slice(from + 1, to);
    if (line.trim() === '') continue;
    last ??= shape(line);
    if (shape(line) !== last) return;
    yield line;
  }
}

/**
 * The turns of this shape at the end as they were written, last first. A number that is still being written is left
 * out.
 */
function* turnsBack(text: string, turn: string): Generator<string> {
  let end = beforeNumber(text, text.length);
  for (;;) {
    let start = end;
    for (let at = turn.length - 1; at >= 0; at--) {
      const before = turn[at] === NUMBER ? beforeNumber(text, start) : start - 1;
      if (before === start || (turn[at] !== NUMBER && turn[at] !== text[before])) return;
      start = before;
    }
    yield text.slice(start, end);
    end = start;
  }
}

function beforeNumber(text: string, end: number): number {
  let start = end;
  while (isDigit(text, start - 1)) start--;
  return start;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** The turns, last first, as long as they differ at most in one number that grows by a constant step. */
function grown(turns: Iterable<string>): readonly string[] {
  const same: string[] = [];
  let later: readonly number[] | undefined;
  let step: string | undefined;
  for (const turn of turns) {
    const numbers = (turn.match(/\d+/g) ?? []).map(Number);
    const steps = later?.map((number, at) => number - (numbers[at] ?? NaN));
    const moving = steps?.filter((each) => each !== 0) ?? [];
    if (moving.length > 1 || (moving[0] ?? 1) < 0) break;
    if (steps) step ??= steps.join();
    if (steps && steps.join() !== step) break;
    later = numbers;
    same.push(turn);
  }
  return same;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, each) => sum + each.length, 0);
}
