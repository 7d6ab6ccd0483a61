import type { JsonObject } from '../../base/json';
import type { EndReason, ModelDelta, ToolCallDelta } from '../../core/words/model';
import { CALLS_PER_REPLY, type ReplyEvent, type ReplyParser } from '../../core/words/protocol';
import {
  CallBinder,
  isNameless,
  TOO_MANY_CALLS,
  warning,
  type CallProblem,
  type RawCall,
} from '../engine/calls';
import type { Reader, ReaderOptions } from '../engine/reader';
import { TextParser } from '../engine/text-parser';
import { CallArguments } from './call-arguments';
import { CallNames } from './call-names';

/** A call whose pieces are still arriving. */
interface OpenCall {
  readonly index: number;
  /** The server's index, if it sends one. */
  slot?: number;
  id: string;
  name: string;
  readonly arguments: CallArguments;
  /** Whether the assignment of one of its pieces was a guess. */
  isGuessed: boolean;
  /** Other fields that came with it. */
  extra?: JsonObject;
  start: number;
  end: number;
}

/**
 * Assembles streamed tool calls. Servers leave out, repeat and mislabel `index`, `id` and `name`; `find` and `isNext` have
 * the rules by which a piece finds its call. Offsets count text and argument pieces in the order of arrival.
 */
export class NativeReader implements ReplyParser {
  private readonly binder: CallBinder;
  private readonly names: CallNames;
  private readonly calls: OpenCall[] = [];
  /** Whether arguments came that belong to no call. */
  private sawOrphan = false;
  private last: OpenCall | undefined;
  private position = 0;
  private events: ReplyEvent[] = [];
  private readonly text: NativeText;

  constructor(options: ReaderOptions) {
    this.binder = new CallBinder(options);
    this.names = new CallNames(options.tools);
    this.text = new NativeText(options);
  }

  push(delta: ModelDelta): readonly ReplyEvent[] {
    if (delta.type === 'text') {
      this.position += delta.text.length;
      this.events.push(...this.text.push(delta));
    } else if (delta.type === 'reasoning') {
      if (delta.text === '') return [];
      this.text.settleReasoning();
      this.events.push({ type: 'reasoning', text: delta.text });
    } else if (delta.type === 'tool-call') {
      this.events.push(...this.text.giveWay());
      this.piece(delta);
    }
    return this.flush();
  }

  end(reason: EndReason | 'cut'): readonly ReplyEvent[] {
    this.events.push(...this.text.end(reason));
    for (const call of this.calls) this.events.push(withExtra(this.settle(call, reason), call.extra));
    if (this.sawOrphan) {
      const start = this.position;
      const span = { index: this.calls.length, name: '', start, end: start };
      this.events.push(this.binder.reject(span, ORPHANED));
    }
    return this.flush();
  }

  private piece(delta: ToolCallDelta): void {
    const text = delta.arguments ?? '';
    const start = this.position;
    this.position += text.length;
    this.text.skip(text.length);
    if (this.calls.length > CALLS_PER_REPLY) return;
    const call = this.find(delta, start);
    if (!call) {
      this.sawOrphan ||= text.trim() !== '';
      return;
    }
    this.last = call;
    if (delta.extra) call.extra = { ...call.extra, ...delta.extra };
    if (call.id === '') call.id = delta.id ?? '';
    if (call.name === '' || !call.arguments.hasText)
      call.name = this.names.joined(call.name, delta.name ?? '');
    if (text === '') return;
    if (call.start === call.end) call.start = start;
    call.end = this.position;
    call.arguments.push(text);
  }

  private find(delta: ToolCallDelta, start: number): OpenCall | undefined {
    const { index: slot, id = '', name = '' } = delta;
    const sameSlot = slot === undefined ? undefined : this.calls.findLast((call) => call.slot === slot);
    const sameId = id === '' ? undefined : this.calls.findLast((call) => call.id === id);
    if (id !== '') {
      const known = sameId ?? (sameSlot?.id === '' ? sameSlot : undefined);
      return known && !this.isNext(known, delta) ? known : this.open(delta, start, known);
    }
    const current = slot === undefined ? this.last : sameSlot;
    if (current) return this.isNext(current, delta) ? this.open(delta, start, current) : current;
    return isNameless(name) ? this.guess() : this.open(delta, start);
  }

  /** Whether a piece begins another call although its id or index is that of this one. */
  private isNext(
    call: OpenCall,
    { index: slot, id = '', name = '', arguments: text = '' }: ToolCallDelta,
  ): boolean {
    const { arguments: args } = call;
    if (args.isOpen) return false;
    const isNamed = !isNameless(name);
    if (isNamed && !this.names.mayJoin(call.name, name, { isSameId: id !== '', hasArguments: args.hasText }))
      return true;
    const isElsewhere = slot !== undefined && call.slot !== undefined && slot !== call.slot;
    if (isNamed && isElsewhere && args.hasText) return true;
    // A whole object is followed by another, which is not more of the same.
    return args.isFollowedBy(text, { mayGrow: id !== '' || !isNamed });
  }

  /** The call that an unknown index continues: the open one, if there is only one. */
  private guess(): OpenCall | undefined {
    const open = this.calls.filter(({ arguments: args }) => !args.isComplete);
    const [only] = open;
    if (open.length !== 1 || !only) return undefined;
    only.isGuessed = true;
    return only;
  }

  /** `before`: the call that it was taken for, whose name it has if it comes without one. */
  private open(delta: ToolCallDelta, start: number, before?: OpenCall): OpenCall {
    const index = this.calls.length;
    const name = isNameless(delta.name ?? '') ? (before?.name ?? '') : '';
    const call: OpenCall = {
      index,
      ...(delta.index !== undefined && { slot: delta.index }),
      id: '',
      name,
      arguments: new CallArguments((key, text) => this.events.push({ type: 'call-delta', index, key, text })),
      isGuessed: false,
      start,
      end: start,
    };
    this.calls.push(call);
    this.events.push({ type: 'call-start', index, name: name || (delta.name ?? '') });
    return call;
  }

  private settle(call: OpenCall, reason: EndReason | 'cut'): ReplyEvent {
    const raw: Omit<RawCall, 'arguments'> = {
      index: call.index,
      id: call.id,
      name: this.names.clean(call),
      start: call.start,
      end: call.end,
    };
    if (call.index >= CALLS_PER_REPLY) return this.binder.reject(raw, TOO_MANY_CALLS);
    if (reason === 'cut') return this.binder.reject(raw, CUT);
    const read = call.arguments.read();
    if (read.ok) {
      const notes = read.repairs.map((repair) =>
        warning(raw, 'repaired-json', `Repaired JSON: ${repair}.`, ''),
      );
      if (call.isGuessed) notes.push(warning(raw, 'guessed-call', GUESSED, ''));
      return this.binder.bind({ ...raw, arguments: read.value, notes, repaired: read.repairs.length > 0 });
    }
    const isCut = reason === 'length' || !call.arguments.isComplete;
    return this.binder.reject(raw, isCut ? TRUNCATED : invalid(read.message));
  }

  private flush(): readonly ReplyEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/** A rejected call is in the history as well, and its endpoint expects the fields that it sent. */
function withExtra(event: ReplyEvent, extra: JsonObject | undefined): ReplyEvent {
  if (!extra) return event;
  if (event.type === 'call-end') return { ...event, call: { ...event.call, extra } };
  return event.type === 'malformed' ? { ...event, malformed: { ...event.malformed, extra } } : event;
}

const GUESSED = 'Arguments had another index than their call; they were assigned to it.';

const CUT: CallProblem = {
  code: 'unfinished',
  message: 'The reply broke off before this call could be trusted.',
  hint: 'Send the call again.',
};
const TRUNCATED: CallProblem = {
  code: 'unfinished',
  message: 'The arguments end in the middle, probably at the output limit.',
  hint: 'Send the call again; write long files in several steps.',
};
function invalid(why: string): CallProblem {
  return {
    code: 'invalid-json',
    message: `The arguments are not valid JSON: ${why}.`,
    hint: 'Send the call again with the arguments as one JSON object.',
  };
}

const ORPHANED: CallProblem = {
  code: 'orphan-arguments',
  message: 'Arguments arrived that belong to no call.',
  hint: 'Send the call again.',
};

/** Its text contains no calls in this form. */
const plain: Reader = {
  id: 'native',
  openers: [],
  resultOpeners: [],
  *block() {
    return false;
  },
};

/**
 * The text beside native calls. Reasoning and control tokens are separated as always, and calls that a server left in
 * the text may be recovered, unless the server also sent native calls.
 */
class NativeText {
  private readonly parser: TextParser;
  /** All text until the first native call, to restore what was recovered before it. */
  private readonly seen: string[] = [];
  /** Everything from the first recovered call on; it counts only if no native call comes. */
  private held: ReplyEvent[] | undefined;
  private gaveWay = false;

  constructor(options: ReaderOptions) {
    const recovers = (): boolean => (options.recover ?? false) && !this.gaveWay;
    this.parser = new TextParser(plain, {
      ...options,
      get recover() {
        return recovers();
      },
    });
  }

  push(delta: ModelDelta & { readonly type: 'text' }): readonly ReplyEvent[] {
    if (!this.gaveWay) this.seen.push(delta.text);
    return this.pass(this.parser.push(delta));
  }

  /** Other pieces of the reply count for the positions in it. */
  skip(count: number): void {
    this.parser.skip(count);
  }

  /** Reasoning arrived separately from the text. */
  settleReasoning(): void {
    this.parser.settleReasoning();
  }

  /** A native call has come: what looked like calls before was only text. */
  giveWay(): readonly ReplyEvent[] {
    if (this.gaveWay) return [];
    this.gaveWay = true;
    this.parser.leaveUnsaid();
    const { held = [] } = this;
    this.held = undefined;
    const text = held.length > 0 ? this.seen.join('') : '';
    this.seen.length = 0;
    return held.flatMap((event): ReplyEvent[] => {
      if (event.type === 'call-start') return [];
      if (event.type !== 'call-end') return [event];
      return [{ type: 'text', text: text.slice(event.call.start, event.call.end) }];
    });
  }

  end(reason: EndReason | 'cut'): readonly ReplyEvent[] {
    const events = [...(this.held ?? []), ...this.parser.end(reason)];
    this.held = undefined;
    return events;
  }

  private pass(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
    const first = this.held ? 0 : events.findIndex(({ type }) => type === 'call-start');
    if (first < 0) return events;
    this.held = [...(this.held ?? []), ...events.slice(first)];
    return events.slice(0, first);
  }
}
