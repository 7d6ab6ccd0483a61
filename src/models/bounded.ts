import { plainFetch, type Fetch } from '../base/transport';
import type { Model, ModelDelta, ModelFailure, ToolCallDelta } from '../core/words/model';
import { mapDeltas } from './layer';

/** MiB of everything that a model writes in one reply. */
const REPLY = 8;
/** MiB of the arguments of one native call. */
const ARGUMENTS = 1;
/** Levels of objects and lists in arguments. */
const ARGUMENTS_DEPTH = 32;

const MIB = 1024 * 1024;

/**
 * A layer: a reply that exceeds a limit is aborted with a failure. A function, because activation needs other parts of
 * this file, and a bundle leaves out only functions that are not called.
 */
export function bounded(next: Model): Model {
  const layer = mapDeltas(() => {
    const size = new ReplySize();
    return (delta) => {
      const problem = size.add(delta);
      return problem === undefined ? delta : { type: 'failure', failure: tooLargeFailure(problem) };
    };
  });
  return layer(next);
}

/** Also for a single oversized chunk. */
export function tooLargeFailure(what: string): ModelFailure {
  const message = `${what}, so it was broken off and nothing of it was run. Ask for less at a time.`;
  return { code: 'too-large', message };
}

export const TOO_DEEP = `The arguments of a call were nested more than ${ARGUMENTS_DEPTH} levels deep`;

class ReplySize {
  private reply = 0;
  private readonly calls = new Map<string | number, ArgumentsSize>();
  private current: string | number = 0;

  /** The limit that was exceeded, as the beginning of a sentence. */
  add(delta: ModelDelta): string | undefined {
    if (delta.type === 'tool-call') return this.addCall(delta);
    if (delta.type === 'text' || delta.type === 'reasoning') return this.grow(bytesIn(delta.text));
    return undefined;
  }

  private addCall(delta: ToolCallDelta): string | undefined {
    const { arguments: text = '', name = '' } = delta;
    // A piece without number and id continues the previous call.
    this.current = delta.index ?? delta.id ?? this.current;
    const call = this.calls.get(this.current) ?? new ArgumentsSize();
    this.calls.set(this.current, call);
    return call.add(text) ?? this.grow(bytesIn(name + text));
  }

  private grow(bytes: number): string | undefined {
    this.reply += bytes;
    return this.reply > REPLY * MIB ? `The reply grew beyond ${REPLY} MiB` : undefined;
  }
}

/** Tracks the streaming arguments of a call. */
class ArgumentsSize {
  private bytes = 0;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  add(text: string): string | undefined {
    this.bytes += bytesIn(text);
    if (this.bytes > ARGUMENTS * MIB) return `The arguments of a call grew beyond ${ARGUMENTS} MiB`;
    for (const character of text) {
      this.read(character);
      if (this.depth > ARGUMENTS_DEPTH) return TOO_DEEP;
    }
    return undefined;
  }

  private read(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isInString && character === '\\') this.isEscaped = true;
    else if (character === '"') this.isInString = !this.isInString;
    else if (this.isInString) return;
    else if (character === '{' || character === '[') this.depth++;
    else if (character === '}' || character === ']') this.depth--;
  }
}

/** Whether nesting exceeds the limit for arguments. Never recurses. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.filter((each) => typeof each === 'object' && each !== null);
    if (level.length > 0 && depth === ARGUMENTS_DEPTH) return true;
    level = level.flatMap((each) => Object.values(each as object) as unknown[]);
  }
  return false;
}

const encoder = new TextEncoder();

/** As UTF-8. */
function bytesIn(text: string): number {
  return encoder.encode(text).length;
}

/** MiB of one event of a stream, or of a response that is not a stream. */
const EVENT = 4;

const MEBIBYTE = 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Error of a body that exceeds its limit. */
export class TooLarge extends Error {}

/** A `fetch` for responses that are read as a whole: in an endless one, empty lines count like other bytes. */
export async function fetchWhole(
  url: string,
  init: RequestInit,
  send: Fetch = plainFetch,
): Promise<Response> {
  return through(await send(url, init), boundedWhole());
}

function through(response: Response, bound: TransformStream<Bytes, Bytes>): Response {
  const { body, status, statusText, headers } = response;
  return body ? new Response(body.pipeThrough(bound), { status, statusText, headers }) : response;
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** Passes a stream through until one event, the bytes between two empty lines, is too long. */
export function boundedEvents(): TransformStream<Bytes, Bytes> {
  let event = 0;
  let isEmptyLine = true;
  return boundedBody((piece) => {
    for (let at = 0; at < piece.length;) {
      const found = piece.indexOf(LINE_FEED, at);
      const end = found < 0 ? piece.length : found;
      const length = end - at;
      if (length > 1 || (length === 1 && piece[at] !== CARRIAGE_RETURN)) isEmptyLine = false;
      event += length;
      if (event > EVENT * MEBIBYTE) return false;
      if (found >= 0) {
        if (isEmptyLine) event = 0;
        isEmptyLine = true;
      }
      at = end + 1;
    }
    return true;
  });
}

function boundedWhole(): TransformStream<Bytes, Bytes> {
  let size = 0;
  return boundedBody((piece) => (size += piece.length) <= EVENT * MEBIBYTE);
}

function boundedBody(mayPass: (piece: Bytes) => boolean): TransformStream<Bytes, Bytes> {
  return new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      if (mayPass(piece)) controller.enqueue(piece);
      else controller.error(new TooLarge(`More than ${EVENT} MiB without an end.`));
    },
  });
}
