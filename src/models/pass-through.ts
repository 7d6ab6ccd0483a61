import { APIConnectionError } from 'openai';
import { parseObject, type JsonObject } from '../base/json';
import { limits } from '../base/limits';
import { plainFetch } from '../base/transport';
import type { ModelFailure } from '../core/words/model';
import { keysIn, requestAddress, type Addresses } from './api-address';
import { timedOut } from './exchange/connection-failure';
import { explain, notAStream, shownAddress, type Circumstances } from './exchange/endpoint-failure';
import { beginning, Refusal, statusOf, type Progress } from './exchange/exchange';
import { sentHeaders } from './key-headers';
import { timeoutsFor } from './exchange/timeouts';
import { Watchdog } from './exchange/watchdog';
import type { OpenAiOptions } from './openai';

/** A response that is passed on unchanged. */
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

/**
 * Sends the body of a Chat Completions request unchanged. A stream that is cut off ends with an event that says so.
 */
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
  const explained = (error: unknown): ModelFailure => {
    const way = { address: shownAddress(options), baseUrl: options.baseUrl, progress };
    if (watchdog.expired) return timedOut(watchdog.expired, timeouts, way);
    const secrets = [key, ...keysIn(options.baseUrl), ...inHeaders, ...Object.values(sent)];
    const circumstances: Circumstances = { endpoint: options, secrets, timeouts, progress, hasBegun: false };
    return explain(error, circumstances);
  };
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
      return { ...head, pieces: untilEnd(response.body, { watchdog, explained }) };
    const reply = await wholeReply(response.body, { watchdog, explained });
    if (!(reply instanceof Uint8Array)) return failed(reply);
    const isCutOff = type.includes('json') && !parseObject(new TextDecoder().decode(reply));
    return isCutOff ? failed(CUT_OFF) : { ...head, pieces: once(reply) };
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

/** Marks the proper end of a stream. */
const END = /\[DONE\]|"finish_reason"\s*:\s*"/;
/** Longer than any of its matches. */
const END_LENGTH = 64;

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

/** The pieces of a stream, followed by the error in place of the rest. */
async function* untilEnd(
  body: ReadableStream<Uint8Array>,
  { watchdog, explained }: Watch,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder();
  let tail = '';
  let hasEnded = false;
  let problem: string | undefined;
  try {
    for await (const piece of body) {
      if (!hasEnded) {
        tail = tail.slice(-END_LENGTH) + decoder.decode(piece, { stream: true });
        hasEnded = END.test(tail);
      }
      yield piece;
    }
  } catch (error) {
    problem = explained(error).message;
  } finally {
    watchdog.stop();
  }
  if (!hasEnded) problem ??= CUT_OFF.message;
  if (problem === undefined) return;
  const error = { message: problem, type: 'server_error', param: null, code: CUT_OFF.code };
  yield new TextEncoder().encode(`\n\ndata: ${JSON.stringify({ error })}\n\n`);
}
