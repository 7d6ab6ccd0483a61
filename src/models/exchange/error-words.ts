// Shapes and meanings of server errors. The patterns match real servers and gateways as of 2026; messages change
// monthly, so each pattern matches a few words, never a whole sentence.
import { parseContainer } from '../../base/json';
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
  /** Milliseconds that the server asks to wait. */
  readonly afterMs?: number;
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
  /** What the account may use in a day, or another long time, is used up. */
  | 'quota'
  /** One request is larger than what is allowed in a minute. */
  | 'large-request'
  /** The body is larger than a gateway lets through. */
  | 'large-body'
  /** A gateway that cannot reach the server behind it. */
  | 'upstream-dead';

/**
 * Parses an error in any shape: OpenAI's `{ error: { message } }`, `{ error: "text" }`, `{ object: "error", message
 * }` (old vLLM), `{ detail }` (FastAPI), `{ message }`, `{ code, msg }` and `{ base_resp: { status_msg } }` (services
 * that answer with 200), a list of such (Gemini), or plain text, which may contain JSON. The error of a server behind
 * a router (`error.metadata.raw` of OpenRouter) says more than the router's. Never throws.
 */
export function readError(value: unknown): ErrorWords {
  const inner = typeof value === 'string' ? (parseContainer(value) ?? value) : value;
  const levels = levelsOf(inner);
  const prompt = firstOf(levels, (each) => count(field(each, 'n_prompt_tokens')));
  const window = firstOf(levels, (each) => count(field(each, 'n_ctx')));
  const message = messageIn(inner, 0).replace(/\s+/g, ' ').trim();
  const codes = levels.flatMap((each) => CODES.map((name) => field(each, name)));
  const status = codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
  // LiteLLM's classes are codes, too.
  const [classes = ''] = PREFIXES.exec(message) ?? [];
  const text = plainWords(message);
  const afterMs = delayIn(levels, text);
  return {
    text,
    words: wordsOf(
      message,
      firstOf(levels, (each) => field(each, 'param')),
    ),
    codes: [...codes, ...quotasIn(levels), classes].filter(isCode).join(' '),
    ...(status !== undefined && { status }),
    ...((prompt !== undefined || window !== undefined) && { figures: figuresOf(prompt, window) }),
    ...(afterMs !== undefined && { afterMs }),
  };
}

function wordsOf(message: string, parameter: unknown): string {
  return typeof parameter === 'string' ? `"${parameter}": ${message}` : message;
}

function isCode(code: unknown): boolean {
  return typeof code === 'string' || typeof code === 'number';
}

function firstOf<E, T>(all: readonly E[], read: (each: E) => T | undefined): T | undefined {
  for (const each of all) {
    const found = read(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The error in an event of a stream, or in an answer with 200 that is not a stream. `name`: of the event. A chunk of a
 * reply is none, whatever else is in it, unless it has the field `error`.
 */
export function errorInEvent(event: unknown, name?: string): ErrorWords | undefined {
  if (Array.isArray(event)) {
    const first: unknown = event.find((each) => isFailure(field(each, 'error')));
    return first === undefined ? undefined : readError(first);
  }
  const choices = field(event, 'choices');
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  if (isFailure(field(event, 'error')) || hasFailed(field(event, 'base_resp'))) return readError(event);
  if (isFailure(field(choice, 'error'))) return readError(choice);
  if (Array.isArray(choices)) return undefined;
  const isError =
    name === 'error' ||
    [field(event, 'object'), field(event, 'type'), field(event, 'status')].includes('error') ||
    field(event, 'detail') !== undefined ||
    isFailure(field(event, 'fault')) ||
    field(event, 'success') === false ||
    (field(event, 'id') === undefined &&
      !isAlive(event) &&
      WORDS.some((word) => isFailure(field(event, word))));
  return isError ? readError(event) : undefined;
}

/** Fields of an answer that says why there is no reply. */
const WORDS = ['message', 'msg', 'errorMessage', 'errorMsg', 'error_message', 'error_msg'];

/** Whether such a field has something to say: some servers send it empty with every chunk. */
function isFailure(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value !== 'object' || value === null) return value === true;
  const code = field(value, 'code');
  return messageIn(value, 0) !== '' || (code !== undefined && Number(code) !== 0);
}

/** MiniMax sends `{ status_code: 0, status_msg: "success" }` with every chunk. */
function hasFailed(result: unknown): boolean {
  return Number(field(result, 'status_code') ?? 0) !== 0;
}

/** Whether an event only says that the server works, or that all is well. */
function isAlive(event: unknown): boolean {
  const states = ['type', 'status', 'state', 'event'].map((name) => field(event, name));
  const code = field(event, 'code');
  const isFine = field(event, 'success') === true || (code !== undefined && [0, 200].includes(Number(code)));
  return isFine || states.some((state) => typeof state === 'string' && ALIVE.test(state));
}

const ALIVE =
  /^(?:ping|heart.?beat|keep.?alive|pending|processing|queued?|in.progress|running|waiting|progress)$/i;

/** Classifies it; `status` is that of the response, `undefined` in a stream. */
export function meaningOf({ text, codes }: ErrorWords, status: number | undefined): Meaning | undefined {
  const all = `${codes} ${text}`;
  if (status === 401 || KEY_REFUSED.test(text)) return 'key-refused';
  if (status === 402 || UNPAID_CODES.test(codes) || UNPAID.test(text)) return 'unpaid';
  if (status === 503 && LOADING.test(all)) return 'loading';
  if (status === 503 && BUSY.test(all)) return 'busy';
  if (status === 429) return meaningOfLimit(all, text);
  if (UNREADABLE_CALL.test(text)) return 'unreadable-call';
  if (TOOLS_REFUSED.test(text)) return 'no-tools';
  if (TOO_LONG.test(all) || TOO_LONG_CODES.test(codes)) return 'too-long';
  if (status === 413) return 'large-body';
  return status !== undefined && status >= 500 && UPSTREAM_DEAD.test(text) ? 'upstream-dead' : undefined;
}

/** What a 429 means, if waiting does not help. */
function meaningOfLimit(all: string, text: string): Meaning | undefined {
  if (isAboveLimit(text)) return 'large-request';
  if (LONG_TIME.test(all)) return 'quota';
  return TOO_LONG.test(all) && !RATE.test(all) ? 'too-long' : undefined;
}

/** Whether a single request is larger than the limit of its time: OpenAI, Groq. */
function isAboveLimit(text: string): boolean {
  const [, limit, asked] = /limit:? (\d[\d,_]*).{0,60}?requested:? (\d[\d,_]*)/i.exec(text) ?? [];
  return TOO_LARGE.test(text) || (toCount(asked) ?? 0) > (toCount(limit) ?? Infinity);
}

const TOO_LARGE =
  /request (?:is )?too large|single request|request (?:exceeds|is larger than) .{0,30}per.min/i;
/** OpenRouter, Groq, Gemini and others. */
const LONG_TIME =
  /per[ _-]?(?:day|week|month)|\b(?:daily|weekly|monthly)\b|\b[rt]pd\b|(?:requests|tokens|messages) a (?:day|week|month)|quota .{0,30}(?:of the|for (?:the|this)) (?:day|week|month)/i;
const RATE = /per[ _-]?(?:second|minute|hour)|\b[rt]p[ms]\b|rate.?limit|quota/i;

/** LiteLLM's answer, by name, to a wrong key without a database to look it up in (400). */
const KEY_REFUSED = /no connected db|(?:invalid|incorrect|wrong) api[ _-]?key/i;
/** 1113 is Z.ai's, 1008 MiniMax's. */
const UNPAID_CODES = /insufficient_(?:quota|balance|credits|funds)|\b(?:1113|1008)\b/i;
const UNPAID = new RegExp(
  [
    String.raw`insufficient (?:account |credit )?(?:balance|credits?|funds)`,
    String.raw`\b(?:balance|credits?)\b.{0,30}(?:too low|not enough|insufficient|exhausted|depleted|used up)`,
    'out of credits?',
    String.raw`\bno (?:remaining )?credits?\b`,
    'please (?:recharge|top up)',
    'payment (?:is )?required',
    String.raw`account .{0,30}(?:arrears|overdue|past due)`,
    'billing hard limit',
  ].join('|'),
  'i',
);
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
    // Z.ai, TabbyAPI, TensorRT-LLM, Volcengine ARK
    String.raw`exceeds? (?:the )?max(?:imum)? (?:input |prompt |sequence )?length`,
    'more than max tokens allowed',
    String.raw`\bmax_(?:seq|input|prompt|model|num)_(?:len|length|tokens)\b`,
    'exceeds? (?:the )?max(?:imum)? message tokens',
    String.raw`(?:prompt|input)(?: tokens?| length)? .{0,20}(?:exceeds?|is (?:greater|longer|larger) than) (?:the )?(?:max|limit)`,
    String.raw`(?:inputs|input) .{0,40}must (?:be <=|have less than) \d+`,
  ].join('|'),
  'i',
);

/** Z.ai. */
const TOO_LONG_CODES = /\b1261\b/;

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
  // TabbyAPI
  { pattern: /length (\d+) is (?:greater|longer|larger) than max_\w+ (\d+)/i, order: 'PW' },
  // TensorRT-LLM
  { pattern: /prompt length \((\d+)(?:\.\d+)?\).{0,40}should not exceed max_\w+ \((\d+)/i, order: 'PW' },
  { pattern: /prompt length \((\d+)\).{0,20}exceeds? .{0,40}\((\d+)/i, order: 'PW' },
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

const CODES = ['code', 'type', 'status', 'errorCode', 'error_code', 'status_code'];

/** Errors inside other errors, from the outermost to the innermost. */
function levelsOf(value: unknown, depth = 0): readonly unknown[] {
  const one = Array.isArray(value) ? (value[0] as unknown) : value;
  if (depth > DEPTH || typeof one !== 'object' || one === null) return [];
  const behind = wrapped(one);
  const inner = [...['error', 'detail', 'fault', 'base_resp'].map((name) => field(one, name)), behind];
  return [
    one,
    ...inner.flatMap((each) => levelsOf(typeof each === 'string' ? parseContainer(each) : each, depth + 1)),
  ];
}

/** What a router passes on of the server behind it: OpenRouter's `metadata.raw`, and other names. */
function wrapped(error: unknown): unknown {
  const raw = field(field(error, 'metadata'), 'raw');
  return (
    raw ??
    firstOf(['upstream_error', 'provider_error', 'original_error', 'innererror'], (name) =>
      field(error, name),
    )
  );
}

/** Names of the quotas that Gemini says are used up. */
function quotasIn(levels: readonly unknown[]): readonly unknown[] {
  return levels
    .flatMap((level) => items(field(level, 'details')))
    .flatMap((detail) => items(field(detail, 'violations')))
    .map((violation) => field(violation, 'quotaId'));
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]).slice(0, 20) : [];
}

/** Errors are nested, but not that deep. */
const DEPTH = 6;

/** Fields with a message, or with something that has one. */
const MESSAGES = [
  ...['message', 'error', 'detail', 'msg', 'error_description', 'errors', 'title'],
  ...['errorMessage', 'errorMsg', 'error_message', 'error_msg', 'base_resp', 'status_msg'],
  ...['fault', 'faultstring'],
];

function messageIn(value: unknown, depth: number): string {
  if (depth > DEPTH) return '';
  if (typeof value === 'string') {
    const inner = parseContainer(value);
    return inner === undefined ? value : messageIn(inner, depth + 1) || value;
  }
  if (Array.isArray(value)) {
    const all = value.slice(0, 3).map((each) => messageIn(each, depth + 1));
    return all.filter((each) => each !== '').join('; ');
  }
  const behind = messageIn(wrapped(value) ?? '', depth + 1);
  // A web page says nothing.
  if (behind !== '' && !behind.includes('<')) return behind;
  for (const name of MESSAGES) {
    const text = messageIn(field(value, name) ?? '', depth + 1);
    if (text === '') continue;
    // FastAPI names the invalid field of the request in `loc`.
    const where = name === 'msg' ? field(value, 'loc') : undefined;
    return Array.isArray(where) ? `${where.join('.')}: ${text}` : text;
  }
  return '';
}

/** Fields with the time to wait: a number of seconds, or of milliseconds if the name says so, or a text such as `4s`. */
const DELAY = /^(?:retry[-_]?(?:delay|after|in)|wait)(?:[-_]?(ms|milliseconds|s|secs?|seconds))?$/i;
/** "Please try again in 1m2.5s", "retry after 20 seconds". */
const DELAY_TEXT =
  /\b(?:retry|retrying|again|wait|resets?)\b[^\d\n]{0,30}?\b((?:\d+(?:\.\d+)? ?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b[ ,]{0,2}(?:and )?|\d+(?:\.\d+)?[hm](?=\d))+)/i;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, s: 1_000 };

/** Milliseconds to wait, as the body of an error says; the longest if it says several. */
function delayIn(levels: readonly unknown[], text: string): number | undefined {
  const objects = levels.flatMap((level) => [
    level,
    field(level, 'metadata'),
    field(field(level, 'metadata'), 'headers'),
    ...items(field(level, 'details')),
  ]);
  const delays = objects.flatMap((each) =>
    typeof each === 'object' && each !== null ? Object.entries(each).map(delayOf) : [],
  );
  const [, said] = DELAY_TEXT.exec(text) ?? [];
  const all = [...delays, said === undefined ? undefined : durationOf(said)].filter((ms) => ms !== undefined);
  return all.length === 0 ? undefined : Math.max(...all);
}

function delayOf([name, value]: [string, unknown]): number | undefined {
  const match = DELAY.exec(name);
  if (!match) return undefined;
  const seconds = typeof value === 'object' ? Number(field(value, 'seconds')) : Number(value);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * (/^m/i.test(match[1] ?? '') ? 1 : 1_000);
  return typeof value === 'string' ? durationOf(value) : undefined;
}

/** Milliseconds of `1m2.5s`, `20 seconds` or `150ms`. */
function durationOf(text: string): number | undefined {
  const parts = [...text.slice(0, SHORT).matchAll(/(\d+(?:\.\d+)?) ?(ms|milli|s|m|h)/gi)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, amount, unit = '']) => {
    const factor = unit.length > 1 ? 1 : (UNITS[unit.toLowerCase()] ?? 0);
    return sum + Number(amount) * factor;
  }, 0);
}

/** Characters of a duration that are read. */
const SHORT = 60;

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
  const inner = parseContainer(words);
  return inner === undefined ? words : messageIn(inner, 0).replace(/\s+/g, ' ').trim() || words;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // SAFETY: any object can be read by name; the values are unknown.
  return (value as Record<string, unknown>)[name] ?? undefined;
}
