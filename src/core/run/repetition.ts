import type { ReplyEvent } from '../words/protocol';

/*
 * Models fall into loops: weak ones write the same for minutes, strong ones now and then. What counts as one is set so
 * that code, tables and data, which repeat themselves honestly, are none.
 */

/** Longer periods are not looked for. */
const LONGEST = 2_000;

/** Text and thinking: a period so long makes a loop in four turns, a shorter one where it fills so many characters. */
const LONG_PERIOD = 40;
const TURNS = 4;
const FILLED = 1_500;

/** Text and thinking: a line so often in a row, and so many characters. */
const LINES = 12;
const LINES_FILLED = 300;

/** Blanks in a row outside values. */
const BLANKS = 2_000;

/** Inside a value, where data repeats itself honestly. */
const VALUE_TURNS = 20;
const VALUE_FILLED = 8_000;

/** How often the tail is looked at, in characters: for blanks each time, for more each second time. */
const STEP = 500;

/** What guesses of a period are made from; a period of the longest shows in it. */
const WINDOW = 2 * LONGEST;

/** So much of the end is looked for before it, to guess the period. */
const PROBE = 32;

/** Guesses in one look. */
const GUESSES = 8;

/** Stands for a whole number, which may grow from turn to turn. */
const NUMBER = '\0';

/** Watches one reply as it streams. Costs the same for each character and remembers a bounded part of it. */
export class RepetitionWatch {
  private readonly said = new Tail({ isValue: false, most: LONGEST * TURNS + LONGEST });
  /** The last call, and how often it came in a row. */
  private call = { text: '', times: 0 };
  private value: { readonly index: number; readonly key: string; readonly tail: Tail } | undefined;

  /** Takes in what a reply brings. Returns the text that it repeats, if it does by now. */
  look(event: ReplyEvent): string | undefined {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return this.addText(event.text);
      case 'call-delta':
        return this.addValue(event.index, event.key, event.text);
      case 'call-end':
        return this.addCall(`${event.call.name} ${JSON.stringify(event.call.arguments)}`);
      default:
        return undefined;
    }
  }

  /** What the user reads, and thinking. */
  private addText(text: string): string | undefined {
    return this.said.add(
      text,
      (tail, isSecond) => tail.blanks() ?? (isSecond ? (tail.lines() ?? tail.period(isLoop)) : undefined),
    );
  }

  /** The same call again and again is a loop, too; what one call holds is none, nor what counts something up. */
  private addCall(text: string): string | undefined {
    this.call = { text, times: text === this.call.text ? this.call.times + 1 : 1 };
    return this.call.times >= TURNS && text.length * this.call.times >= FILLED ? text : undefined;
  }

  /** A piece of the value of one argument; call and key tell values apart. */
  private addValue(index: number, key: string, text: string): string | undefined {
    if (this.value?.key !== key || this.value.index !== index)
      this.value = { index, key, tail: new Tail({ isValue: true, most: LONGEST * VALUE_TURNS + LONGEST }) };
    return this.value.tail.add(text, (tail, isSecond) => (isSecond ? tail.period(isLoopInValue) : undefined));
  }
}

type IsLoop = (period: number, filled: number) => boolean;

function isLoop(period: number, filled: number): boolean {
  return filled >= FILLED && (period < LONG_PERIOD || filled >= TURNS * period);
}

function isLoopInValue(period: number, filled: number): boolean {
  return filled >= VALUE_FILLED && filled >= VALUE_TURNS * period;
}

/** The last characters of a text. */
class Tail {
  /** Joined where they are needed only: joining all for every piece would cost more than reading it. */
  private older: readonly string[] = [];
  private recent = '';
  /** The end with its numbers marked; marking all of it again for every look would cost most. */
  private shaped = '';
  private sinceLook = 0;
  private looks = 0;

  constructor(private readonly options: { readonly isValue: boolean; readonly most: number }) {}

  /** Adds a text and looks each so many characters, wherever it was cut. */
  add(text: string, look: (tail: Tail, isSecond: boolean) => string | undefined): string | undefined {
    // One token, as a rule.
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

  /** Nothing but blanks for so long. */
  blanks(): string | undefined {
    if (/\S/.test(this.end(STEP))) return undefined;
    const end = this.end(BLANKS);
    return end.length === BLANKS && end.trim() === '' ? end : undefined;
  }

  /** The last whole line, where it stands so often in a row. */
  lines(): string | undefined {
    const end = this.end(WINDOW);
    // The last one is still being written.
    const lines = grown(linesBack(end.slice(0, end.lastIndexOf('\n') + 1).trimEnd()));
    const [line = ''] = lines;
    return lines.length >= LINES && lengthOf(lines) + lines.length >= LINES_FILLED && /\p{L}/u.test(line)
      ? line
      : undefined;
  }

  /** The period of the end, where it is one text again and again. */
  period(is: IsLoop): string | undefined {
    const end = this.end(WINDOW);
    for (const { period, same } of guesses(end)) {
      const turn = end.slice(-period);
      // Blanks that the user would not see have a limit of their own.
      if (!this.options.isValue && turn.trim() === '') continue;
      // More than the end is only looked at where all of that has this period.
      if (is(period, same < end.length ? same : sameFrom(this.whole(), period))) return fromSentence(turn);
    }
    return this.shaped.includes(NUMBER) ? this.growingPeriod(is) : undefined;
  }

  /** The same, but for one whole number in each turn that grows by the same step. */
  private growingPeriod(is: IsLoop): string | undefined {
    // The last number may still be written.
    const end = this.shaped.endsWith(NUMBER) ? this.shaped.slice(0, -1) : this.shaped;
    for (const { period, same } of guesses(end)) {
      if (same < Math.min(2 * period, end.length)) continue;
      const turn = end.slice(-period);
      if (!turn.includes(NUMBER) || !/\p{L}/u.test(turn)) continue;
      const turns = grown(turnsBack(same < end.length ? this.end(WINDOW) : this.whole(), turn));
      const length = lengthOf(turns);
      if (turns.length > 1 && is(length / turns.length, length)) return fromSentence(turns[0] ?? '');
    }
    return undefined;
  }
}

/** What comes round and round, from where a sentence or line of it begins. */
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

/** Two parts, one after the other, that may have cut a number. */
function joinShaped(before: string, after: string): string {
  const isCut = before.endsWith(NUMBER) && after.startsWith(NUMBER);
  return (isCut ? before + after.slice(1) : before + after).slice(-WINDOW);
}

/**
 * How long the period of the end may be, shortest first: how far before it the same stands again. `same` characters of
 * the end have that period.
 */
function* guesses(text: string): Generator<{ readonly period: number; readonly same: number }> {
  let probe = text.slice(-PROBE);
  for (let tried = 0, period = 0; tried < GUESSES; tried++) {
    // A negative place would find what stands at the very beginning.
    const from = text.length - probe.length - period - 1;
    const at = from < 0 ? -1 : text.lastIndexOf(probe, from);
    if (at < 0) return;
    period = text.length - probe.length - at;
    if (period > LONGEST) return;
    const same = sameFrom(text, period);
    yield { period, same };
    // A longer period repeats also what ends this one: in a long ruler, every other guess would fail like this one.
    if (same >= probe.length) probe = text.slice(-same - 1);
  }
}

/** How many characters of the end have this period. */
function sameFrom(text: string, period: number): number {
  let same = 0;
  // Whole turns first: comparing texts costs less than comparing characters.
  const turn = text.slice(-period);
  while (same + period <= text.length && text.startsWith(turn, text.length - same - period)) same += period;
  while (same < text.length && text[text.length - 1 - same] === text[text.length - 1 - same + period]) same++;
  return same;
}

/** The lines of one shape at the end, last first. The first of the text may be a part of one. */
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

/** The turns of this shape at the end as they were written, last first. A number that is still being written is left out. */
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

/** The turns, last first, up to one that is not the same but for one number at most, which grows by the same step. */
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
