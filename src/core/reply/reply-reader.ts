import {
  wholeReply,
  type Diagnostic,
  type MalformedCall,
  type ReplyPart,
  type ToolCall,
} from '../words/messages';
import type { EndReason, ModelDelta, ModelFailure, Usage } from '../words/model';
import type { ParserOptions, Protocol, ReplyEvent, ReplyParser } from '../words/protocol';
import type { ProviderMetadata } from '../words/provider-metadata';
import { rawText } from './deltas';

export type ParsedPart = ReplyPart | { readonly type: 'warning'; readonly diagnostic: Diagnostic };

/** A call or malformed call of a reply. */
export type CallRequest =
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly malformed: MalformedCall };

export interface ReplyReaderOptions extends ParserOptions {
  /** Whether the text of a call was copied from what the model has read: the call is marked `echoed`. */
  readonly isEcho?: (written: string) => boolean;
  /** In milliseconds. */
  readonly now?: () => number;
}

/**
 * Reads one reply, live or recorded, and holds everything that has arrived of it. Deltas are pushed into it, so that
 * its user decides when to stop (leaving the loop over a stream closes the request), reads recorded replies without
 * waiting, and passes events on without another layer of generators.
 */
export class ReplyReader {
  private readonly parser: ReplyParser;
  private readonly list = new PartList();
  private readonly pieces: string[] = [];
  private readonly now: () => number;
  private readonly start: number;
  private firstAt: number | undefined;
  private endAt: number | undefined;

  /** Missing if the stream closed without an end. An unclear end counts only after `end`. */
  reason: EndReason | undefined;
  /** What is unclear about the end, as in `EndDelta`. */
  unclear: string | undefined;
  usage: Usage | undefined;
  failure: ModelFailure | undefined;
  metadata: ProviderMetadata | undefined;
  /** Another form in which the model wrote calls. */
  otherForm: string | undefined;
  /** Length of everything that was written, including reasoning. */
  characters = 0;

  /** The time of the reply counts from here on. */
  constructor(
    protocol: Pick<Protocol, 'createParser'>,
    private readonly options: ReplyReaderOptions,
  ) {
    this.parser = protocol.createParser(options);
    this.now = options.now ?? (() => performance.now());
    this.start = this.now();
  }

  /** Takes the next delta, and returns what the parser made of it. */
  push(delta: ModelDelta): readonly ReplyEvent[] {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
      case 'tool-call':
        this.add(delta);
        break;
      case 'end':
        if (delta.unclear === undefined) this.reason = delta.reason;
        else this.unclear = delta.unclear;
        break;
      case 'usage':
        this.usage = delta.usage;
        break;
      case 'carried':
        this.metadata = delta.carried;
        break;
      case 'failure':
        this.failure = delta.failure;
        break;
      case 'notice':
        return this.take([noticed(delta.code, delta.message)]);
      case 'retry':
      case 'progress':
      case 'unforced':
        break;
    }
    return this.take(this.parser.push(delta));
  }

  /** Ends the reply as it ended, or for another reason. The parts are complete after this. */
  end(reason: EndReason | 'cut' | undefined = this.reason): readonly ReplyEvent[] {
    this.endAt = this.now();
    const isUnclear = reason === undefined && this.unclear !== undefined;
    const events = [...this.take(this.parser.end(reason ?? (isUnclear ? 'stop' : 'cut')))];
    this.list.close();
    if (isUnclear && this.isWhole) {
      this.reason = 'stop';
      events.push(...this.take([noticed('no-finish-reason', this.unclear ?? '')]));
    }
    return events;
  }

  /** Whether the reply says something and each of its calls can run. */
  private get isWhole(): boolean {
    const { requests } = this;
    return requests.length > 0 ? requests.every(({ type }) => type === 'call') : /\S/.test(this.text);
  }

  /** In the order in which they were written; adjacent pieces of a text are one. */
  get parts(): readonly ParsedPart[] {
    return this.list.parts;
  }

  /** The parts without warnings. */
  get replyParts(): readonly ReplyPart[] {
    return this.parts.filter((part) => part.type !== 'warning');
  }

  /** Calls and malformed calls in the order written. */
  get requests(): readonly CallRequest[] {
    return this.parts.filter((part) => part.type === 'call' || part.type === 'malformed');
  }

  /** The visible text. */
  get text(): string {
    return joinedText(this, 'text');
  }

  /** What all positions refer to: text and native argument pieces in the order of arrival. */
  get raw(): string {
    return this.pieces.join('');
  }

  /** In milliseconds; `firstMs` is missing if nothing has arrived. */
  get timing(): { readonly firstMs?: number; readonly totalMs: number } {
    const totalMs = (this.endAt ?? this.now()) - this.start;
    return { ...(this.firstAt !== undefined && { firstMs: this.firstAt - this.start }), totalMs };
  }

  private add(delta: ModelDelta & { readonly type: 'text' | 'reasoning' | 'tool-call' }): void {
    this.firstAt ??= this.now();
    const raw = rawText(delta);
    this.pieces.push(raw);
    this.characters += delta.type === 'reasoning' ? delta.text.length : raw.length;
  }

  private take(parsed: readonly ReplyEvent[]): readonly ReplyEvent[] {
    const events = this.options.isEcho ? parsed.map((event) => this.marked(event)) : parsed;
    for (const event of events) {
      this.list.add(event);
      this.otherForm ??= otherForm(event);
    }
    return events;
  }

  private marked(event: ReplyEvent): ReplyEvent {
    if (event.type !== 'call-end') return event;
    const { call } = event;
    const isEcho = this.options.isEcho?.(this.raw.slice(call.start, call.end));
    return isEcho ? { ...event, call: { ...call, mark: 'echoed' } } : event;
  }
}

function noticed(code: string, message: string): ReplyEvent {
  return { type: 'warning', diagnostic: wholeReply({ code, level: 'info', message, hint: '' }) };
}

function otherForm(event: ReplyEvent): string | undefined {
  if (event.type === 'warning') return event.diagnostic.seen;
  return event.type === 'call-end'
    ? event.call.notes.find((note) => note.seen !== undefined)?.seen
    : undefined;
}

/** All text of one type, joined. */
export function joinedText(
  { parts }: { readonly parts: readonly ParsedPart[] },
  type: 'text' | 'reasoning',
): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
}

/** Collects parts and joins pieces of the same text. */
class PartList {
  readonly parts: ParsedPart[] = [];
  private open: { readonly type: 'text' | 'reasoning'; readonly pieces: string[] } | undefined;

  add(event: ReplyEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (this.open?.type !== event.type) {
          this.close();
          this.open = { type: event.type, pieces: [] };
        }
        this.open.pieces.push(event.text);
        break;
      case 'reasoning-end':
        this.restart(event.text);
        break;
      case 'call-end':
        this.put({ type: 'call', call: event.call });
        break;
      case 'malformed':
        this.put({ type: 'malformed', malformed: event.malformed });
        break;
      case 'warning':
        this.put(event);
        break;
      case 'call-start':
      case 'call-delta':
        break;
    }
  }

  close(): void {
    if (this.open) this.parts.push({ type: this.open.type, text: this.open.pieces.join('') });
    this.open = undefined;
  }

  /** Everything so far was reasoning. Warnings stay: they tell what was noticed before. */
  private restart(reasoning: string): void {
    this.open = undefined;
    const warnings = this.parts.filter(({ type }) => type === 'warning');
    this.parts.splice(0, this.parts.length, ...warnings, { type: 'reasoning', text: reasoning });
  }

  private put(part: ParsedPart): void {
    this.close();
    this.parts.push(part);
  }
}
