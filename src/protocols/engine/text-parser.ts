import type { Diagnostic } from '../../core/words/messages';
import type { EndReason, ModelDelta } from '../../core/words/model';
import { CALLS_PER_REPLY, type ReplyEvent, type ReplyParser } from '../../core/words/protocol';
import { afterUnclosed, CallBinder, TOO_MANY_CALLS, warning, type RawCall } from './calls';
import { Cursor, type Reading } from './cursor';
import { IN_THE_OPEN, isTemplate, unreadForm } from './foreign';
import { lostCallFinder, mayHoldCall, type LostCall } from './lost-calls';
import { LongText } from './long-text';
import type { Reader, ReaderOptions, ReplyWriter, Span } from './reader';
import { CLOSERS } from './reasoning-marks';
import { scanReply } from './scanner';

const SLICE = 4_096;
/** Characters of reasoning that are kept for display. */
const REASONING = 1_000_000;

/** An event whose text is still arriving. */
type Growing =
  | { readonly type: 'text' | 'reasoning'; text: string }
  | { readonly type: 'call-delta'; readonly index: number; readonly key: string; text: string };

/** Runs a reader as a coroutine over the stream. Every text protocol is this class with another reader. */
export class TextParser implements ReplyParser {
  private readonly cursor = new Cursor();
  private readonly binder: CallBinder;
  private readonly reading: Reading<void>;
  private events: ReplyEvent[] = [];
  /** Pieces of the event that is still growing; joined once. */
  private pieces: string[] = [];
  private piecesFor: Growing | undefined;
  private callCount = 0;
  /** Calls that turned out to be inside reasoning. */
  private takenBack = 0;
  /** The text so far, while all of it may turn out to be reasoning; limited to a readable length. */
  private maybeReasoning: LongText | undefined = new LongText();
  private sawNativeCall = false;
  /** The text so far that may hold a call which nobody reads, until one was read or something was said about one. */
  private unsaid: { readonly at: number; readonly text: string }[] | undefined = [];
  private repairedMark: { readonly reason: Diagnostic; readonly before: number } | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly options: ReaderOptions,
  ) {
    this.binder = new CallBinder(options);
    this.reading = scanReply(this.writer(), reader, options);
  }

  push(delta: ModelDelta): readonly ReplyEvent[] {
    switch (delta.type) {
      case 'text':
        this.read(delta.text);
        break;
      case 'reasoning':
        if (delta.text !== '') this.settleReasoning();
        this.grow({ type: 'reasoning', text: '' }, delta.text);
        break;
      case 'tool-call':
        this.warnOfNativeCall();
        break;
      default:
        break;
    }
    return this.flush();
  }

  /** Text from other sources counts for the positions. */
  skip(count: number): void {
    this.cursor.skip(count);
    this.settleReasoning();
  }

  /** The text was not reasoning: reasoning arrived separately, or calls of the API have begun. */
  settleReasoning(): void {
    this.maybeReasoning = undefined;
  }

  /** Calls have come in another way: what is left of some in the text is of no interest. */
  leaveUnsaid(): void {
    this.unsaid = undefined;
  }

  end(reason: EndReason | 'cut'): readonly ReplyEvent[] {
    this.cursor.ended = true;
    this.cursor.isCut = reason === 'length' || reason === 'cut';
    this.reading.next();
    this.nameLost();
    return this.flush();
  }

  private findLost(text: string): LostCall | undefined {
    if (!mayHoldCall(text)) return undefined;
    return lostCallFinder([this.reader, ...(this.options.foreign ?? [])], this.options.tools)(text);
  }

  /** A reply never loses a call in silence: says which form the text holds if nothing was read from it. */
  private nameLost(): void {
    const pieces = this.unsaid ?? [];
    const lost = this.findLost(pieces.map(({ text }) => text).join(''));
    if (!lost) return;
    let before = 0;
    const piece = pieces.find(({ text }) => (before += text.length) > lost.start);
    const start = (piece?.at ?? 0) + lost.start - (before - (piece?.text.length ?? 0));
    const span = { start, end: Math.min(start + lost.end - lost.start, this.cursor.position) };
    this.report({ type: 'warning', diagnostic: unreadForm(span, lost.form) });
  }

  /** A long text is read in slices, because readers search all that is unread repeatedly. */
  private read(text: string): void {
    if ((this.maybeReasoning?.length ?? REASONING) < REASONING) this.maybeReasoning?.add(text);
    for (let at = 0; at < text.length; at += SLICE) {
      if (this.cursor.push(text.length > SLICE ? text.slice(at, at + SLICE) : text)) this.reading.next();
    }
  }

  private writer(): ReplyWriter {
    const count = (): number => this.callCount - this.takenBack;
    const closers = (): readonly string[] => (this.maybeReasoning ? CLOSERS : []);
    return {
      cursor: this.cursor,
      text: (piece, isShown = false) => {
        if (!isShown) this.unsaid?.push({ at: this.cursor.position - piece.length, text: piece });
        this.grow({ type: 'text', text: '' }, piece);
      },
      reasoning: (piece) => this.grow({ type: 'reasoning', text: '' }, piece),
      startCall: (name) => this.startCall(name),
      delta: (index, key, text) => {
        if (index >= CALLS_PER_REPLY) return;
        const open = this.piecesFor;
        if (open?.type === 'call-delta' && open.index === index && open.key === key) this.pieces.push(text);
        else this.grow({ type: 'call-delta', index, key, text: '' }, text);
      },
      endCall: (call) => this.settle(call, () => this.binder.bind(this.withMark(call))),
      rejectCall: (call, problem) => this.settle(call, () => this.binder.reject(call, problem)),
      warn: (diagnostic) => this.report({ type: 'warning', diagnostic }),
      putBackSwallowed: (text) => this.putBackSwallowed(text),
      markRepaired: (reason, before) => this.markRepaired(reason, before),
      recover: (calls, form, block) => this.recover(calls, form, block),
      endReasoning: (end) => this.endReasoning(end),
      lostForm: (text) => {
        const lost = this.findLost(text);
        // Thoughts name forms. A call goes on behind its opener.
        return lost && /[{[(<「]/.test(text.slice(lost.end)) ? lost.form : undefined;
      },
      get closers() {
        return closers();
      },
      get callCount() {
        return count();
      },
    };
  }

  private endReasoning(end: number): boolean {
    const text = this.maybeReasoning?.join().slice(0, end) ?? '';
    this.settleReasoning();
    if (text.trim() === '') return false;
    this.takenBack = this.callCount;
    // What was unclosed in the reasoning does not affect the calls after it.
    this.repairedMark = undefined;
    this.unsaid = [];
    this.report({ type: 'reasoning-end', text });
    return true;
  }

  private withMark(call: RawCall): RawCall {
    if (!this.repairedMark || call.start >= this.repairedMark.before) return call;
    return { ...call, repaired: true, notes: [this.repairedMark.reason, ...(call.notes ?? [])] };
  }

  private markRepaired(reason: Diagnostic, before = Infinity): void {
    if (before >= (this.repairedMark?.before ?? 0)) this.repairedMark = { reason, before };
  }

  private putBackSwallowed(text: string): boolean {
    const span = { start: this.cursor.position - text.length, end: this.cursor.position };
    if (!this.cursor.putBack(text)) return false;
    this.markRepaired(afterUnclosed(span));
    return true;
  }

  private recover(calls: readonly RawCall[], form: string | undefined, block: Span): boolean {
    const { tools, recover } = this.options;
    // After an unclosed block, it is unknown what this block is a part of.
    if (!recover || !tools || block.start < (this.repairedMark?.before ?? 0)) return false;
    if (isTemplate(calls)) return false;
    const fits = calls.map((raw) => this.binder.fit(raw));
    if (!fits.every((fit) => fit.ok)) return false;
    let { start } = block;
    fits.forEach(({ call }, number) => {
      const end = number === fits.length - 1 ? block.end : call.end;
      const raw = { ...calls[number], index: this.startCall(call.name), name: call.name, start, end };
      const notes = [recovered({ start, end }, form), ...call.notes];
      this.settle(raw, () => this.binder.accept(raw, { ...call, start, end, notes, mark: 'recovered' }));
      start = end;
    });
    return true;
  }

  private startCall(name: string): number {
    // The first one above the limit is announced too: a live reply is closed there.
    if (this.callCount <= CALLS_PER_REPLY) this.report({ type: 'call-start', index: this.callCount, name });
    return this.callCount++;
  }

  /** The first call above the limit is reported, later ones are skipped. */
  private settle(call: Omit<RawCall, 'arguments'>, bind: () => ReplyEvent): void {
    if (call.index < CALLS_PER_REPLY) this.report(bind());
    else if (call.index === CALLS_PER_REPLY) this.report(this.binder.reject(call, TOO_MANY_CALLS));
  }

  private grow(event: Growing, text: string): void {
    if (text === '') return;
    if (this.piecesFor?.type !== event.type || event.type === 'call-delta') this.close();
    this.piecesFor ??= event;
    this.pieces.push(text);
  }

  private close(): void {
    if (!this.piecesFor) return;
    this.piecesFor.text = this.pieces.length === 1 ? (this.pieces[0] ?? '') : this.pieces.join('');
    this.events.push(this.piecesFor);
    this.piecesFor = undefined;
    this.pieces = [];
  }

  private report(event: ReplyEvent): void {
    this.close();
    if (event.type === 'call-end' || event.type === 'malformed' || event.type === 'warning')
      this.leaveUnsaid();
    this.events.push(event);
  }

  private flush(): readonly ReplyEvent[] {
    this.close();
    const { events } = this;
    this.events = [];
    return events;
  }

  private warnOfNativeCall(): void {
    if (this.sawNativeCall) return;
    this.sawNativeCall = true;
    const here = { start: this.cursor.position, end: this.cursor.position };
    this.report({
      type: 'warning',
      diagnostic: warning(
        here,
        'native-call',
        'The model used the native tool interface although a text protocol is set; that call was not run.',
        'Write the call as text in the form shown.',
      ),
    });
  }
}

function recovered(span: Span, form: string | undefined): Diagnostic {
  if (form === undefined) return warning(span, 'recovered', 'The call was inside a code fence.', IN_THE_OPEN);
  const message = `Written in the form "${form}", not in the expected one.`;
  return { ...warning(span, 'recovered', message, 'Write calls in the form shown.'), seen: form };
}
