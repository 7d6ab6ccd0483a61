import { isJsonObject, type JsonObject } from '../../../src/base/json';
import { listIn, sealed, wordOf, type Imitation, type StrictAnswer, type StrictRequest } from './strict-api';

const FIELDS = new Set([
  ...['model', 'max_tokens', 'system', 'messages', 'stream', 'tools', 'tool_choice', 'stop_sequences'],
  ...['temperature', 'top_p', 'top_k', 'thinking', 'output_config', 'metadata'],
]);

interface MessagesRules {
  readonly key?: string;
  /** The key has to be a bearer token. */
  readonly isBearer?: boolean;
  readonly mostTokens?: number;
  /** The model knows only budgets of thinking. */
  readonly isOlder?: boolean;
}

/**
 * Anthropic's Messages API: checks what the vendor checks, in its words. Each question is answered with thinking and two
 * parallel calls, and their results with thinking and a text.
 */
export class StrictMessages implements Imitation {
  readonly api = 'messages';
  /** Thinking blocks of its replies, by the ids of their calls. */
  private readonly written = new Map<string, readonly JsonObject[]>();
  private readonly seals = new Set<string>();
  private replies = 0;

  constructor(private readonly rules: MessagesRules = {}) {}

  answer(request: StrictRequest): StrictAnswer {
    const refusal = this.refusal(request);
    if (refusal !== undefined) return refused(400, 'invalid_request_error', refusal);
    const { key, isBearer = false } = this.rules;
    const { authorization, 'x-api-key': given } = request.headers;
    const isRight = isBearer
      ? authorization === `Bearer ${key}`
      : given === key && authorization === undefined;
    if (key !== undefined && !isRight) return refused(401, 'authentication_error', 'invalid x-api-key');
    return { events: this.events(request.body) };
  }

  private refusal({ headers, body }: StrictRequest): string | undefined {
    const { messages, max_tokens: most, thinking, output_config: config, model = '' } = body;
    const { mostTokens = Infinity, isOlder = false } = this.rules;
    if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required';
    const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
    if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
    if (typeof most !== 'number') return 'max_tokens: Field required';
    if (most > mostTokens)
      return `max_tokens: ${most} > ${mostTokens}, which is the maximum allowed number of output tokens for ${wordOf(model)}`;
    if (isOlder && isJsonObject(thinking) && thinking['type'] === 'adaptive')
      return 'adaptive thinking is not supported on this model';
    if (isOlder && config !== undefined)
      return 'output_config.effort: This model does not support the effort parameter.';
    const budget = isJsonObject(thinking) ? thinking['budget_tokens'] : undefined;
    if (typeof budget === 'number' && budget >= most)
      return '`max_tokens` must be greater than `thinking.budget_tokens`.';
    const isThinking = isJsonObject(thinking) && thinking['type'] !== 'disabled';
    if (isThinking && body['temperature'] !== undefined && body['temperature'] !== 1)
      return '`temperature` may only be set to 1 when thinking is enabled.';
    const marks = JSON.stringify(body).split('"cache_control"').length - 1;
    if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
    return this.refusedMessages(listIn(messages), budget !== undefined);
  }

  private refusedMessages(messages: readonly JsonObject[], hasBudget: boolean): string | undefined {
    if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role';
    const ids = new Set<string>();
    for (const [at, { role, content }] of messages.entries()) {
      const blocks = listIn(content);
      if (role === messages[at - 1]?.['role'])
        return 'messages: roles must alternate between "user" and "assistant"';
      if (blocks.length === 0) return `messages.${at}: all messages must have non-empty content`;
      const blank = blocks.find(({ type, text }) => type === 'text' && wordOf(text).trim() === '');
      if (blank) return 'messages: text content blocks must be non-empty';
      const refused =
        role === 'user'
          ? refusedResults(blocks, at, callsOf(messages[at - 1]))
          : this.refusedReply(blocks, at, ids, messages[at + 1]);
      if (refused !== undefined) return refused;
    }
    return this.refusedLast(messages, hasBudget);
  }

  private refusedReply(
    blocks: readonly JsonObject[],
    at: number,
    ids: Set<string>,
    next: JsonObject | undefined,
  ): string | undefined {
    for (const [place, block] of blocks.entries()) {
      const where = `messages.${at}.content.${place}`;
      if (block['type'] === 'thinking' && !this.seals.has(JSON.stringify(block)))
        return `${where}: Invalid \`signature\` in \`thinking\` block`;
      if (block['type'] === 'redacted_thinking' && !this.seals.has(JSON.stringify(block)))
        return `${where}: Invalid \`data\` in \`redacted_thinking\` block`;
      if (block['type'] !== 'tool_use') continue;
      const id = wordOf(block['id']);
      if (!/^[\w-]+$/.test(id)) return `${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      if (!isJsonObject(block['input'])) return `${where}.tool_use.input: Input should be a valid dictionary`;
      if (ids.has(id)) return 'messages: `tool_use` ids must be unique';
      ids.add(id);
      const answered = listIn(next?.['content']).some(({ tool_use_id: to }) => to === id);
      if (!answered)
        return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    return undefined;
  }

  /** Between a call and the answer, the thinking of the call is needed. */
  private refusedLast(messages: readonly JsonObject[], hasBudget: boolean): string | undefined {
    const [reply, results] = messages.slice(-2);
    if (listIn(results?.['content'])[0]?.['type'] !== 'tool_result') return undefined;
    const blocks = listIn(reply?.['content']);
    const at = messages.length - 2;
    const own = this.written.get(wordOf(callsOf(reply)[0]));
    const first = wordOf(blocks[0]?.['type']);
    if (own && JSON.stringify(blocks.filter(isThinking)) !== JSON.stringify(own))
      return `messages.${at}.content.0: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
    if (hasBudget && !first.includes('thinking'))
      return `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`;
    return undefined;
  }

  private events(body: JsonObject): readonly JsonObject[] {
    const number = ++this.replies;
    const last = listIn(listIn(body['messages']).at(-1)?.['content']);
    const isAnswer = body['tools'] === undefined || last.some(({ type }) => type === 'tool_result');
    const thinking = { type: 'thinking', thinking: `Thought ${number}.`, signature: sealed(`${number}`) };
    const redacted = { type: 'redacted_thinking', data: sealed(`hidden ${number}`) };
    for (const block of [thinking, redacted]) this.seals.add(JSON.stringify(block));
    const calls = ['a', 'b'].map((letter) => ({
      type: 'tool_use',
      id: `toolu_${number}${letter}`,
      name: 'echo',
      input: { text: `${letter}${number}` },
    }));
    const text = { type: 'text', text: isAnswer ? `Answer ${number}.` : `Looking ${number}.` };
    const blocks = isAnswer ? [thinking, text] : [thinking, redacted, text, ...calls];
    for (const { id } of calls) this.written.set(id, isAnswer ? [thinking] : [thinking, redacted]);
    return [
      {
        type: 'message_start',
        message: {
          ...{ id: `msg_${number}`, type: 'message', role: 'assistant', content: [], stop_reason: null },
          usage: {
            input_tokens: 10,
            cache_creation_input_tokens: 200,
            cache_read_input_tokens: 3000,
            output_tokens: 1,
          },
        },
      },
      { type: 'ping' },
      ...blocks.flatMap(blockEvents),
      { type: 'vendor_event_of_tomorrow', value: 1 },
      {
        type: 'message_delta',
        delta: { stop_reason: isAnswer ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { output_tokens: 42 },
      },
      { type: 'message_stop' },
    ];
  }
}

function refusedResults(
  blocks: readonly JsonObject[],
  at: number,
  calls: readonly string[],
): string | undefined {
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const stray = results.find(({ tool_use_id: id }) => !calls.includes(wordOf(id)));
  if (stray)
    return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${wordOf(stray['tool_use_id'])}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  const isFirst = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result');
  return isFirst
    ? undefined
    : `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after.`;
}

function callsOf(message: JsonObject | undefined): readonly string[] {
  return listIn(message?.['content']).flatMap(({ type, id }) => (type === 'tool_use' ? [wordOf(id)] : []));
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** In pieces, as the vendor streams them. */
function blockEvents(block: JsonObject, index: number): readonly JsonObject[] {
  const delta = (value: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta: value });
  const start = (head: JsonObject): JsonObject => ({
    type: 'content_block_start',
    index,
    content_block: head,
  });
  const stop = { type: 'content_block_stop', index };
  switch (block['type']) {
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...halves(wordOf(block['text'])).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ];
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...halves(wordOf(block['thinking'])).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: wordOf(block['signature']) }),
        stop,
      ];
    case 'tool_use':
      return [
        start({ ...block, input: {} }),
        ...['', ...halves(JSON.stringify(block['input']))].map((json) =>
          delta({ type: 'input_json_delta', partial_json: json }),
        ),
        stop,
      ];
    default:
      return [start(block), stop];
  }
}

function halves(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function refused(status: number, type: string, message: string): StrictAnswer {
  return { status, json: { type: 'error', error: { type, message } } };
}
