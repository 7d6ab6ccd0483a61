import type { JsonObject } from '../../../src/base/json';
import { listIn, type Imitation, type StrictAnswer, type StrictRequest } from './strict-api';

const FIELDS = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'reasoning_effort'],
  ...['temperature', 'top_p', 'max_completion_tokens'],
]);
const MESSAGE_FIELDS = new Set(['role', 'content', 'tool_calls', 'tool_call_id']);

/**
 * OpenAI's Chat Completions API, as strict. Each question is answered with two parallel calls, and their results with a
 * text. A deployment of Azure takes its own header only.
 */
export class StrictChat implements Imitation {
  readonly api = 'chat';
  private replies = 0;

  constructor(private readonly rules: { readonly azureKey?: string } = {}) {}

  answer({ url, headers, body }: StrictRequest): StrictAnswer {
    const { azureKey } = this.rules;
    if (azureKey !== undefined) {
      if (!url.includes('?api-version=')) return refused(404, 'Resource not found');
      if (headers.authorization !== undefined)
        return refused(401, 'Access denied due to invalid bearer token.');
      if (headers['api-key'] !== azureKey)
        return refused(401, 'Access denied due to invalid subscription key.');
    }
    const refusal = refusalOf(body);
    return refusal === undefined ? { events: this.events(body) } : refused(400, refusal);
  }

  private events(body: JsonObject): readonly JsonObject[] {
    const number = ++this.replies;
    const isAnswer = body['tools'] === undefined || listIn(body['messages']).at(-1)?.['role'] === 'tool';
    const choice = (delta: JsonObject, reason: string | null = null): JsonObject => ({
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const calls = ['a', 'b'].map((letter, index) => ({
      ...{ index, id: `call_chat_${number}${letter}`, type: 'function' },
      function: { name: 'echo', arguments: JSON.stringify({ text: `${letter}${number}` }) },
    }));
    return [
      choice({ role: 'assistant', content: isAnswer ? `Answer ${number}.` : `Looking ${number}.` }),
      ...(isAnswer ? [] : [choice({ tool_calls: calls })]),
      choice({}, isAnswer ? 'stop' : 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 3210, completion_tokens: 42 } },
    ];
  }
}

function refusalOf(body: JsonObject): string | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  const messages = listIn(body['messages']);
  for (const [at, message] of messages.entries()) {
    const extra = Object.keys(message).find((name) => !MESSAGE_FIELDS.has(name));
    if (extra !== undefined)
      return `Additional properties are not allowed ('${extra}' was unexpected) - 'messages.${at}'`;
    const ids = listIn(message['tool_calls']).map(({ id }) => id);
    const answered = messages.slice(at + 1, at + 1 + ids.length).map(({ tool_call_id: id }) => id);
    if (JSON.stringify(ids) !== JSON.stringify(answered))
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.`;
  }
  return undefined;
}

function refused(status: number, message: string): StrictAnswer {
  return { status, json: { error: { message, type: 'invalid_request_error', param: null, code: null } } };
}
