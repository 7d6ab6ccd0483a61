import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { redact } from '../base/redact';
import type { ModelFailure } from '../core/words/model';
import { TooLarge, tooLargeFailure } from './bounded';

/** What a request goes to. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
}

interface Circumstances {
  readonly endpoint: Endpoint;
  readonly secrets: readonly (string | undefined)[];
  /** The endpoint had begun to answer. */
  readonly isConnected: boolean;
  /** A part of the reply had arrived. */
  readonly hasBegun: boolean;
}

/** Turns what the client throws into a sentence; anything that is no trouble of the endpoint flies on. */
export function explain(
  error: unknown,
  { endpoint, secrets, isConnected, hasBegun }: Circumstances,
): ModelFailure {
  const address = shownAddress(endpoint);
  if (error instanceof APIConnectionTimeoutError) return silent(endpoint, isConnected);
  if (error instanceof APIConnectionError) {
    const what = `No answer from ${address}`;
    const message = `${what}. Check that the server runs and that the address is right.`;
    return { code: 'unreachable', message, retry: { what } };
  }
  if (isRefusal(error)) return refused(error, endpoint, secrets);
  if (error instanceof TooLarge)
    return tooLargeFailure('The endpoint sent a piece of the reply that is too large');
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
export function shownAddress({ baseUrl }: Endpoint): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname;
}

export function notAStream(what: string): string {
  return `${what}. Check the base URL; it usually ends in /v1.`;
}

/** A gateway that never answered may do so the next time; one that is at work would only begin anew. */
export function silent(endpoint: Endpoint, isConnected: boolean): ModelFailure {
  const what = `${shownAddress(endpoint)} went silent`;
  const message = `${what}. Check the server, or try a smaller request.`;
  const mayBeBusy = isConnected || isLoopback(endpoint.baseUrl);
  return { code: 'timed-out', message, ...(!mayBeBusy && { retry: { what } }) };
}

/** A server on this machine: there is no way on which a request could be lost. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
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
  endpoint: Endpoint,
  secrets: readonly (string | undefined)[],
): ModelFailure {
  const { status } = error;
  const said = detail(error, secrets);
  if (status !== undefined && status >= 400 && TOOLS_REFUSED.test(error.message)) {
    const message = `${shownAddress(endpoint)} takes no native tools for "${endpoint.model}" (${status}). Pick a text protocol.`;
    return { code: 'no-tools', message };
  }
  const address = shownAddress(endpoint);
  // Gateways that have begun to stream say it in the stream.
  if ((status === undefined || status >= 400) && TOO_LONG.test(error.message)) {
    const message = `The conversation is too long for "${endpoint.model}"${said} Continue with a summary of the older messages, or pick a model with a larger window.`;
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
        message: `${address} has no model "${endpoint.model}" or is not the right address (404)${said}`,
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

/** How long the headers of an answer ask to wait, in milliseconds: given in seconds or as a date. `now` is since 1970. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const milliseconds = number(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers.get('retry-after');
  const seconds = number(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function number(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
