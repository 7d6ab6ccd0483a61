import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, type ClientOptions } from 'openai';
import type { JsonObject } from '../base/json';
import { redact } from '../base/redact';
import type { Image } from '../core/attachment';
import type { ChatMessage, Model, ModelDelta, ModelFailure, ModelRequest } from '../core/model';
import { tooLarge } from './bounded';
import { boundedFetch, TooLarge } from './bounded-body';
import { chunkDeltas } from './chat-chunks';
import type { FilledHeaders } from './headers';
import { retryAfterMs } from './retry-after';
import { Watchdog } from './watchdog';

export interface OpenAiOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Asked for every request, so that a key never rests here. Local servers need none. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Asked for every request, too: they may hold secrets. */
  readonly headers?: () => Promise<FilledHeaders>;
  readonly maxOutputTokens?: number;
  readonly extraBody?: JsonObject;
  /** Is told of every body as it goes out. Headers, which hold the key, are no part of it. */
  readonly onSend?: OnSend;
}

export type OnSend = (body: object, request: ModelRequest) => void;

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
  const watchdog = new Watchdog(signal, { isNear: isLoopback(options.baseUrl) });
  let secrets: readonly (string | undefined)[] = [];
  let isConnected = false;
  let chunks = 0;
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
      fetch: boundedFetch,
      // A key goes to the address it was entered for and to no other.
      fetchOptions: { redirect: 'manual' },
      defaultHeaders: { ...(key === undefined && { authorization: null }), ...filled?.headers },
    });
    const sent = body(options, request);
    options.onSend?.(sent, request);
    const { data, response } = await client.chat.completions
      .create(sent, { signal: watchdog.signal })
      .withResponse();
    if (response.headers.get('content-type')?.includes('text/html')) {
      data.controller.abort();
      yield failure('not-a-stream', notAStream(`${addressOf(options)} answered with a web page`));
      return;
    }
    watchdog.connected();
    isConnected = true;
    for await (const chunk of data) {
      watchdog.heard();
      chunks++;
      yield* chunkDeltas(chunk);
    }
    // An abort ends the loop without an error.
    if (watchdog.expired) yield expired(options, watchdog, isConnected);
    else if (chunks === 0 && !signal.aborted) {
      yield failure(
        'not-a-stream',
        notAStream(`${addressOf(options)} answered with nothing that is a streamed reply`),
      );
    }
  } catch (error) {
    if (signal.aborted) return;
    if (watchdog.expired) yield expired(options, watchdog, isConnected);
    else
      yield {
        type: 'failure',
        failure: explain(error, { options, secrets, isConnected, hasBegun: chunks > 0 }),
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
  if (each.role === 'system') return { role: 'system', content: each.content };
  if (each.role === 'user') return { role: 'user', content: userContent(each.content, each.images) };
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

/** Plain text where there is nothing else: servers without images know no parts. */
function userContent(
  text: string,
  images: readonly Image[] = [],
): string | OpenAI.Chat.Completions.ChatCompletionContentPart[] {
  if (images.length === 0) return text;
  return [
    { type: 'text', text: text },
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}

interface Circumstances {
  readonly options: OpenAiOptions;
  readonly secrets: readonly (string | undefined)[];
  /** The endpoint had begun to answer. */
  readonly isConnected: boolean;
  /** A part of the reply had arrived. */
  readonly hasBegun: boolean;
}

/** Turns what the client throws into a sentence; anything that is no trouble of the endpoint flies on. */
function explain(error: unknown, { options, secrets, isConnected, hasBegun }: Circumstances): ModelFailure {
  const address = addressOf(options);
  if (error instanceof APIConnectionTimeoutError) return silent(options, isConnected);
  if (error instanceof APIConnectionError) {
    const what = `No answer from ${address}`;
    const message = `${what}. Check that the server runs and that the address is right.`;
    return { code: 'unreachable', message, retry: { what } };
  }
  if (isRefusal(error)) return refused(error, options, secrets);
  if (error instanceof TooLarge) return tooLarge('The endpoint sent a piece of the reply that is too large');
  // A socket that closes in mid-stream is a plain TypeError, half a JSON line a SyntaxError.
  if ((isConnected && error instanceof TypeError) || (hasBegun && error instanceof SyntaxError)) {
    const message = 'The connection broke in the middle of the reply. Send the message again.';
    return { code: 'cut-off', message, retry: { what: `The connection to ${address} broke` } };
  }
  // The parser's own words would quote what the endpoint sent, and that may be the key.
  if (error instanceof SyntaxError) {
    return {
      code: 'not-a-stream',
      message: notAStream(`${address} answered with something that is no JSON`),
    };
  }
  if (error instanceof TypeError) {
    const message = `The request to ${address} could not be made. Check the key and the headers for characters that do not belong there.`;
    return { code: 'rejected', message };
  }
  throw error;
}

/** The address as it may be shown: it could hold a password or a key. */
function addressOf({ baseUrl }: OpenAiOptions): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname;
}

/** With its type parameters spelled out: the class alone says `any` for all of them. */
function isRefusal(error: unknown): error is APIError {
  return error instanceof APIError;
}

/** How Ollama, OpenRouter, vLLM and llama.cpp say that they take no tools, whatever the status. */
const TOOLS_REFUSED =
  /not support (?:the )?(?:tools?\b|function)|support tool use|enable-auto-tool-choice|tools param requires/i;

/** How OpenAI, vLLM, llama.cpp, LM Studio, OpenRouter and Anthropic say that the window is full. */
const TOO_LONG =
  /context[ _]length|context (?:window|size)|maximum context|prompt is too long|too many (?:input )?tokens|input is too long|reduce the length/i;

function refused(
  error: APIError,
  options: OpenAiOptions,
  secrets: readonly (string | undefined)[],
): ModelFailure {
  const { status } = error;
  const said = detail(error, secrets);
  if (status !== undefined && status >= 400 && TOOLS_REFUSED.test(error.message)) {
    const message = `${addressOf(options)} takes no native tools for "${options.model}" (${status}). Pick a text protocol.`;
    return { code: 'no-tools', message };
  }
  const address = addressOf(options);
  // Gateways that have begun to stream say it in the stream.
  if ((status === undefined || status >= 400) && TOO_LONG.test(error.message)) {
    const message = `The conversation is too long for "${options.model}"${said} Continue with a summary of the older messages, or pick a model with a larger window.`;
    return { code: 'too-long', message };
  }
  switch (status) {
    case 401:
      return {
        code: 'unauthorized',
        message: `${address} refused the key (401). Set it with "Parley: Set API Key".`,
      };
    case 403:
      return { code: 'forbidden', message: `${address} does not allow this (403)${said}` };
    case 404:
      return {
        code: 'not-found',
        message: `${address} has no model "${options.model}" or is not the right address (404)${said}`,
      };
    case 429: {
      const what = `${address} had too many requests (429)`;
      const message = `${what}. Wait a little and send the message again.`;
      return { code: 'rate-limited', message, retry: { what, ...pauseAsked(error) } };
    }
    case undefined: {
      const message = `The endpoint reported an error in the middle of the reply${said}`;
      // Gateways that have begun to stream put the status there.
      const code = Number(error.code);
      const what = `${address} reported an error (${code})`;
      const isPassing = code === 429 || code >= 500;
      return { code: 'server-error', message, ...(isPassing && { retry: { what } }) };
    }
    default: {
      if (status < 500)
        return { code: 'rejected', message: `${address} rejected the request (${status})${said}` };
      const what = `${address} failed (${status})`;
      const message = `${what}${said} Try again, or look into the server's log.`;
      return { code: 'server-error', message, retry: { what, ...pauseAsked(error) } };
    }
  }
}

function pauseAsked({ headers }: APIError): { readonly afterMs?: number } {
  const afterMs = headers && retryAfterMs(headers, Date.now());
  return afterMs === undefined ? {} : { afterMs };
}

/** What the endpoint said itself, shortened, in one line and without keys, however they are written. */
function detail(error: APIError, secrets: readonly (string | undefined)[]): string {
  const text = error.message.replace(/^\d+ /, '').replace(/\s+/g, ' ').trim();
  if (text === '' || text.includes('<') || text === 'status code (no body)') return '.';
  const safe = redact(text, secrets);
  return `: ${safe.length > 300 ? `${safe.slice(0, 300)}…` : safe.replace(/\.$/, '')}.`;
}

function secretMissing({ name }: OpenAiOptions, secret: string): string {
  return `A header of ${name} needs the secret "${secret}", which is not set for this address. Set it with "Parley: Set API Key".`;
}

function notAStream(what: string): string {
  return `${what}. Check the base URL; it usually ends in /v1.`;
}

/** A gateway that never answered may do so the next time; one that is at work would only begin anew. */
function silent(options: OpenAiOptions, isConnected: boolean): ModelFailure {
  const what = `${addressOf(options)} went silent`;
  const message = `${what}. Check the server, or try a smaller request.`;
  const mayBeBusy = isConnected || isLoopback(options.baseUrl);
  return { code: 'timed-out', message, ...(!mayBeBusy && { retry: { what } }) };
}

function expired(options: OpenAiOptions, watchdog: Watchdog, isConnected: boolean): ModelDelta {
  if (watchdog.expired === 'silent') return { type: 'failure', failure: silent(options, isConnected) };
  const message = `The reply of ${addressOf(options)} did not end in 30 minutes and was broken off. Ask for less at a time.`;
  return failure('timed-out', message);
}

/** A server on this machine: there is no way on which a request could be lost. */
function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function failure(code: ModelFailure['code'], message: string): ModelDelta {
  return { type: 'failure', failure: { code, message } };
}
