import OpenAI, { type ClientOptions } from 'openai';
import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../core/words/model';
import { requestBody, type BodyOptions } from './body';
import { fetchStream } from './bounded';
import { chunkDeltas } from './chat-chunks';
import { shownAddress, explain, isLoopback, notAStream, silent, type Endpoint } from './endpoint-failure';
import type { FilledHeaders } from './headers';
import { emptyBook, learning, type LessonBook } from './learned';
import { Thoughts } from './thoughts';
import { Watchdog } from './watchdog';

export interface OpenAiOptions extends Endpoint, BodyOptions {
  readonly name: string;
  /** Asked for every request, so that a key never rests here. Local servers need none. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Asked for every request, too: they may hold secrets. */
  readonly headers?: () => Promise<FilledHeaders>;
  /** What the endpoint has said about thoughts in a history; forgotten with the model if not given. */
  readonly lessons?: LessonBook;
  /** Is told of every body as it goes out. Headers, which hold the key, are no part of it. */
  readonly onSend?: OnSend;
}

export type OnSend = (body: object, request: ModelRequest) => void;

/** Any endpoint that speaks the OpenAI Chat Completions API. */
export function openAiModel(options: OpenAiOptions): Model {
  const book = options.lessons ?? emptyBook();
  const model: Model = {
    name: options.name,
    stream: (request, signal) => stream(options, book, request, signal),
  };
  return (options.reasoning ?? 'auto') === 'auto' ? learning(model, book) : model;
}

async function* stream(
  options: OpenAiOptions,
  book: LessonBook,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  const watchdog = new Watchdog(signal, { isNear: isLoopback(options.baseUrl) });
  let secrets: readonly (string | undefined)[] = [];
  let isConnected = false;
  let chunks = 0;
  const thoughts = new Thoughts();
  try {
    const key = await options.apiKey();
    const filled = await options.headers?.();
    if (filled?.type === 'missing') {
      yield failure('not-configured', secretMissing(options, filled.name));
      return;
    }
    secrets = [key, ...(filled?.secrets ?? []), ...Object.values(filled?.headers ?? {})];
    const client = clientOf({
      baseURL: options.baseUrl,
      // The client insists on a key; without one its header is taken out again.
      apiKey: key ?? 'none',
      organization: null,
      project: null,
      logLevel: 'off',
      // `retrying` does that, where the user can see and stop it.
      maxRetries: 0,
      fetch: fetchStream,
      // A key goes to the address it was entered for and to no other.
      fetchOptions: { redirect: 'manual' },
      defaultHeaders: { ...(key === undefined && { authorization: null }), ...filled?.headers },
    });
    const sent = requestBody(options, request, book.read());
    options.onSend?.(sent, request);
    const { data, response } = await client.chat.completions
      .create(sent, { signal: watchdog.signal })
      .withResponse();
    if (response.headers.get('content-type')?.includes('text/html')) {
      data.controller.abort();
      yield failure('not-a-stream', notAStream(`${shownAddress(options)} answered with a web page`));
      return;
    }
    watchdog.connected();
    isConnected = true;
    for await (const chunk of data) {
      watchdog.heard();
      chunks++;
      thoughts.add(chunk);
      yield* chunkDeltas(chunk);
    }
    const carried = thoughts.carried(options);
    if (carried) yield { type: 'carried', carried };
    // An abort ends the loop without an error.
    if (watchdog.expired) yield expired(options, watchdog, isConnected);
    else if (chunks === 0 && !signal.aborted) {
      yield failure(
        'not-a-stream',
        notAStream(`${shownAddress(options)} answered with nothing that is a streamed reply`),
      );
    }
  } catch (error) {
    if (signal.aborted) return;
    if (watchdog.expired) yield expired(options, watchdog, isConnected);
    else
      yield {
        type: 'failure',
        failure: explain(error, { endpoint: options, secrets, isConnected, hasBegun: chunks > 0 }),
      };
  } finally {
    watchdog.stop();
  }
}

/**
 * The client would read headers for every endpoint from the environment, above those of the profile; a key that stands
 * there is for somebody else.
 */
function clientOf(options: ClientOptions): OpenAI {
  const { OPENAI_CUSTOM_HEADERS: kept } = process.env;
  delete process.env['OPENAI_CUSTOM_HEADERS'];
  try {
    return new OpenAI(options);
  } finally {
    if (kept !== undefined) process.env['OPENAI_CUSTOM_HEADERS'] = kept;
  }
}

function secretMissing({ name }: OpenAiOptions, secret: string): string {
  return `A header of ${name} needs the secret "${secret}", which is not set for this address. Set it with "Parley: Set API Key".`;
}

function expired(options: OpenAiOptions, watchdog: Watchdog, isConnected: boolean): ModelDelta {
  if (watchdog.expired === 'silent') return { type: 'failure', failure: silent(options, isConnected) };
  const message = `The reply of ${shownAddress(options)} did not end in 30 minutes and was broken off. Ask for less at a time.`;
  return failure('timed-out', message);
}

function failure(code: ModelFailure['code'], message: string): ModelDelta {
  return { type: 'failure', failure: { code, message } };
}
