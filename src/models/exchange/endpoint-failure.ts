import { APIConnectionError } from 'openai';
import { redact } from '../../base/redact';
import type { ModelFailure, RetryHint } from '../../core/words/model';
import { TooLarge, tooLargeFailure } from '../bounded';
import { connectionFailure } from './connection-failure';
import { figuresIn, meaningOf, readError, type Meaning, type ErrorWords } from './error-words';
import { Refusal, type Progress } from './exchange';
import type { Timeouts } from './timeouts';

/** Target of a request. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
}

export interface Circumstances {
  readonly endpoint: Endpoint;
  readonly secrets: readonly (string | undefined)[];
  readonly timeouts: Timeouts;
  /** Progress of the request. */
  readonly progress: Progress;
  /** A part of the reply had arrived. */
  readonly hasBegun: boolean;
}

/** Converts errors of the client into a sentence; rethrows anything that is not an error of the endpoint. */
export function explain(thrown: unknown, circumstances: Circumstances): ModelFailure {
  const { endpoint, progress } = circumstances;
  const address = shownAddress(endpoint);
  const error = thrown instanceof APIConnectionError ? thrown.cause : thrown;
  if (error instanceof Refusal) {
    const said = redact(errorIn(error.body).words, circumstances.secrets).slice(0, SAID);
    return { ...refused(error, circumstances), status: error.status, ...(said !== '' && { said }) };
  }
  if (error instanceof TooLarge)
    return tooLargeFailure('The endpoint sent a piece of the reply that is too large');
  if (thrown instanceof APIConnectionError)
    return connectionFailure(error, { address, baseUrl: endpoint.baseUrl, progress });
  // A socket that closes in mid-stream is a plain TypeError. The server has accepted the request.
  if (progress === 'taken' && error instanceof TypeError) {
    return { code: 'cut-off', message: CONNECTION_BROKE };
  }
  if (error instanceof TypeError) {
    const message = `The request to ${address} could not be made. Check the key and the headers for characters that do not belong there.`;
    return { code: 'rejected', message };
  }
  throw error;
}

export const CONNECTION_BROKE = 'The connection broke in the middle of the reply. Send the message again.';

/** The address in displayable form: it could contain a password or a key. */
export function shownAddress({ baseUrl }: Pick<Endpoint, 'baseUrl'>): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname;
}

export function notAStream(what: string): string {
  return `${what}. Check the base URL; it usually ends in /v1.`;
}

/**
 * An error in place of a reply, or in the middle of one: the server has accepted the request, so it is not sent
 * again.
 */
export function reported(said: ErrorWords, circumstances: Circumstances): ModelFailure {
  const { endpoint } = circumstances;
  const detail = detailOf(said, circumstances);
  const meaning = meaningOf(said, said.status);
  const known = meaning && explainMeaning(meaning, said, said.status, circumstances);
  if (known) return known;
  if (circumstances.hasBegun) {
    return {
      code: 'server-error',
      message: `The endpoint reported an error in the middle of the reply${detail}`,
    };
  }
  const message = `${shownAddress(endpoint)} answered with an error${detail} Try again, or look into the server's log.`;
  return { code: 'server-error', message };
}

/** Maximum characters of a message in which refusals are looked for. */
const SAID = 4_000;

/** Nothing from a web page. */
function errorIn(body: string): ErrorWords {
  return readError(/^\s*</.test(body) ? '' : body);
}

/** Statuses of proxies that gave up waiting for a server that is still working on the request. */
const TAKEN = new Set([408, 504, 524]);

function refused({ status, headers, body }: Refusal, circumstances: Circumstances): ModelFailure {
  const { endpoint } = circumstances;
  const address = shownAddress(endpoint);
  const said = errorIn(body);
  const detail = detailOf(said, circumstances);
  const meaning = meaningOf(said, status);
  const known = meaning && explainMeaning(meaning, said, status, circumstances);
  const afterMs = retryAfterMs(headers, Date.now()) ?? said.afterMs;
  const asked = afterMs === undefined ? {} : { afterMs };
  if (known) return known.retry ? { ...known, retry: { ...known.retry, ...asked } } : known;
  if (TAKEN.has(status)) {
    const message = `${address} did not get the reply in time (${status})${detail} Ask for less at a time, or raise the time-outs of the gateway.`;
    return { code: 'timed-out', message };
  }
  switch (status) {
    case 403:
      return { code: 'forbidden', message: `${address} does not allow this (403)${detail}` };
    case 404:
      return {
        code: 'not-found',
        message: `${address} has no model "${endpoint.model}" or is not the right address (404)${detail}`,
      };
    case 429: {
      const what = `${address} had too many requests (429)`;
      const message = `${what}${detail} Wait a little and send the message again.`;
      return { code: 'rate-limited', message, retry: { what: `${what}${ending(detail)}`, ...asked } };
    }
    default: {
      if (status < 500)
        return { code: 'rejected', message: `${address} rejected the request (${status})${detail}` };
      const what = `${address} failed (${status})`;
      const message = `${what}${detail} Try again, or look into the server's log.`;
      return { code: 'server-error', message, retry: { what: `${what}${ending(detail)}`, ...asked } };
    }
  }
}

/** Meaning of an error, in a sentence with the next step. `undefined` if the status says more. */
function explainMeaning(
  meaning: Meaning,
  said: ErrorWords,
  status: number | undefined,
  circumstances: Circumstances,
): ModelFailure | undefined {
  const { endpoint, timeouts } = circumstances;
  const address = shownAddress(endpoint);
  const number = status ?? said.status ?? 'in the reply';
  const detail = detailOf(said, circumstances);
  switch (meaning) {
    case 'no-tools': {
      const message = `${address} does not support native tools for "${endpoint.model}" (${number}). Pick a text protocol.`;
      return { code: 'no-tools', message };
    }
    case 'too-long':
      return tooLong(said, endpoint.model, detail);
    case 'key-refused': {
      const why = NO_DATABASE.test(said.text) ? '.' : detail;
      const message = `${address} refused the key (${number})${why} Set it with "Parley: Set API Key".`;
      return { code: 'unauthorized', message };
    }
    case 'unpaid': {
      const message = `The account at ${address} has no credit left (${number})${detail} Top it up, or pick another model.`;
      return { code: 'rejected', message };
    }
    case 'quota': {
      const what = `${address} has no quota left (${number})`;
      const message = `${what}${detail} Wait until it is renewed, or pick another model.`;
      const { afterMs } = said;
      const isWorthOneMore = afterMs !== undefined && !isTaken(circumstances);
      const retry = { what: `${what}${ending(detail)}`, tries: 2, ...(afterMs !== undefined && { afterMs }) };
      return { code: 'rate-limited', message, ...(isWorthOneMore && { retry }) };
    }
    case 'large-request': {
      const message = `${address} takes no request of this size (${number})${detail} Use fewer tools, leave out attachments, or continue with a summary of the older messages.`;
      return { code: 'rate-limited', message };
    }
    case 'large-body': {
      const message = `The request is larger than ${address} lets through (${number})${detail} Leave out images, or continue with a summary of the older messages.`;
      return { code: 'rejected', message };
    }
    case 'unreadable-call': {
      const what = `${address} could not read a call that the model has written`;
      const message = `${what}. Send the message again, or pick a text protocol.`;
      return { code: 'server-error', message, ...(!isTaken(circumstances) && { retry: { what, tries: 3 } }) };
    }
    case 'loading':
      return waiting('loading', `${address} is still loading the model`, timeouts, circumstances);
    case 'busy':
      return waiting('busy', `${address} is busy with other requests`, timeouts, circumstances);
    case 'upstream-dead': {
      const what = `${address} answers, but cannot reach the server behind it (${number})`;
      const message = `${what}${detail} Check that server.`;
      return { code: 'server-error', message, ...(!isTaken(circumstances) && { retry: { what } }) };
    }
  }
}

/** LiteLLM's answer to a wrong key, which explains nothing. */
const NO_DATABASE = /no connected db/i;

function isTaken({ progress }: Circumstances): boolean {
  return progress === 'taken';
}

function waiting(
  stage: 'loading' | 'busy',
  what: string,
  { firstEvent }: Timeouts,
  circumstances: Circumstances,
): ModelFailure {
  const message = `${what}. Wait a little and send the message again.`;
  const retry: RetryHint = {
    what,
    waiting: { stage, withinMs: firstEvent === 0 ? Infinity : firstEvent * 1000 },
  };
  return { code: 'server-error', message, ...(!isTaken(circumstances) && { retry }) };
}

function tooLong(said: ErrorWords, model: string, detail: string): ModelFailure {
  const figures = figuresIn(said);
  const { prompt, window } = figures ?? {};
  // Only the numbers, if both are known: some servers wrap them into a paragraph.
  const message =
    prompt !== undefined && window !== undefined && prompt > window
      ? `The conversation is too long for "${model}": it has ${inWords(prompt)} tokens, the server takes ${inWords(window)}. Continue with a summary of the older messages, or pick a model with a larger window.`
      : `The conversation is too long for "${model}"${detail} Continue with a summary of the older messages, or pick a model with a larger window.`;
  return { code: 'too-long', message, ...(figures && { figures }) };
}

function inWords(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

/** Maximum characters shown of an endpoint's message. */
const SHOWN = 300;

/** The endpoint's own message: shortened, on one line, without keys in any spelling. */
function detailOf({ text }: ErrorWords, { secrets }: Circumstances): string {
  if (text === '' || text.includes('<')) return '.';
  const safe = redact(text, secrets);
  return `: ${safe.length > SHOWN ? `${safe.slice(0, SHOWN)}…` : safe.replace(/\.$/, '')}.`;
}

/** The same at the end of a clause. */
function ending(detail: string): string {
  return detail.slice(0, -1);
}

/** Milliseconds to wait by the response headers: given in seconds or as a date. `now` is since 1970. */
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
