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

/** How often the tail is looked at, in characters. */
const STEP = 500;

/** What guesses of a period are made from; a period of the longest shows in it. */
const WINDOW = 2 * LONGEST;

/** So much of the end is looked for before it, to guess the period. */
const PROBE = 32;

/** Guesses in one look. */
const GUESSES = 8;

/** Stands for a whole number, which may grow from turn to turn. */
const NUMBER = '\uffff';

/** Watches one reply as it streams. Costs the same for each character and remembers a bounded part of it. */
export class RepetitionWatch {
  private readonly said = new Tail({ isValue: false, most: LONGEST * TURNS + LONGEST });
  /** The last call, and how often it came in a row. */
  private call = { text: '', times: 0 };
  private value: { readonly key: string; readonly tail: Tail } | undefined;

  /** Takes in what a reply brings. Returns the text that it repeats, if it does by now. */
  look(event: ReplyEvent): string | undefined {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return this.addText(event.text);
      case 'call-delta':
        return this.addValue(`${event.index} ${event.key}`, event.text);
      case 'call-end':
        return this.addCall(`${event.call.name} ${JSON.stringify(event.call.arguments)}`);
      default:
        return undefined;
    }
  }

  /** What the user reads, and thinking. */
  private addText(text: string): string | undefined {
    return this.said.add(text, (tail) => tail.blanks() ?? tail.lines() ?? tail.period(isLoop));
  }

  /** The same call again and again is a loop, too; what one call holds is none, nor what counts something up. */
  private addCall(text: string): string | undefined {
    this.call = { text, times: text === this.call.text ? this.call.times + 1 : 1 };
    return this.call.times >= TURNS && text.length * this.call.times >= FILLED ? text : undefined;
  }

  /** A piece of the value of one argument; `key` tells values apart. */
  private addValue(key: string, text: string): string | undefined {
    if (this.value?.key !== key)
      this.value = { key, tail: new Tail({ isValue: true, most: LONGEST * VALUE_TURNS + LONGEST }) };
    return this.value.tail.add(text, (tail) => tail.period(isLoopInValue));
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
  /** Joined now and then: joining all of it for every piece would cost more than reading it. */
  private older = '';
  private recent = '';
  private sinceLook = 0;

  constructor(private readonly options: { readonly isValue: boolean; readonly most: number }) {}

  /** Adds a text and looks each so many characters, wherever it was cut. */
  add(text: string, look: (tail: Tail) => string | undefined): string | undefined {
    for (let at = 0; at < text.length;) {
      const piece = text.slice(at, at + STEP - this.sinceLook);
      at += piece.length;
      this.recent += piece;
      this.sinceLook += piece.length;
      if (this.sinceLook < STEP) return undefined;
      this.sinceLook = 0;
      const found = look(this);
      if (found !== undefined) return found;
      if (this.recent.length > WINDOW) {
        this.older = this.whole().slice(-this.options.most);
        this.recent = '';
      }
    }
    return undefined;
  }

  private whole(): string {
    return this.older + this.recent;
  }

  private end(length: number): string {
    return this.recent.length >= length
      ? this.recent.slice(-length)
      : this.older.slice(this.recent.length - length) + this.recent;
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
    const whole = end.slice(0, end.lastIndexOf('\n') + 1).trimEnd();
    const turns: string[] = [];
    let filled = 0;
    for (let to = whole.length, from = 0; to > 0 && from >= 0; to = from) {
      from = whole.lastIndexOf('\n', to - 1);
      const line = whole.slice(from + 1, to);
      if (line.trim() === '') continue;
      // The first may be a part of one.
      if (from < 0 || (turns[0] !== undefined && shape(line) !== shape(turns[0]))) break;
      turns.unshift(line);
      filled += line.length + 1;
    }
    const [line = ''] = turns;
    const isLoop = turns.length >= LINES && filled >= LINES_FILLED && /\p{L}/u.test(line);
    return isLoop && grow(turns) ? line : undefined;
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
    return this.options.isValue || !/\d/.test(end) ? undefined : this.growingPeriod(end, is);
  }

  /** The same, but for one whole number in each turn that grows by the same step. */
  private growingPeriod(end: string, is: IsLoop): string | undefined {
    const shapedEnd = shape(withoutLastNumber(end));
    for (const { period, same } of guesses(shapedEnd)) {
      const turn = shapedEnd.slice(-period);
      if (same < Math.min(2 * period, shapedEnd.length)) continue;
      if (!turn.includes(NUMBER) || !/\p{L}/u.test(turn)) continue;
      const text = withoutLastNumber(this.whole());
      const shaped = shape(text);
      const turns = turnsOf(text, shaped, period, sameFrom(shaped, period));
      const length = turns.reduce((sum, each) => sum + each.length, 0);
      if (is(length / turns.length, length) && grow(turns)) return fromSentence(turns.at(-1) ?? '');
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

/** The last number may still be written. */
function withoutLastNumber(text: string): string {
  let end = text.length;
  while (end > 0 && /\d/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
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

/** The turns of the end as they were written; the period is that of the shaped text. */
function turnsOf(text: string, shaped: string, period: number, filled: number): string[] {
  const count = Math.floor(filled / period);
  const numbers = shaped.slice(-period).split(NUMBER).length - 1;
  const found = [...text.matchAll(/\d+/g)];
  const turns: string[] = [];
  let end = text.length;
  for (let turn = 0; turn < count; turn++) {
    const own = found.slice(found.length - (turn + 1) * numbers, found.length - turn * numbers);
    const digits = own.reduce((sum, [each]) => sum + each.length - 1, 0);
    const start = end - period - digits;
    turns.unshift(text.slice(start, end));
    end = start;
  }
  return turns;
}

/** Whether texts of one shape are the same, but for one number at most that grows by the same step. */
function grow(turns: readonly string[]): boolean {
  const numbers = turns.map((turn) => (turn.match(/\d+/g) ?? []).map(Number));
  const [first = []] = numbers;
  const moving = first.filter((_, at) => numbers.some((each) => each[at] !== first[at]));
  if (moving.length === 0) return true;
  if (moving.length > 1) return false;
  const at = first.findIndex((_, column) => numbers.some((each) => each[column] !== first[column]));
  const steps = numbers.slice(1).map((each, row) => (each[at] ?? NaN) - (numbers[row]?.[at] ?? NaN));
  return steps.every((step) => step === steps[0] && step > 0);
}
