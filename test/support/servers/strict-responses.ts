import { isJsonObject, type JsonObject } from '../../../src/base/json';
import { listIn, sealed, wordOf, type Imitation, type StrictAnswer, type StrictRequest } from './strict-api';

const FIELDS = new Set([
  ...['model', 'instructions', 'input', 'stream', 'store', 'include', 'tools', 'tool_choice', 'metadata'],
  ...['parallel_tool_calls', 'max_output_tokens', 'temperature', 'top_p', 'reasoning', 'text', 'user'],
]);

interface ResponsesRules {
  readonly key?: string;
  /** The model does not reason. */
  readonly isPlain?: boolean;
}

/**
 * OpenAI's Responses API without storage: checks what the vendor checks, in its words. Each question is answered with
 * reasoning and two parallel calls, and their results with reasoning and a text.
 */
export class StrictResponses implements Imitation {
  readonly api = 'responses';
  /** Items of its replies by id, and the item behind them. */
  private readonly written = new Map<
    string,
    { readonly item: JsonObject; readonly next: string | undefined }
  >();
  /** The reasoning that led to an item. */
  private readonly reasons = new Map<string, string>();
  private replies = 0;

  constructor(private readonly rules: ResponsesRules = {}) {}

  answer({ headers, body }: StrictRequest): StrictAnswer {
    const { key, isPlain = false } = this.rules;
    if (key !== undefined && headers.authorization !== `Bearer ${key}`)
      return refused(401, 'Incorrect API key provided: k***.', 'invalid_api_key');
    const refusal = this.refusal(body) ?? (isPlain ? refusedReasoning(body) : undefined);
    return refusal === undefined ? { events: this.events(body) } : refused(400, refusal);
  }

  private refusal(body: JsonObject): string | undefined {
    const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
    if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`;
    if (body['store'] !== false) return 'Items are not persisted when `store` is set to false.';
    const loose = listIn(body['tools']).find((tool) => tool['strict'] !== false);
    if (loose)
      return `Invalid schema for function '${wordOf(loose['name'])}': 'required' is required to be supplied.`;
    return this.refusedInput(listIn(body['input']));
  }

  private refusedInput(input: readonly JsonObject[]): string | undefined {
    const ids = new Set<string>();
    const calls = new Set<string>();
    for (const [at, item] of input.entries()) {
      const { type, id, call_id: call, role } = item;
      if (typeof id === 'string') {
        if (ids.has(id))
          return `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`;
        ids.add(id);
        const known = this.written.get(id);
        if (!known)
          return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`;
        if (JSON.stringify(known.item) !== JSON.stringify(item))
          return `The encrypted content for item ${id} could not be verified.`;
        if (type === 'reasoning' && input[at + 1]?.['id'] !== known.next)
          return `Item '${id}' of type 'reasoning' was provided without its required following item.`;
        const reason = this.reasons.get(id);
        if (reason !== undefined && !ids.has(reason))
          return `Item '${id}' of type '${wordOf(type)}' was provided without its required 'reasoning' item: '${reason}'.`;
      } else if (type === 'reasoning') return `Missing required parameter: 'input[${at}].id'.`;
      if (type === 'function_call') {
        if (wordOf(call).length > 64)
          return `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length 64, but got a string with length ${wordOf(call).length} instead.`;
        if (calls.has(wordOf(call))) return `Duplicate function call with call_id ${wordOf(call)}.`;
        calls.add(wordOf(call));
        if (
          !input.slice(at).some((each) => each['type'] === 'function_call_output' && each['call_id'] === call)
        )
          return `No tool output found for function call ${wordOf(call)}.`;
      } else if (type === 'function_call_output') {
        if (!calls.has(wordOf(call)))
          return `No tool call found for function call output with call_id ${wordOf(call)}.`;
      } else if (type === 'message') {
        const wanted = role === 'assistant' ? 'output_text' : 'input_text';
        const other = listIn(item['content']).find(
          (part) => part['type'] !== wanted && part['type'] !== 'input_image',
        );
        if (other) return `Invalid value: '${wordOf(other['type'])}'. Supported values are: '${wanted}'.`;
      } else if (type !== 'reasoning') return `Invalid value: '${wordOf(type)}'.`;
    }
    return undefined;
  }

  private events(body: JsonObject): readonly JsonObject[] {
    const number = ++this.replies;
    const isAnswer =
      body['tools'] === undefined || listIn(body['input']).at(-1)?.['type'] === 'function_call_output';
    const head = (type: string, id: string): JsonObject => ({ id, type, status: 'completed' });
    const reasoning: JsonObject = {
      ...{ id: `rs_${number}`, type: 'reasoning', encrypted_content: sealed(`${number}`) },
      summary: [{ type: 'summary_text', text: `Thought ${number}.` }],
    };
    const text = isAnswer ? `Answer ${number}.` : `Looking ${number}.`;
    const message: JsonObject = {
      ...{ ...head('message', `msg_${number}`), role: 'assistant', phase: 'commentary' },
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    };
    const calls = ['a', 'b'].map((letter): JsonObject => {
      const args = JSON.stringify({ text: `${letter}${number}` });
      return {
        ...{ ...head('function_call', `fc_${number}${letter}`), call_id: `call_${number}${letter}` },
        ...{ name: 'echo', arguments: args },
      };
    });
    const items = isAnswer ? [reasoning, message] : [reasoning, message, ...calls];
    for (const [at, item] of items.entries()) {
      const next = items[at + 1]?.['id'];
      this.written.set(wordOf(item['id']), { item, next: next === undefined ? undefined : wordOf(next) });
      if (item !== reasoning) this.reasons.set(wordOf(item['id']), `rs_${number}`);
    }
    const response = { id: `resp_${number}`, object: 'response', model: wordOf(body['model']), error: null };
    const usage = {
      ...{ input_tokens: 3210, input_tokens_details: { cached_tokens: 3000 }, output_tokens: 42 },
      ...{ output_tokens_details: { reasoning_tokens: 7 }, total_tokens: 3252 },
    };
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.in_progress', response: { ...response, status: 'in_progress', output: [] } },
      ...items.flatMap(itemEvents),
      { type: 'response.event_of_tomorrow', value: 1 },
      { type: 'response.completed', response: { ...response, status: 'completed', output: items, usage } },
    ];
  }
}

function refusedReasoning(body: JsonObject): string | undefined {
  const { reasoning, include } = body;
  if (Array.isArray(include) && include.length > 0)
    return 'Encrypted content is not supported with this model.';
  return isJsonObject(reasoning)
    ? "Unsupported parameter: 'reasoning.effort' is not supported with this model."
    : undefined;
}

/** In pieces, as the vendor streams them. */
function itemEvents(item: JsonObject, place: number): readonly JsonObject[] {
  const at = { item_id: wordOf(item['id']), output_index: place };
  const added = (empty: JsonObject): JsonObject => ({
    ...{ type: 'response.output_item.added', output_index: place },
    item: { ...item, ...empty },
  });
  const done = { type: 'response.output_item.done', output_index: place, item };
  const pieces = (type: string, text: string): readonly JsonObject[] => {
    const middle = Math.floor(text.length / 2);
    return [text.slice(0, middle), text.slice(middle)].map((delta) => ({ type, ...at, delta }));
  };
  switch (item['type']) {
    case 'reasoning': {
      const text = wordOf(listIn(item['summary'])[0]?.['text']);
      const part = { type: 'response.reasoning_summary_part.added', ...at, summary_index: 0 };
      return [added({ summary: [] }), part, ...pieces('response.reasoning_summary_text.delta', text), done];
    }
    case 'message': {
      const text = wordOf(listIn(item['content'])[0]?.['text']);
      return [added({ content: [] }), ...pieces('response.output_text.delta', text), done];
    }
    default:
      return [
        added({ arguments: '' }),
        ...pieces('response.function_call_arguments.delta', wordOf(item['arguments'])),
        { type: 'response.function_call_arguments.done', ...at, arguments: wordOf(item['arguments']) },
        done,
      ];
  }
}

function refused(status: number, message: string, code = 'invalid_request_error'): StrictAnswer {
  return { status, json: { error: { message, type: 'invalid_request_error', param: null, code } } };
}
