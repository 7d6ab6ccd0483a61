import { isJsonObject, type JsonObject } from '../base/json';
import { ChatStream } from './chat-stream';
import type { ErrorWords } from './exchange/error-words';
import { EventSplitter, isLastEvent, jsonValues, type StreamEvent } from './exchange/event-stream';
import { finishReason } from './finish-reasons';

/** In place of an event that is no part of the reply: readers ignore comments. */
const SIGN_OF_LIFE = ': keep-alive\n\n';

/** The sentence for a client about an error of the server, or about a reply without an end. */
type Explain = (said: ErrorWords | undefined) => string;

/**
 * A stream of Chat Completions chunks, passed on to another program event by event. Programs give up at the first
 * event that is not a chunk, so such an event becomes a comment. An error gets the form of the API, whatever its own;
 * one behind the reply is left out. A finish reason gets the API's spelling. `[DONE]` says that the reply is whole, so one that is not ends with an error
 * instead. Everything else stays as it is. Linear, however the stream is cut. Never throws.
 */
export class PassedStream {
  private readonly reply = new ChatStream();
  private readonly splitter = new EventSplitter();
  /** The pieces of the last line, which has no end yet. */
  private line: string[] = [];
  /** The lines of an event that has no end yet. */
  private lines: string[] = [];
  /** A line feed may follow it. */
  private carriageReturn = '';
  private hasFailed = false;

  constructor(private readonly explain: Explain) {}

  push(text: string): string {
    const all = this.carriageReturn + text;
    this.carriageReturn = all.endsWith('\r') ? '\r' : '';
    const [head = '', ...more] = all.slice(0, all.length - this.carriageReturn.length).split(/\r\n|\r|\n/);
    this.line.push(head);
    const last = more.pop();
    if (last === undefined) return '';
    const lines = [this.line.join(''), ...more];
    this.line = [last];
    return lines.map((line) => this.next(line)).join('');
  }

  /** The rest, and the error of a reply that is not whole. */
  end(): string {
    const rest = this.push('\n\n');
    return this.reply.hasEnded || this.hasFailed ? rest : rest + this.failure(undefined);
  }

  /** Some servers leave out the empty line between two events. */
  private next(line: string): string {
    if (line === '') return this.flush();
    this.lines.push(line);
    const [data, ...others] = this.lines.flatMap(dataIn);
    if (data === undefined || others.length > 0) return '';
    return isLastEvent({ data }) || jsonValues({ data }).length > 0 ? this.flush() : '';
  }

  private flush(): string {
    const { lines } = this;
    this.lines = [];
    const written = `${lines.join('\n')}\n\n`;
    const [event] = this.splitter.push(written);
    if (event) return this.passed(event, lines.flatMap(dataIn).length > 1 ? undefined : written);
    if (lines.length === 0) return '';
    return lines.every((line) => line.startsWith(':')) ? written : SIGN_OF_LIFE;
  }

  /** `written`: the event as it came, if its data is one line. */
  private passed(event: StreamEvent, written: string | undefined): string {
    if (this.hasFailed) return '';
    const parts = this.reply.push(event);
    if (isLastEvent(event)) return this.reply.hasEnded ? 'data: [DONE]\n\n' : '';
    const error = parts.find((part) => part.type === 'error');
    if (error) return this.failure(error.said);
    if (!parts.some((part) => part.type === 'chunk' && isChunk(part.chunk))) return SIGN_OF_LIFE;
    const values = jsonValues(event);
    const standard = values.map(withStandardReason);
    const isChanged = standard.some((value, at) => value !== values[at]);
    return written !== undefined && !isChanged ? written : standard.map(eventOf).join('');
  }

  private failure(said: ErrorWords | undefined): string {
    this.hasFailed = true;
    const code = said ? 'server-error' : 'cut-off';
    return eventOf({ error: { message: this.explain(said), type: 'server_error', param: null, code } });
  }
}

function dataIn(line: string): readonly string[] {
  return line.startsWith('data:') ? [line.slice('data:'.length)] : [];
}

function eventOf(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** What the API has as a reason. */
const STANDARD = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];

/** The same chunk or reply with a finish reason that clients know, and with none for a reply that broke off. */
export function withStandardReason<Chunk extends object>(chunk: Chunk): Chunk {
  if (!('choices' in chunk) || !Array.isArray(chunk.choices)) return chunk;
  const before = chunk.choices as readonly unknown[];
  const choices = before.map((choice) => {
    const reason = isJsonObject(choice) ? choice['finish_reason'] : undefined;
    if (!isJsonObject(choice) || typeof reason !== 'string' || STANDARD.includes(reason)) return choice;
    const meaning = finishReason(reason);
    if (meaning === undefined) return choice;
    return { ...choice, finish_reason: meaning === 'broken' ? null : meaning.replace('-', '_') };
  });
  return choices.every((choice, at) => choice === before[at]) ? chunk : { ...chunk, choices };
}

/** Whether a whole reply says that it is not. */
export function isBroken({ choices }: JsonObject): boolean {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  const reason = isJsonObject(choice) ? choice['finish_reason'] : undefined;
  return typeof reason === 'string' && finishReason(reason) === 'broken';
}

function isChunk(chunk: object): boolean {
  const { choices, usage, object } = chunk as Readonly<Record<string, unknown>>;
  return Array.isArray(choices) || isJsonObject(usage) || object === 'chat.completion.chunk';
}
