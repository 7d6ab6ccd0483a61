import { isJsonObject, parseObject, type Json, type JsonObject } from '../../base/json';
import { plainFetch, type Fetch } from '../../base/transport';
import { rootOf } from '../api-address';
import { TooLarge, type Bytes } from '../bounded';
import type { OpenAiOptions } from '../openai';

/**
 * Ollama through its native API (`POST /api/chat`, https://docs.ollama.com/api/chat), which accepts a window, refuses
 * long prompts instead of cutting them, and has a separate field for reasoning. The client stays that of the Chat
 * Completions API: requests and responses are converted on their way, so that timeouts, errors and limits are the
 * same. `window`: tokens that the model is loaded with; Ollama decides if it is not given.
 */
export function overOllama(options: OpenAiOptions, window: number | undefined): OpenAiOptions {
  const { onSend, fetch = plainFetch } = options;
  const root = rootOf(options.baseUrl);
  return {
    ...options,
    baseUrl: root,
    addresses: [root],
    // SAFETY: a body is sent as JSON.
    ...(onSend && { onSend: (body, request) => onSend(ollamaBody(body as JsonObject, window), request) }),
    fetch: translating(fetch, root, window),
  };
}

function translating(fetch: Fetch, root: string, window: number | undefined): Fetch {
  return async (_, init) => {
    const asked = parseObject(typeof init.body === 'string' ? init.body : '') ?? {};
    const response = await fetch(`${root}/api/chat`, {
      ...init,
      body: JSON.stringify(ollamaBody(asked, window)),
    });
    const { ok, body, status, statusText, headers } = response;
    if (!ok || !body || headers.get('content-type')?.includes('text/html')) return response;
    const streamed = new Headers(headers);
    streamed.set('content-type', 'text/event-stream');
    streamed.delete('content-length');
    return new Response(body.pipeThrough(linesToEvents()), { status, statusText, headers: streamed });
  };
}

/** Fields of the Chat Completions API that are options in Ollama, under other names. */
const OPTIONS: Readonly<Record<string, string>> = {
  max_tokens: 'num_predict',
  stop: 'stop',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  seed: 'seed',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  repeat_penalty: 'repeat_penalty',
};

/**
 * Converts a body of the Chat Completions API to Ollama's. Fields that only Ollama knows (`keep_alive`, `think`) are
 * passed on.
 */
export function ollamaBody(body: JsonObject, window: number | undefined): JsonObject {
  const {
    messages,
    stream_options: _,
    options,
    reasoning_effort: effort,
    response_format: format,
    ...rest
  } = body;
  const others = Object.entries(rest).filter(([name]) => !Object.hasOwn(OPTIONS, name));
  const moved = Object.entries(rest).flatMap(([name, value]) =>
    Object.hasOwn(OPTIONS, name) ? [[OPTIONS[name] ?? name, value] as const] : [],
  );
  const all: JsonObject = {
    ...(window !== undefined && { num_ctx: window }),
    ...Object.fromEntries(moved),
    ...(isJsonObject(options) && options),
  };
  return {
    // A long prompt is refused with a reason, not cut silently.
    truncate: false,
    shift: false,
    ...(effort !== undefined && { think: effort === 'none' ? false : effort }),
    ...(format !== undefined && { format: formatOf(format) }),
    ...Object.fromEntries(others),
    messages: ollamaMessages(Array.isArray(messages) ? (messages as readonly Json[]) : []),
    ...(Object.keys(all).length > 0 && { options: all }),
  };
}

/** `json`, or the bare schema. */
function formatOf(format: Json): Json {
  const schema =
    isJsonObject(format) && isJsonObject(format['json_schema']) ? format['json_schema']['schema'] : undefined;
  return schema ?? 'json';
}

function ollamaMessages(messages: readonly Json[]): readonly Json[] {
  const names = new Map<string, string>();
  return messages.flatMap((message) => {
    if (!isJsonObject(message)) return [];
    const {
      role,
      content,
      tool_calls: calls,
      tool_call_id: id,
      reasoning,
      reasoning_content: thoughts,
    } = message;
    const { text, images } = contentOf(content);
    const thinking = reasoning ?? thoughts;
    const toolCalls = (Array.isArray(calls) ? (calls as readonly Json[]) : []).flatMap((call) => {
      if (!isJsonObject(call) || !isJsonObject(call['function'])) return [];
      const { name, arguments: args } = call['function'];
      if (typeof call['id'] === 'string' && typeof name === 'string') names.set(call['id'], name);
      // Anything but an object is refused.
      const value = typeof args === 'string' ? parseObject(args) : undefined;
      return [{ id: call['id'] ?? '', function: { name: name ?? '', arguments: value ?? {} } }];
    });
    return [
      {
        role: role ?? 'user',
        content: text,
        ...(typeof thinking === 'string' && thinking !== '' && { thinking }),
        ...(images.length > 0 && { images }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        ...(typeof id === 'string' && { tool_call_id: id, tool_name: names.get(id) ?? '' }),
      },
    ];
  });
}

/** Images are base64 without the prefix of a data URI. */
function contentOf(content: Json | undefined): { readonly text: string; readonly images: readonly string[] } {
  if (!Array.isArray(content)) return { text: typeof content === 'string' ? content : '', images: [] };
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of content as readonly Json[]) {
    if (!isJsonObject(part)) continue;
    if (typeof part['text'] === 'string') texts.push(part['text']);
    const image = part['image_url'];
    const url = isJsonObject(image) ? image['url'] : undefined;
    if (typeof url === 'string') images.push(url.replace(/^data:[^,]*,/, ''));
  }
  return { text: texts.join('\n'), images };
}

/** Maximum characters of a line. */
const LINE = 4 * 1024 * 1024;

/** Converts lines of JSON to events of the Chat Completions API. */
function linesToEvents(): TransformStream<Bytes, Bytes> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reply = new OllamaReply();
  let rest = '';
  const send = (line: string, controller: TransformStreamDefaultController<Bytes>): void => {
    for (const event of reply.read(line)) controller.enqueue(encoder.encode(`data: ${event}\n\n`));
  };
  return new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      const text = decoder.decode(piece, { stream: true });
      const lines = text.split('\n');
      lines[0] = rest + (lines[0] ?? '');
      rest = lines.pop() ?? '';
      for (const line of lines) send(line, controller);
      if (rest.length > LINE) controller.error(new TooLarge('A line without an end.'));
    },
    flush(controller) {
      send(rest + decoder.decode(), controller);
    },
  });
}

/** Converts one reply of Ollama, line by line, to chunks of the other API. */
class OllamaReply {
  private calls = 0;
  private readonly mark = Date.now().toString(36);

  read(line: string): readonly string[] {
    if (line.trim() === '') return [];
    const said = parseObject(line);
    // The client reports a line that is not JSON like such an event.
    if (!said) return [line.trim()];
    if (said['error'] !== undefined) return [JSON.stringify({ error: errorOf(said['error']) })];
    const delta = this.delta(isJsonObject(said['message']) ? said['message'] : {});
    const events = Object.keys(delta).length > 0 ? [choice(delta, null)] : [];
    if (said['done'] !== true) return events;
    return [
      ...events,
      choice({}, this.reason(said['done_reason'])),
      JSON.stringify({ choices: [], usage: usageOf(said) }),
      '[DONE]',
    ];
  }

  private delta({ content, thinking, tool_calls: calls }: JsonObject): JsonObject {
    const toolCalls = (Array.isArray(calls) ? (calls as readonly Json[]) : []).flatMap((call) =>
      this.call(call),
    );
    return {
      ...(typeof thinking === 'string' && thinking !== '' && { reasoning: thinking }),
      ...(typeof content === 'string' && content !== '' && { content }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    };
  }

  /** Calls arrive complete. Some versions number each of them 0, and older ones give no id. */
  private call(call: Json): readonly JsonObject[] {
    if (!isJsonObject(call) || !isJsonObject(call['function'])) return [];
    const { name, arguments: args = {} } = call['function'];
    const index = this.calls++;
    const id =
      typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call_${this.mark}_${index}`;
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return [{ index, id, type: 'function', function: { name: name ?? '', arguments: text } }];
  }

  private reason(said: Json | undefined): string {
    if (said === 'length') return 'length';
    return this.calls > 0 ? 'tool_calls' : 'stop';
  }
}

function errorOf(error: Json): Json {
  return typeof error === 'string' ? { message: error } : error;
}

function choice(delta: JsonObject, reason: string | null): string {
  return JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] });
}

function usageOf({
  prompt_eval_count: read,
  eval_count: written,
  prompt_eval_cached_count: cached,
}: JsonObject): JsonObject {
  const known = count(cached);
  return {
    // Older versions count only uncached tokens.
    prompt_tokens: count(read) < known ? count(read) + known : count(read),
    completion_tokens: count(written),
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: known } }),
  };
}

function count(value: Json | undefined): number {
  return typeof value === 'number' && value >= 0 ? value : 0;
}
