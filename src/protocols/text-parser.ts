import type { EndReason, ModelDelta } from '../core/model';
import type { ParserOptions, ReplyEvent, ReplyParser } from '../core/protocol';
import type { Diagnostic } from '../core/diagnostic';
import {
  afterUnclosed,
  CallBinder,
  CALLS_PER_REPLY,
  TOO_MANY_CALLS,
  warning,
  type Problem,
  type RawCall,
} from './calls';
import { Cursor, type Reading } from './cursor';
import { readReply } from './scanner';

/** What a text protocol adds to the shared engine: its markers and how the block behind one is read. */
export interface Grammar {
  readonly id: string;
  /** Texts that open a block, outside code and reasoning. */
  readonly openers: readonly string[];
  /** Texts that only Parley writes: after a call they begin a result the model has invented. */
  readonly resultOpeners: readonly string[];
  /** Whether a block really begins at an opener; it does if this is not given. Looks, and takes nothing. */
  readonly begins?: (
    cursor: Cursor,
    opener: string,
    isLineStart: boolean,
    offset?: number,
  ) => Reading<boolean>;
  /**
   * Reads one block; the cursor stands on its opener. Ends behind the block, or where reading can go on. Answers false
   * for what turned out to be no block; it was written as text then, with the fence in front of it.
   */
  readonly block: (reply: ReplyWriter, opener: string, fence: OpenFence | undefined) => Reading<boolean>;
  /** Which protocol a block is written in, where several share the opener. */
  readonly formOf?: (block: string) => string;
  /** Models put their only call into a code fence; it counts where nothing else comes of the reply. */
  readonly mayBeFenced?: boolean;
}

/** A code fence that was opened right in front of a block. */
export interface OpenFence {
  /** Its line, not written yet. */
  readonly text: string;
  /** Whether it only decorates the block that was just read: no other call came before, and nothing follows. */
  readonly isDecoration: () => Reading<boolean>;
}

/** How one reply is read. */
export interface ReaderOptions extends ParserOptions {
  /** Grammars of the forms that models fall back into whatever they are told. */
  readonly foreign?: readonly Grammar[];
}

/** A part of the reply, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a grammar reads from and reports to. */
export interface ReplyWriter {
  readonly cursor: Cursor;
  text(piece: string): void;
  reasoning(piece: string): void;
  /** Announces a call and returns its index. */
  begin(name: string): number;
  delta(index: number, key: string, text: string): void;
  finish(call: RawCall): void;
  reject(call: Omit<RawCall, 'arguments'>, problem: Problem): void;
  warn(diagnostic: Diagnostic): void;
  /**
   * Lets text that was just taken be read again, as a call that was never closed had swallowed it; says whether it will
   * be. The calls in it count as repaired: they may have been meant as part of the other.
   */
  readAgain(text: string): boolean;
  /** From here on every call counts as repaired, for this reason; or those that begin before a place. */
  doubt(reason: Diagnostic, before?: number): void;
  /**
   * Lets the calls of a block in a foreign form count, if that is wanted and all of them fit an offered tool; says
   * whether they do.
   */
  recover(calls: readonly RawCall[], form: string, block: Span): boolean;
  /** Calls and malformed calls so far. */
  readonly callCount: number;
}

const SLICE = 4_096;

/** An event whose text is still coming in. */
type Growing =
  | { readonly type: 'text' | 'reasoning'; text: string }
  | { readonly type: 'call-delta'; readonly index: number; readonly key: string; text: string };

/** Runs a grammar as a coroutine over the stream. Every text protocol is this class with another grammar. */
export class TextParser implements ReplyParser {
  private readonly cursor = new Cursor();
  private readonly binder: CallBinder;
  private readonly reading: Reading<void>;
  private events: ReplyEvent[] = [];
  /** Pieces of the event that is still growing; joined once. */
  private pieces: string[] = [];
  private piecesFor: Growing | undefined;
  private callCount = 0;
  private sawNativeCall = false;
  private doubtful: { readonly reason: Diagnostic; readonly before: number } | undefined;

  constructor(
    grammar: Grammar,
    private readonly options: ReaderOptions,
  ) {
    this.binder = new CallBinder(options);
    this.reading = readReply(this.writer(), grammar, options);
  }

  push(delta: ModelDelta): readonly ReplyEvent[] {
    switch (delta.type) {
      case 'text':
        this.read(delta.text);
        break;
      case 'reasoning':
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

  /** What comes from elsewhere counts for the positions. */
  skip(count: number): void {
    this.cursor.skip(count);
  }

  end(reason: EndReason | 'cut'): readonly ReplyEvent[] {
    this.cursor.ended = true;
    this.cursor.isCut = reason === 'length' || reason === 'cut';
    this.reading.next();
    return this.flush();
  }

  /** A long text is read in slices: grammars look through all that is unread, again and again. */
  private read(text: string): void {
    for (let at = 0; at < text.length; at += SLICE) {
      if (this.cursor.push(text.length > SLICE ? text.slice(at, at + SLICE) : text)) this.reading.next();
    }
  }

  private writer(): ReplyWriter {
    const count = (): number => this.callCount;
    return {
      cursor: this.cursor,
      text: (piece) => this.grow({ type: 'text', text: '' }, piece),
      reasoning: (piece) => this.grow({ type: 'reasoning', text: '' }, piece),
      begin: (name) => this.begin(name),
      delta: (index, key, text) => {
        if (index >= CALLS_PER_REPLY) return;
        const open = this.piecesFor;
        if (open?.type === 'call-delta' && open.index === index && open.key === key) this.pieces.push(text);
        else this.grow({ type: 'call-delta', index, key, text: '' }, text);
      },
      finish: (call) => this.settle(call, () => this.binder.bind(this.doubted(call))),
      reject: (call, problem) => this.settle(call, () => this.binder.reject(call, problem)),
      warn: (diagnostic) => this.report({ type: 'warning', diagnostic }),
      readAgain: (text) => this.readAgain(text),
      doubt: (reason, before) => this.doubt(reason, before),
      recover: (calls, form, block) => this.recover(calls, form, block),
      get callCount() {
        return count();
      },
    };
  }

  private doubted(call: RawCall): RawCall {
    if (!this.doubtful || call.start >= this.doubtful.before) return call;
    return { ...call, repaired: true, notes: [this.doubtful.reason, ...(call.notes ?? [])] };
  }

  private doubt(reason: Diagnostic, before = Infinity): void {
    if (before >= (this.doubtful?.before ?? 0)) this.doubtful = { reason, before };
  }

  private readAgain(text: string): boolean {
    const span = { start: this.cursor.position - text.length, end: this.cursor.position };
    if (!this.cursor.putBack(text)) return false;
    this.doubt(afterUnclosed(span));
    return true;
  }

  private recover(calls: readonly RawCall[], form: string, block: Span): boolean {
    const { tools, recover } = this.options;
    if (!recover || !tools) return false;
    const fits = calls.map((raw) => this.binder.fit(raw));
    if (!fits.every((fit) => fit.ok)) return false;
    let { start } = block;
    fits.forEach(({ call }, number) => {
      const end = number === fits.length - 1 ? block.end : call.end;
      const raw = { ...calls[number], index: this.begin(call.name), name: call.name, start, end };
      const notes = [recovered({ start, end }, form), ...call.notes];
      this.settle(raw, () => this.binder.accept(raw, { ...call, start, end, notes, mark: 'recovered' }));
      start = end;
    });
    return true;
  }

  private begin(name: string): number {
    if (this.callCount < CALLS_PER_REPLY) this.report({ type: 'call-start', index: this.callCount, name });
    return this.callCount++;
  }

  /** The first call too many is reported, those behind it are passed over. */
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

function recovered(span: Span, form: string): Diagnostic {
  const message = `Written in the form "${form}", not in the one asked for.`;
  return { ...warning(span, 'recovered', message, 'Write calls in the form shown.'), seen: form };
}
