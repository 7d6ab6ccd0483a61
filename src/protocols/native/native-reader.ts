import { isJsonObject, type JsonObject } from '../../base/json';
import { readJson, type JsonRead } from '../../base/json-reader';
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
import { JsonStream } from '../json/json-stream';

/** A call whose pieces are still arriving. */
interface OpenCall {
  readonly index: number;
  /** The server's index, if it sends one. */
  slot?: number;
  id: string;
  name: string;
  /** Whether its arguments have more than blanks. */
  hasArguments: boolean;
  /** What came after the arguments. */
  behind: string;
  readonly stream: JsonStream;
  /** Whether the assignment of one of its pieces was a guess. */
  isGuessed: boolean;
  /** Other fields that came with it. */
  extra?: JsonObject;
  start: number;
  end: number;
}

/**
 * Assembles streamed tool calls. Servers leave out, repeat and mislabel `index`, `id` and `name`; `find` has the rules
 * by which a piece finds its call. Offsets count text and argument pieces in the order of arrival.
 */
export class NativeReader implements ReplyParser {
  private readonly binder: CallBinder;
  private readonly calls: OpenCall[] = [];
  /** Whether arguments came that belong to no call. */
  private sawOrphan = false;
  private last: OpenCall | undefined;
  private position = 0;
  private events: ReplyEvent[] = [];
  private readonly text: NativeText;

  constructor(options: ReaderOptions) {
    this.binder = new CallBinder(options);
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
    if (call.name === '' && !isNameless(delta.name ?? '')) call.name = delta.name ?? '';
    if (text === '') return;
    if (call.start === call.end) call.start = start;
    call.end = this.position;
    call.hasArguments ||= text.trim() !== '';
    const used = call.stream.push(text);
    if (used !== undefined) call.behind += text.slice(used);
  }

  private find(delta: ToolCallDelta, start: number): OpenCall | undefined {
    const { index: slot, id = '', name = '' } = delta;
    const sameSlot = slot === undefined ? undefined : this.calls.findLast((call) => call.slot === slot);
    if (id !== '') {
      const known = this.calls.find((call) => call.id === id);
      if (known) return known;
      return sameSlot?.id === '' ? sameSlot : this.open(delta, start);
    }
    const current = slot === undefined ? this.last : sameSlot;
    // Without an id, another name can only be the next call, unless it interrupts the arguments.
    const isNext = !isNameless(name) && name !== current?.name && current?.name !== '' && !isInside(current);
    if (isNext) return this.open(delta, start);
    return current ?? this.guess();
  }

  /** The call that an unknown index continues: the open one, if there is only one. */
  private guess(): OpenCall | undefined {
    const open = this.calls.filter(({ stream }) => stream.state === 'open');
    const [only] = open;
    if (open.length !== 1 || !only) return undefined;
    only.isGuessed = true;
    return only;
  }

  private open(delta: ToolCallDelta, start: number): OpenCall {
    const index = this.calls.length;
    const call: OpenCall = {
      index,
      ...(delta.index !== undefined && { slot: delta.index }),
      id: '',
      name: '',
      hasArguments: false,
      behind: '',
      stream: new JsonStream({
        onText: (key, text) => this.events.push({ type: 'call-delta', index, key, text }),
      }),
      isGuessed: false,
      start,
      end: start,
    };
    this.calls.push(call);
    this.events.push({ type: 'call-start', index, name: delta.name ?? '' });
    return call;
  }

  private settle(call: OpenCall, reason: EndReason | 'cut'): ReplyEvent {
    const raw: Omit<RawCall, 'arguments'> = {
      index: call.index,
      id: call.id,
      name: cleanName(call),
      start: call.start,
      end: call.end,
    };
    if (call.index >= CALLS_PER_REPLY) return this.binder.reject(raw, TOO_MANY_CALLS);
    if (reason === 'cut') return this.binder.reject(raw, CUT);
    const read = readArguments(call);
    if (read.ok) {
      const notes = read.repairs.map((repair) =>
        warning(raw, 'repaired-json', `Repaired JSON: ${repair}.`, ''),
      );
      if (call.isGuessed) notes.push(warning(raw, 'guessed-call', GUESSED, ''));
      return this.binder.bind({ ...raw, arguments: read.value, notes, repaired: read.repairs.length > 0 });
    }
    const isCut = reason === 'length' || call.stream.state === 'open';
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

/** Whether the arguments of a call have begun and not ended. */
function isInside(call: OpenCall | undefined): boolean {
  return call !== undefined && call.hasArguments && call.stream.state === 'open';
}

/** Some servers append their model's markers to the name; Kimi's puts the name into the id. */
function cleanName({ id, name }: OpenCall): string {
  const bare = name.replace(/<[|/].*$/s, '').trim();
  return isNameless(bare) ? (/^functions\.([\w-]+):\d+$/.exec(id)?.[1] ?? '') : bare;
}

type ArgumentsRead =
  | { readonly ok: true; readonly value: JsonObject; readonly repairs: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Some gateways encode the arguments again, as JSON text inside JSON. */
function readArguments({ hasArguments, stream, behind }: OpenCall): ArgumentsRead {
  if (!hasArguments) return { ok: true, value: {}, repairs: [] };
  const read = stream.read(behind);
  if (!read.ok || typeof read.value !== 'string') return objectOf(read);
  const inner = read.value.trim() === '' ? NOTHING : readJson(read.value);
  const repairs = [...read.repairs, 'decoded the arguments twice'];
  return objectOf(inner.ok ? { ...inner, repairs: [...repairs, ...inner.repairs] } : inner);
}

const NOTHING: JsonRead = { ok: true, value: {}, repairs: [] };

function objectOf(read: JsonRead): ArgumentsRead {
  if (!read.ok) return read;
  const { value, repairs } = read;
  return isJsonObject(value) ? { ok: true, value, repairs } : { ok: false, message: 'not an object' };
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
