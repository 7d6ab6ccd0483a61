import type { ToolSpec } from '../../core/words/tool';
import { CallBody } from '../engine/call-body';
import { afterUnclosed, twice, unclosed, unended, unfinishedCall } from '../engine/calls';
import { BLANK_LIMIT, blanksEnd, endsLine, isBlank, seenOf, type Reading } from '../engine/cursor';
import { ValueText } from '../engine/long-text';
import { putBackSwallowed } from '../engine/raw-value';
import type { ReplyWriter } from '../engine/reader';
import {
  DAMAGED,
  decoded,
  END,
  ESCAPE_HINT,
  EXACT,
  resolveFields,
  serialCalls,
  spelled,
  START,
  steersVcp,
  strayText,
  textIn,
  unnumbered,
  type SerialCalls,
  type Spelling,
} from './vcp-fields';

/** How blocks are read. */
export interface VcpForm {
  readonly tools: readonly ToolSpec[] | undefined;
  /** Argument names with more than letters, digits, `_` and `-`; the longer ones first. */
  readonly unusualKeys: readonly string[];
  /** Whether damaged marks and several numbered calls in one block are accepted. */
  readonly isLenient: boolean;
}

export function vcpOpeners({ isLenient }: VcpForm): readonly string[] {
  return isLenient ? DAMAGED.starts : EXACT.starts;
}

export function unusualKeys(tools: readonly ToolSpec[]): readonly string[] {
  const keys = new Set(tools.flatMap(({ parameters }) => Object.keys(parameters.properties ?? {})));
  return [...keys].filter((key) => !USUAL.test(key)).sort((one, other) => other.length - one.length);
}

const USUAL = /^[\w-]+$/;

const RESERVED = new Set(['tool_name', 'request_id']);

const KEY_LIMIT = 256;
const LABEL_LIMIT = 32;
const REMARK_LIMIT = 4096;

/** The next item inside a block; `over`: the reply ended. */
type Item = 'end' | 'new-block' | 'between' | 'stray' | 'over';

/** One block of VCP, with the cursor on its start marker. Numbered calls in a block all have the block's span. */
export class VcpBlock extends CallBody {
  /** Where the value of each key ended. */
  private readonly ends = new Map<string, number>();
  private readonly spelling: Spelling;
  private readonly doubted = new Set<string>();

  constructor(
    reply: ReplyWriter,
    private readonly opener: string,
    private readonly form: VcpForm,
  ) {
    super(reply);
    this.spelling = form.isLenient ? DAMAGED : EXACT;
  }

  *read(): Reading<true> {
    this.cursor.take(this.opener.length);
    this.checkSpelling(this.opener, START);
    for (;;) {
      let item = yield* this.item();
      if (item === 'stray') item = yield* this.stray();
      if (item === 'between') continue;
      if (item === 'new-block') this.reply.markRepaired(afterUnclosed(this.span()));
      if (item !== 'end') this.fail(item === 'new-block' ? unended(END) : unfinishedCall(END));
      this.finish();
      return true;
    }
  }

  /** Reads one item between the markers and returns its kind. A pair may leave the block closed. */
  private *item(): Reading<Item> {
    yield* this.cursor.takeWhile(isBlank, Infinity);
    const char = yield* this.cursor.char();
    if (char === '') return 'over';
    if ((yield* this.unusualKey(0)) !== undefined) return yield* this.pair();
    if (char === ',' || char === '，') {
      this.cursor.take(1);
      if (char === '，') this.repairFullWidth(char, 'between the arguments');
      return 'between';
    }
    if (char === '<') {
      const end = yield* seenOf(this.cursor, this.spelling.ends);
      if (end === undefined)
        return (yield* seenOf(this.cursor, this.spelling.starts)) === undefined ? 'stray' : 'new-block';
      this.cursor.take(end.length);
      this.checkSpelling(end, END);
      return 'end';
    }
    if (yield* this.cursor.sees('//')) {
      let remark = '';
      yield* this.cursor.upTo(['\n'], (piece) => (remark = (remark + piece).slice(0, REMARK_LIMIT)));
      // A remark that contains marks was meant as the rest of a value.
      if (/「[始末]/.test(remark)) this.fail(strayText(remark.slice(0, 60)));
      return 'between';
    }
    return isKeyChar(char) ? yield* this.pair() : 'stray';
  }

  private *pair(): Reading<Item> {
    const unusual = yield* this.unusualKey(0);
    const key =
      unusual === undefined
        ? yield* this.cursor.takeWhile(isKeyChar, KEY_LIMIT)
        : this.cursor.take(unusual.length);
    yield* this.cursor.takeWhile(isBlank, BLANK_LIMIT);
    const colon = yield* this.cursor.char();
    if (colon === '') return 'over';
    if (colon !== ':' && colon !== '：') return 'stray';
    this.cursor.take(1);
    yield* this.cursor.takeWhile(isBlank, BLANK_LIMIT);
    const label = yield* this.opening();
    if (label === undefined) return (yield* this.cursor.char()) === '' ? 'over' : 'stray';
    if (colon === '：') this.repairFullWidth(colon, `after "${key}"`);
    if (unusual === undefined && !USUAL.test(key))
      this.warn('unusual-key', `The argument "${key}" is not written in ASCII.`);
    return yield* this.value(key, label);
  }

  /** The unusual name of an argument, if one is here with its value. */
  private *unusualKey(offset: number): Reading<string | undefined> {
    for (const key of this.form.unusualKeys) {
      if (!(yield* this.cursor.sees(key, offset))) continue;
      const colon = yield* blanksEnd(this.cursor, offset + key.length);
      if (!(yield* this.cursor.sees(':', colon))) continue;
      const value = yield* blanksEnd(this.cursor, colon + 1);
      if (yield* this.cursor.sees('「始', value)) return key;
    }
    return undefined;
  }

  /** Takes the mark that opens a value and returns its label, which is usually empty. */
  private *opening(): Reading<string | undefined> {
    const { left, right } = this.spelling;
    const begins = yield* seenOf(
      this.cursor,
      left.map((bracket) => `${bracket}始`),
    );
    if (begins === undefined) return undefined;
    this.cursor.take(begins.length);
    const label = yield* this.cursor.takeWhile((char) => /\w/.test(char), LABEL_LIMIT);
    const bracket = yield* seenOf(this.cursor, right);
    if (bracket === undefined) return undefined;
    this.cursor.take(bracket.length);
    this.checkSpelling(`${begins}${label}${bracket}`, `「始${label}」`);
    return label;
  }

  private *value(key: string, label: string): Reading<Item> {
    const { spelling } = this;
    const closers = spelled(spelling, `末${label}`);
    const openers = spelled(spelling, `始${label}`);
    const literals =
      label === '' ? [...spelling.left, ...spelling.markers] : [...closers, ...openers, ...spelling.markers];
    const text = new ValueText();
    const isShown = !RESERVED.has(key);
    const add = (piece: string): void => {
      text.add(piece);
      if (isShown) this.show(key, piece);
    };
    // Marks of whole pairs and blocks inside a plain value are data; with a label, everything is data.
    const inner = { marks: 0, blocks: 0 };
    let isReopened = false;
    for (;;) {
      const found = yield* this.cursor.upTo(literals, add);
      if (found === undefined) {
        if (!putBackSwallowed(this.reply, text)) return 'over';
        this.fail(unclosed(key, `「末${label}」`));
        return 'end';
      }
      const mark =
        (yield* seenOf(this.cursor, [...closers, ...openers, ...spelling.ends, ...spelling.starts])) ?? found;
      const isEnd = spelling.ends.includes(mark) && inner.blocks === 0;
      const isAlone = isEnd && text.isLineStart && (yield* endsLine(this.cursor, mark.length));
      if (isAlone && label === '' && inner.marks === 0) {
        this.cursor.take(mark.length);
        this.fail(unclosed(key, '「末」'));
        return 'end';
      }
      if (closers.includes(mark) && inner.marks === 0 && (label !== '' || inner.blocks === 0)) {
        if (label !== '' || (yield* this.closes(mark.length))) {
          if (isReopened) {
            add(this.cursor.take(mark.length));
            this.fail(unclosed(key, `「末${label}」`));
            return putBackSwallowed(this.reply, text) ? 'end' : 'between';
          }
          this.cursor.take(mark.length);
          this.checkSpelling(mark, `「末${label}」`);
          this.keepText(key, text.join(), label);
          return 'between';
        }
        this.repairMark(key, mark);
      } else if (closers.includes(mark)) {
        inner.marks = Math.max(0, inner.marks - 1);
      } else if (openers.includes(mark) && label !== '') {
        // After a possible end of this block, the value of another block opens.
        isReopened ||= text.isMarked;
      } else if (openers.includes(mark)) {
        // It begins a value only after a key; that value has its own end.
        const isKeyed = /[:：]/.test(text.lastVisible);
        if (isKeyed) this.repairMark(key, mark);
        if (isKeyed) inner.marks++;
      } else if (spelling.starts.includes(mark)) {
        if (label === '') this.repairMark(key, mark);
        inner.blocks++;
      } else if (spelling.ends.includes(mark) && inner.blocks > 0) {
        inner.blocks--;
      }
      add(this.cursor.take(mark.length));
      // This end marker may be the block's own.
      if (isAlone) text.mark();
    }
  }

  /** A mark inside a plain value: there is one likely reading, but it should have been escaped. */
  private repairMark(key: string, mark: string): void {
    if (RESERVED.has(key)) this.fail(unclosed(key, '「末」'));
    if (this.doubted.has(key)) return;
    this.doubted.add(key);
    this.repair(
      'mark-in-value',
      `The value of "${key}" holds "${mark}"; it was read as part of the value.`,
      ESCAPE_HINT,
    );
  }

  /** Whether the closing mark here really closes: only another part of the block may follow it. */
  private *closes(length: number): Reading<boolean> {
    const { ends, starts } = this.spelling;
    const offset = yield* blanksEnd(this.cursor, length);
    const next = yield* this.cursor.char(offset);
    if (next === '' || next === ',' || next === '，') return true;
    if ((yield* this.unusualKey(offset)) !== undefined) return true;
    if (next === '/') return yield* this.cursor.sees('//', offset);
    if (next === '<') return (yield* seenOf(this.cursor, [...ends, ...starts], offset)) !== undefined;
    let end = offset;
    while (isKeyChar(yield* this.cursor.char(end)) && end < offset + KEY_LIMIT) end++;
    if (end === offset) return false;
    const colon = yield* this.cursor.char(yield* blanksEnd(this.cursor, end));
    // A reply that ends inside a key was cut off there; this value is complete.
    return colon === '' || colon === ':' || colon === '：';
  }

  private keepText(key: string, raw: string, label: string): void {
    const text = label === 'ESCAPE' ? decoded(raw) : raw;
    if (text !== raw) this.note('decoded', `Escaped markers in "${key}" were restored.`);
    if (this.values.has(key)) this.fail({ ...twice(key), hint: `Give "${key}" once. ${ESCAPE_HINT}` });
    this.keep(key, text);
    this.ends.set(key, this.cursor.position);
    if (key === 'tool_name') this.begin(text);
  }

  /** Skips text outside pairs. A value in it is still read as one, so that nothing inside it counts. */
  private *stray(): Reading<Item> {
    const { left, ends, starts } = this.spelling;
    const openings = left.map((bracket) => `${bracket}始`);
    let text = '';
    yield* this.cursor.upTo(
      [...openings, ...ends, ...starts, '\n'],
      (piece) => (text = (text + piece).slice(0, 60)),
    );
    this.fail(strayText(text.trim()));
    if ((yield* seenOf(this.cursor, openings)) === undefined) return 'between';
    const label = yield* this.opening();
    return label === undefined ? 'between' : yield* this.value('', label);
  }

  private checkSpelling(mark: string, exact: string): void {
    if (mark !== exact)
      this.repair('damaged-mark', `Read "${mark}" as "${exact}".`, 'Write the marks exactly.');
  }

  private repairFullWidth(char: string, where: string): void {
    const ascii = char === '：' ? ':' : ',';
    this.repair('full-width', `Read "${char}" ${where} as "${ascii}".`, `Write "${ascii}".`);
  }

  private finish(): void {
    const values = new Map([...this.values].filter(([key]) => !RESERVED.has(key)));
    const serial = this.form.isLenient && !this.problem ? serialCalls(values) : undefined;
    if (serial) {
      this.finishSerial(serial);
      return;
    }
    const { leftOut, ...call } = resolveFields(this.form.tools, this.values, values);
    this.noteLeftOut(leftOut);
    this.report({ ...call, ...this.span(), index: this.begin(), id: this.id() });
  }

  /** Reports each of the numbered calls; the block is split after the last value of each. */
  private finishSerial({ calls, strays }: SerialCalls): void {
    this.repair('serial', 'Read the numbered arguments as separate calls.', 'Write one block for each call.');
    const [unexplained] = strays.filter((key) => !steersVcp(key));
    if (unexplained !== undefined) this.fail(unnumbered(unexplained));
    const resolved = [...calls].map(([number, values]) => ({
      number,
      keys: values.keys(),
      ...resolveFields(this.form.tools, this.values, values),
    }));
    this.noteLeftOut([...strays, ...resolved.flatMap(({ leftOut }) => leftOut)]);
    const { end } = this.span();
    let { start } = this;
    for (const [at, { number, keys, name, values }] of resolved.entries()) {
      const isLast = at === resolved.length - 1;
      const valuesEnd = Math.max(start, ...[...keys].map((key) => this.ends.get(key + number) ?? 0));
      const part = { start, end: isLast ? end : valuesEnd };
      start = part.end;
      const first = { index: this.begin(), id: this.id() };
      this.report({ name, values, ...part, ...(at === 0 ? first : { index: this.reply.startCall(name) }) });
    }
  }

  private id(): string {
    return textIn(this.values, 'request_id');
  }

  private noteLeftOut(keys: readonly string[]): void {
    for (const key of new Set(keys)) {
      this.note('control-field', `The field "${key}" was left out: not an argument.`);
    }
  }
}

function isKeyChar(char: string): boolean {
  return char !== '' && /[\p{L}\p{N}_-]/u.test(char);
}
