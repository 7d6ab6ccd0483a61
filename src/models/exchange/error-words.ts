// Shapes and meanings of server errors. The patterns match real servers and gateways as of 2026; messages change
// monthly, so each pattern matches a few words, never a whole sentence.
import type { TooLongFigures } from '../../core/words/model';

/** An error reported by a server. */
export interface ErrorWords {
  /** Its message on one line, without the text that gateways add. May contain an echoed key. */
  readonly text: string;
  /** All of its message, with the name of the parameter that it is about. */
  readonly words: string;
  /** Codes and types, which some servers use instead of words. */
  readonly codes: string;
  /** A status inside the error, as in an error of a stream. */
  readonly status?: number;
  /** Fields of llama.cpp. */
  readonly figures?: TooLongFigures;
}

/** Meaning of an error, for what can be done about it. */
export type Meaning =
  | 'no-tools'
  | 'too-long'
  | 'loading'
  | 'busy'
  /** The model wrote a call that the server could not read; another reply may be better. */
  | 'unreadable-call'
  | 'key-refused'
  /** No money is left in the account. */
  | 'unpaid'
  /** The body is larger than a gateway lets through. */
  | 'large-body'
  /** A gateway that cannot reach the server behind it. */
  | 'upstream-dead';

/**
 * Parses an error in any shape: OpenAI's `{ error: { message } }`, `{ error: "text" }`, `{ object: "error", message
 * }` (old vLLM), `{ detail }` (FastAPI), `{ message }`, a list of such (Gemini), or plain text, which may contain
 * JSON. Never throws.
 */
export function readError(value: unknown): ErrorWords {
  const inner = typeof value === 'string' ? (parsed(value) ?? value) : value;
  const error = errorObject(inner);
  const status = Number(field(error, 'code') ?? field(error, 'status') ?? field(inner, 'code'));
  const prompt = count(field(error, 'n_prompt_tokens'));
  const window = count(field(error, 'n_ctx'));
  const message = messageIn(inner, 0).replace(/\s+/g, ' ').trim();
  const codes = [error, inner].flatMap((each) => [
    field(each, 'code'),
    field(each, 'type'),
    field(each, 'status'),
  ]);
  // LiteLLM's classes are codes, too.
  const [classes = ''] = PREFIXES.exec(message) ?? [];
  return {
    text: plainWords(message),
    words: wordsOf(message, field(error, 'param')),
    codes: [...codes, classes].filter((each) => typeof each === 'string').join(' '),
    ...(Number.isInteger(status) && status >= 400 && status < 600 && { status }),
    ...((prompt !== undefined || window !== undefined) && { figures: figuresOf(prompt, window) }),
  };
}

function wordsOf(message: string, parameter: unknown): string {
  return typeof parameter === 'string' ? `"${parameter}": ${message}` : message;
}

/** The error in a stream event that lacks the field `error`, which the client would recognize. */
export function errorInEvent(event: unknown): ErrorWords | undefined {
  if (Array.isArray(event)) {
    const first: unknown = event.find((each) => field(each, 'error') !== undefined);
    return first === undefined ? undefined : readError(first);
  }
  if (field(event, 'choices') !== undefined) return undefined;
  const isError =
    field(event, 'object') === 'error' ||
    field(event, 'type') === 'error' ||
    field(event, 'detail') !== undefined ||
    (typeof field(event, 'message') === 'string' && field(event, 'id') === undefined);
  return isError ? readError(event) : undefined;
}

/** Classifies it; `status` is that of the response, `undefined` in a stream. */
export function meaningOf({ text, codes }: ErrorWords, status: number | undefined): Meaning | undefined {
  const all = `${codes} ${text}`;
  if (status === 402 || UNPAID.test(codes)) return 'unpaid';
  if (status === 401 || KEY_REFUSED.test(text)) return 'key-refused';
  if (status === 503 && LOADING.test(all)) return 'loading';
  if (status === 503 && BUSY.test(all)) return 'busy';
  if (status === 429) return undefined;
  if (UNREADABLE_CALL.test(text)) return 'unreadable-call';
  if (TOOLS_REFUSED.test(text)) return 'no-tools';
  if (TOO_LONG.test(all)) return 'too-long';
  if (status === 413) return 'large-body';
  return status !== undefined && status >= 500 && UPSTREAM_DEAD.test(text) ? 'upstream-dead' : undefined;
}

/** LiteLLM's answer, by name, to a wrong key without a database to look it up in (400). */
const KEY_REFUSED = /no connected db|(?:invalid|incorrect|wrong) api[ _-]?key/i;
const UNPAID = /insufficient_(?:quota|balance|credits)/i;
/** llama.cpp, Hugging Face's servers, SGLang. */
const LOADING =
  /loading model|model .{0,60}(?:loading|starting|warming up)|(?:server|engine) is (?:loading|starting)/i;
/** Ollama, llama.cpp. */
const BUSY =
  /server busy|no (?:free |available )?slots?\b|slots? .{0,12}unavailable|maximum pending requests|queue is full/i;
/** Ollama, if a template has its own parser. */
const UNREADABLE_CALL = /error parsing tool call|(?:failed|unable) to parse tool call/i;

/** LiteLLM, Envoy, nginx, and client libraries in gateways. */
const UPSTREAM_DEAD =
  /connection (?:error|refused|reset)|connect call failed|cannot connect|(?:failed|unable) to connect|no healthy upstream|upstream connect|bad gateway|econnrefused/i;

/**
 * Ollama, OpenRouter, vLLM, llama.cpp, LiteLLM, Gemini, Azure and others. A refused `tool_choice` is handled
 * elsewhere.
 */
const TOOLS_REFUSED = new RegExp(
  [
    String.raw`not support (?:the )?(?:tools?\b|function)`,
    'support tool use',
    'enable-auto-tool-choice',
    'requires --jinja',
    'tools param requires',
    String.raw`support parameters: \[.{0,80}'tools'`,
    'function calling is not (?:enabled|supported)',
    String.raw`tool[_ ]?(?:use|calling|calls)?.{0,3} (?:is|are) not supported`,
    String.raw`(?:unrecognized|unsupported|unknown).{0,40}\btools\b`,
  ].join('|'),
  'i',
);

const TOO_LONG = new RegExp(
  [
    'context[ _]length',
    'context (?:window|size)',
    'exceed_context_size',
    'maximum context',
    'prompt is too long',
    'prompt is longer than',
    'too many (?:input )?tokens',
    'input is too long',
    'reduce the length',
    String.raw`n_keep.{0,20}n_ctx`,
    'maximum allowed (?:input )?length',
    'maximum prompt length',
    'input token count .{0,20}exceeds',
    'model token limit',
    'context.?window.?exceed',
    'context limit',
    String.raw`token count of \d+ exceeds`,
    'range of input length',
    'max_tokens must be at least 1',
    'context shift is disabled',
    String.raw`contains \d+ tokens, too large for`,
    String.raw`(?:inputs|input) .{0,40}must (?:be <=|have less than) \d+`,
  ].join('|'),
  'i',
);

const N = String.raw`\(?(\d[\d,_]*)\)?`;

/** Positions of the numbers, `P` for the request and `W` for the window. The first match counts. */
const FIGURES: readonly { readonly pattern: RegExp; readonly order: 'PW' | 'WP' | 'W' }[] = [
  // llama.cpp
  { pattern: /request \((\d+) tokens\) exceeds the available context size \((\d+)/i, order: 'PW' },
  // vLLM, newer
  { pattern: RegExp(`passed ${N} input tokens.*?context length is only ${N}`, 'i'), order: 'PW' },
  // OpenAI, vLLM, OpenRouter, SGLang
  {
    pattern: RegExp(
      `maximum context length (?:is|of) ${N}.*?(?:resulted in|requested(?: about| a total of)?) ${N}`,
      'i',
    ),
    order: 'WP',
  },
  // SGLang
  { pattern: RegExp(`input ${N} tokens.{0,3} is longer than .*?context length ${N}`, 'i'), order: 'PW' },
  { pattern: /input \((\d+) tokens\) is longer than .*?context length \((\d+)/i, order: 'PW' },
  { pattern: /input length \((\d+) tokens\) exceeds .{0,40}\((\d+)/i, order: 'PW' },
  // LM Studio
  { pattern: RegExp(`first ${N} tokens.*?context length of only ${N}`, 'i'), order: 'PW' },
  { pattern: /n_keep \((\d+)\) >= n_ctx \((\d+)\)/i, order: 'PW' },
  // Kimi
  { pattern: RegExp(`model token limit: ${N} \\(requested: ${N}`, 'i'), order: 'WP' },
  // Gemini
  { pattern: /input token count \((\d+)\) exceeds .{0,60}\((\d+)\)/i, order: 'PW' },
  // Mistral
  { pattern: RegExp(`contains ${N} tokens, too large for model with ${N}`, 'i'), order: 'PW' },
  // xAI
  { pattern: RegExp(`maximum prompt length is ${N} but the request contains ${N}`, 'i'), order: 'WP' },
  // Claude
  { pattern: RegExp(`too long: ${N} tokens > ${N}`, 'i'), order: 'PW' },
  { pattern: /context limit: (\d+) \+ \d+ > (\d+)/i, order: 'PW' },
  // Qwen's service
  { pattern: /range of input length should be \[\d+, ?(\d+)\]/i, order: 'W' },
  // Text Generation Inference
  { pattern: /must be <= (\d+)\. Given: (\d+)/i, order: 'WP' },
  // Any other
  { pattern: /context[ _](?:length|size|window)\D{0,40}?(\d[\d,_]*)/i, order: 'W' },
  { pattern: /n_ctx\D{0,10}(\d+)/i, order: 'W' },
];

/** The numbers of a `too-long` error, as far as it has them. */
export function figuresIn({ text, figures }: ErrorWords): TooLongFigures | undefined {
  if (figures) return figures;
  for (const { pattern, order } of FIGURES) {
    const [, first, second] = pattern.exec(text) ?? [];
    if (first === undefined) continue;
    const [one, two] = [toCount(first), toCount(second)];
    if (order === 'PW') return figuresOf(one, two);
    return order === 'WP' ? figuresOf(two, one) : figuresOf(undefined, one);
  }
  return undefined;
}

function figuresOf(prompt: number | undefined, window: number | undefined): TooLongFigures {
  return { ...(prompt !== undefined && { prompt }), ...(window !== undefined && { window }) };
}

function toCount(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : count(Number(digits.replaceAll(/[,_]/g, '')));
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Positions of codes and numbers. */
function errorObject(value: unknown): unknown {
  const one = Array.isArray(value) ? (value[0] as unknown) : value;
  const error = field(one, 'error') ?? field(one, 'detail');
  return typeof error === 'object' ? error : one;
}

/** Errors are nested, but not that deep. */
const DEPTH = 6;

function messageIn(value: unknown, depth: number): string {
  if (depth > DEPTH) return '';
  if (typeof value === 'string') {
    const inner = parsed(value);
    return inner === undefined ? value : messageIn(inner, depth + 1) || value;
  }
  if (Array.isArray(value)) {
    const all = value.slice(0, 3).map((each) => messageIn(each, depth + 1));
    return all.filter((each) => each !== '').join('; ');
  }
  for (const name of ['message', 'error', 'detail', 'msg', 'error_description', 'errors', 'title']) {
    const text = messageIn(field(value, name) ?? '', depth + 1);
    if (text === '') continue;
    // FastAPI names the invalid field of the request in `loc`.
    const where = name === 'msg' ? field(value, 'loc') : undefined;
    return Array.isArray(where) ? `${where.join('.')}: ${text}` : text;
  }
  return '';
}

/** JSON as a string, which some wrap into another error. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** LiteLLM's class names before the message of the upstream server, and its own routing notes after it. */
const PREFIXES = /^(?:(?:litellm\.)?\w*(?:Error|Exception)\s*(?::|-)\s*)+/;
const ROUTES =
  /\s*(?:\.|,)?\s*(?:Received Model Group=|Available Model Group Fallbacks=|LiteLLM Retried:|Traceback \()[\s\S]*$/;
/** A gateway's Python client quotes like this: `Error code: 400 - {'error': {'message': '…'}}`. */
const QUOTED = /Error code: \d+ - \{.*?'message': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/;

function plainWords(message: string): string {
  const line = message.replace(ROUTES, '');
  const [, single, double] = QUOTED.exec(line) ?? [];
  const words = (single ?? double ?? line).replace(PREFIXES, '').trim();
  const inner = parsed(words);
  return inner === undefined ? words : messageIn(inner, 0).replace(/\s+/g, ' ').trim() || words;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // SAFETY: any object can be read by name; the values are unknown.
  return (value as Record<string, unknown>)[name] ?? undefined;
}
