import { APIConnectionError } from 'openai';
import { parseObject, type JsonObject } from '../base/json';
import { limits } from '../base/limits';
import { plainFetch } from '../base/transport';
import type { ModelFailure } from '../core/words/model';
import { boundedEvents } from './bounded';
import { keysIn, requestAddress, type Addresses } from './api-address';
import { timedOut } from './exchange/connection-failure';
import { explain, notAStream, reported, shownAddress, type Circumstances } from './exchange/endpoint-failure';
import { errorInEvent, type ErrorWords } from './exchange/error-words';
import { beginning, Refusal, statusOf, type Progress } from './exchange/exchange';
import { sentHeaders } from './key-headers';
import { timeoutsFor } from './exchange/timeouts';
import { Watchdog } from './exchange/watchdog';
import type { OpenAiOptions } from './openai';
import { isBroken, PassedStream, withStandardReason } from './passed-stream';

/** A response that is passed on. */
export interface Passed {
  readonly type: 'passed';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: AsyncIterable<Uint8Array>;
}

export interface FailedPass {
  readonly type: 'failure';
  readonly failure: ModelFailure;
}

/** Sends the body of a Chat Completions request unchanged, and passes on what the client needs of the response. */
export async function passThrough(
  options: OpenAiOptions,
  addresses: Addresses,
  body: JsonObject,
  signal: AbortSignal,
): Promise<Passed | FailedPass> {
  const key = await options.apiKey(signal);
  const filled = await options.headers?.();
  if (typeof key === 'object') return failed({ code: 'not-configured', message: key.problem });
  if (filled?.type === 'missing') {
    return failed({ code: 'not-configured', message: `A header needs the secret "${filled.name}".` });
  }
  const { headers: sent = {}, secrets: inHeaders = [] } = filled ?? {};
  const timeouts = timeoutsFor(options.baseUrl, options.timeouts);
  const watchdog = new Watchdog(signal, timeouts);
  let progress: Progress = 'out';
  const secrets = [key, ...keysIn(options.baseUrl), ...inHeaders, ...Object.values(sent)];
  const circumstances = (hasBegun: boolean): Circumstances => ({
    ...{ endpoint: options, secrets, timeouts, progress, hasBegun },
  });
  const explained = (error: unknown): ModelFailure => {
    const way = { address: shownAddress(options), baseUrl: options.baseUrl, progress };
    if (watchdog.expired) return timedOut(watchdog.expired, timeouts, way);
    return explain(error, circumstances(false));
  };
  const inReply = (said: ErrorWords, hasBegun: boolean): ModelFailure =>
    reported(said, circumstances(hasBegun));
  try {
    const send = async (base: string): Promise<Response> => {
      const response = await (options.fetch ?? plainFetch)(requestAddress(base, '/chat/completions'), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...sentHeaders('chat', key, sent),
        },
        body: JSON.stringify(body),
        signal: watchdog.signal,
        onConnect: () => {
          progress = 'connected';
          watchdog.connected();
        },
        onBytes: () => watchdog.heard(),
      });
      if (response.ok) return response;
      throw new Refusal(response.status, response.headers, await beginning(response));
    };
    const response = await addresses.find(send, statusOf);
    progress = 'taken';
    const type = response.headers.get('content-type') ?? 'application/json';
    if (type.includes('text/html') || !response.body) {
      watchdog.stop();
      await response.body?.cancel();
      const message = notAStream(`${shownAddress(options)} answered with a web page`);
      return failed({ code: 'not-a-stream', message });
    }
    watchdog.began();
    const head = { type: 'passed', status: response.status, headers: { 'content-type': type } } as const;
    if (type.includes('event-stream'))
      return { ...head, pieces: untilEnd(response.body, { watchdog, explained, inReply }) };
    const reply = await wholeReply(response.body, { watchdog, explained, inReply });
    if (!(reply instanceof Uint8Array)) return failed(reply);
    if (!type.includes('json')) return { ...head, pieces: once(reply) };
    const answer = parseObject(new TextDecoder().decode(reply));
    if (!answer) return failed(CUT_OFF);
    const said = errorInEvent(answer);
    if (said) return failed(inReply(said, false));
    if (isBroken(answer)) return failed(CUT_OFF);
    const standard = withStandardReason(answer);
    const bytes = standard === answer ? reply : new TextEncoder().encode(JSON.stringify(standard));
    return { ...head, pieces: once(bytes) };
  } catch (error) {
    watchdog.stop();
    if (signal.aborted) throw error;
    if (error instanceof Refusal) return failed(explained(error));
    return failed(explained(watchdog.expired ? error : new APIConnectionError({ cause: asError(error) })));
  }
}

function failed(failure: ModelFailure): FailedPass {
  return { type: 'failure', failure };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const CUT_OFF: ModelFailure = {
  code: 'cut-off',
  message: 'The reply stopped in the middle. Send the request again.',
};
const TOO_LARGE: ModelFailure = {
  code: 'too-large',
  message: 'The reply is larger than 32 MiB, so it was stopped. Ask for less, or for a stream.',
};

interface Watch {
  readonly watchdog: Watchdog;
  readonly explained: (error: unknown) => ModelFailure;
  /** For an error that came with a status of success. */
  readonly inReply: (said: ErrorWords, hasBegun: boolean) => ModelFailure;
}

/** A reply without streaming: with its first piece, the status would be sent before it is known to be complete. */
async function wholeReply(
  body: ReadableStream<Uint8Array>,
  { watchdog, explained }: Watch,
): Promise<Uint8Array | ModelFailure> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > limits.gatewayReplyBytes) return TOO_LARGE;
      pieces.push(piece);
    }
    return joined(pieces, size);
  } catch (error) {
    return explained(error);
  } finally {
    watchdog.stop();
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield piece;
}

/** The events of a stream, followed by the error in place of the rest. */
async function* untilEnd(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { watchdog, explained, inReply }: Watch,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let problem = CUT_OFF.message;
  const stream = new PassedStream((said) => (said ? inReply(said, true).message : problem));
  try {
    for await (const piece of body.pipeThrough(boundedEvents())) {
      const text = stream.push(decoder.decode(piece, { stream: true }));
      if (text !== '') yield encoder.encode(text);
    }
  } catch (error) {
    problem = explained(error).message;
  } finally {
    watchdog.stop();
  }
  const rest = stream.push(decoder.decode()) + stream.end();
  if (rest !== '') yield encoder.encode(rest);
}
