import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { JsonObject } from '../base/json';
import type { ChatMessage, Model, ModelDelta, ModelFailure, ModelRequest } from '../core/model';
import { chunkDeltas } from './chat-chunks';
import { Watchdog } from './watchdog';

export interface OpenAiOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Asked for every request, so that a key never rests here. Local servers need none. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxOutputTokens?: number;
  readonly extraBody?: JsonObject;
}

/** Any endpoint that speaks the OpenAI Chat Completions API. */
export function openAiModel(options: OpenAiOptions): Model {
  return {
    name: options.name,
    stream: (request, signal) => stream(options, request, signal),
  };
}

async function* stream(
  options: OpenAiOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  const watchdog = new Watchdog(signal);
  const key = await options.apiKey();
  try {
    const client = new OpenAI({
      baseURL: options.baseUrl,
      // The client insists on a key; servers without one ignore it.
      apiKey: key ?? 'none',
      organization: null,
      project: null,
      logLevel: 'off',
      maxRetries: 0,
      ...(options.headers && { defaultHeaders: options.headers }),
    });
    const { data, response } = await client.chat.completions
      .create(body(options, request), { signal: watchdog.signal })
      .withResponse();
    if (response.headers.get('content-type')?.includes('text/html')) {
      data.controller.abort();
      yield failure('not-a-stream', notAStream(options, 'a web page'));
      return;
    }
    watchdog.connected();
    let chunks = 0;
    for await (const chunk of data) {
      watchdog.heard();
      chunks++;
      yield* chunkDeltas(chunk);
    }
    // An abort ends the loop without an error.
    if (watchdog.expired) yield failure('timed-out', timedOut(options));
    else if (chunks === 0 && !signal.aborted) {
      yield failure('not-a-stream', notAStream(options, 'nothing that is a streamed reply'));
    }
  } catch (error) {
    if (signal.aborted) return;
    if (watchdog.expired) yield failure('timed-out', timedOut(options));
    else yield { type: 'failure', failure: explain(error, options, key) };
  } finally {
    watchdog.stop();
  }
}

function body(
  options: OpenAiOptions,
  request: ModelRequest,
): OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming {
  return {
    model: options.model,
    messages: request.messages.map(message),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function' as const,
        function: { name, description, parameters: { ...parameters } },
      })),
    }),
    ...(request.stop && { stop: [...request.stop] }),
    ...outputLimit(options),
    ...options.extraBody,
  };
}

/** By the older name: servers other than OpenAI's own know no other. */
function outputLimit({ maxOutputTokens }: OpenAiOptions): Record<string, unknown> {
  return maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens };
}

function message(each: ChatMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (each.role === 'tool') return { role: 'tool', tool_call_id: each.toolCallId, content: each.content };
  if (each.role !== 'assistant') return { role: each.role, content: each.content };
  return {
    role: 'assistant',
    content: each.content,
    ...(each.toolCalls && {
      tool_calls: each.toolCalls.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
}

/** Turns what the client throws into a sentence; anything that is no trouble of the endpoint flies on. */
function explain(error: unknown, options: OpenAiOptions, key: string | undefined): ModelFailure {
  if (error instanceof APIConnectionTimeoutError) return { code: 'timed-out', message: timedOut(options) };
  if (error instanceof APIConnectionError) {
    const message = `No answer from ${options.baseUrl}. Check that the server runs and that the address is right.`;
    return { code: 'unreachable', message };
  }
  if (isRefusal(error)) return refused(error, options, key);
  // A socket that closes in mid-stream is a plain TypeError, half a JSON line a SyntaxError.
  if (error instanceof TypeError || error instanceof SyntaxError) {
    return {
      code: 'cut-off',
      message: 'The connection broke in the middle of the reply. Send the message again.',
    };
  }
  throw error;
}

/** With its type parameters spelled out: the class alone says `any` for all of them. */
function isRefusal(error: unknown): error is APIError {
  return error instanceof APIError;
}

function refused(error: APIError, options: OpenAiOptions, key: string | undefined): ModelFailure {
  const { status } = error;
  const said = detail(error, key);
  switch (status) {
    case 401:
      return {
        code: 'unauthorized',
        message: `${options.baseUrl} refused the key (401). Set it with "Parley: Set API Key".`,
      };
    case 403:
      return { code: 'forbidden', message: `${options.baseUrl} does not allow this (403)${said}` };
    case 404:
      return {
        code: 'not-found',
        message: `${options.baseUrl} has no model "${options.model}" or is not the right address (404)${said}`,
      };
    case 429:
      return {
        code: 'rate-limited',
        message: `${options.baseUrl} has had too many requests (429). Wait a little and send the message again.`,
      };
    case undefined:
      return {
        code: 'server-error',
        message: `The endpoint reported an error in the middle of the reply${said}`,
      };
    default:
      return status >= 500
        ? {
            code: 'server-error',
            message: `${options.baseUrl} failed (${status})${said} Try again, or look into the server's log.`,
          }
        : { code: 'rejected', message: `${options.baseUrl} rejected the request (${status})${said}` };
  }
}

/** What the endpoint said itself, shortened, in one line and without the key. */
function detail(error: APIError, key: string | undefined): string {
  const text = error.message.replace(/^\d+ /, '').replace(/\s+/g, ' ').trim();
  if (text === '' || text.includes('<') || text === 'status code (no body)') return '.';
  const safe = key ? text.replaceAll(key, '[key]') : text;
  return `: ${safe.length > 300 ? `${safe.slice(0, 300)}…` : safe.replace(/\.$/, '')}.`;
}

function notAStream(options: OpenAiOptions, what: string): string {
  return `${options.baseUrl} answered with ${what}. Check the base URL; it usually ends in /v1.`;
}

function timedOut(options: OpenAiOptions): string {
  return `${options.baseUrl} went silent. Check the server, or try a smaller request.`;
}

function failure(code: ModelFailure['code'], message: string): ModelDelta {
  return { type: 'failure', failure: { code, message } };
}
