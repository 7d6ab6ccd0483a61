import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import type { Protocol } from '../../../src/core/words/protocol';
import type { EndpointReply, EndpointRequest } from './fake-endpoint';

type Message = Readonly<Record<string, unknown>> & { readonly role: string; readonly content: unknown };

/** How one vendor sends reasoning, and what it refuses in a history. */
export interface ThinkingVendor {
  readonly name: string;
  /** The model name, by which the client may recognize the vendor. */
  readonly model: string;
  /** The deltas of a reply before its calls or its answer. */
  readonly thinks: (round: number) => readonly object[];
  /** Additional fields in each call of the API. */
  readonly callExtra?: (round: number) => object;
  /** Throws if the endpoint would refuse a message that is its own reply of that round; `undefined`: a foreign one. */
  readonly accepts: (message: Message, round: number | undefined) => void;
  /** The error message of a refusal. */
  readonly refusal: string;
}

const thought = (round: number): string => `Thought ${round}, with "quotes" and <b>.`;
const hasCalls = (message: Message): boolean => Array.isArray(message['tool_calls']);
const signed = (round: number): object => ({ google: { thought_signature: `sig+${round}/==` } });

/** In pieces, like in streams. */
function inPieces(text: string, delta: (piece: string) => object): object[] {
  return (text.match(/[^]{1,9}/g) ?? []).map(delta);
}

function details(round: number): object[] {
  return [
    {
      type: 'reasoning.text',
      text: thought(round),
      format: 'anthropic-claude-v1',
      index: 0,
      signature: `s${round}`,
    },
    {
      type: 'reasoning.encrypted',
      data: `enc${round}=`,
      id: `rs_${round}`,
      format: 'openai-responses-v1',
      index: 1,
    },
  ];
}

const echoesContent = (field: string) => (message: Message, round: number | undefined) => {
  if (!hasCalls(message)) return;
  assert.equal(typeof message[field], 'string');
  if (round !== undefined) assert.equal(message[field], thought(round));
};

export const thinkingVendors: readonly ThinkingVendor[] = [
  {
    name: 'DeepSeek',
    model: 'deepseek-v4-pro',
    thinks: (round) => inPieces(thought(round), (piece) => ({ content: null, reasoning_content: piece })),
    accepts: echoesContent('reasoning_content'),
    refusal: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
  },
  {
    name: 'Kimi',
    model: 'kimi-k2.6',
    thinks: (round) => inPieces(thought(round), (piece) => ({ reasoning_content: piece })),
    accepts: echoesContent('reasoning_content'),
    refusal: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
  },
  {
    name: 'vLLM',
    model: 'Qwen/Qwen3.6-35B-A3B',
    thinks: (round) => inPieces(thought(round), (piece) => ({ reasoning: piece })),
    accepts: (message, round) => {
      if (hasCalls(message) && round !== undefined) assert.equal(message['reasoning'], thought(round));
    },
    refusal: 'reasoning lost',
  },
  {
    name: 'Gemini',
    model: 'models/gemini-3-pro',
    thinks: () => [],
    callExtra: signed,
    accepts: (message, round) => {
      const [call] = (message['tool_calls'] ?? []) as { extra_content?: object }[];
      const skipped = { google: { thought_signature: 'skip_thought_signature_validator' } };
      if (call) assert.deepEqual(call.extra_content, round === undefined ? skipped : signed(round));
    },
    refusal: 'Function call is missing a thought_signature in functionCall parts.',
  },
  {
    name: 'OpenRouter',
    model: 'anthropic/claude-sonnet-4.5',
    thinks: (round) => [
      ...inPieces(thought(round), (text) => ({
        reasoning: text,
        reasoning_details: [{ type: 'reasoning.text', text, format: 'anthropic-claude-v1', index: 0 }],
      })),
      {
        reasoning_details: [
          { type: 'reasoning.text', signature: `s${round}`, format: 'anthropic-claude-v1', index: 0 },
        ],
      },
      { reasoning_details: [details(round)[1]] },
    ],
    accepts: (message, round) => {
      if (round !== undefined) assert.deepEqual(message['reasoning_details'], details(round));
    },
    refusal: 'reasoning_details were changed',
  },
  {
    name: 'MiniMax',
    model: 'MiniMax-M2.5',
    thinks: (round) => inPieces(`<think>\n${thought(round)}\n</think>\n\n`, (content) => ({ content })),
    accepts: (message, round) => {
      if (round !== undefined)
        assert.match(String(message.content), new RegExp(`^<think>\n${thought(round)}\n</think>\n\n`));
    },
    refusal: 'the thoughts were stripped',
  },
  {
    name: 'Claude behind LiteLLM',
    model: 'claude-opus',
    thinks: (round) => [
      ...inPieces(thought(round), (thinking) => ({
        reasoning_content: thinking,
        thinking_blocks: [{ type: 'thinking', thinking, signature: '' }],
      })),
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: `s${round}` }] },
    ],
    accepts: (message, round) => {
      const blocks = [{ type: 'thinking', thinking: thought(round ?? 0), signature: `s${round}` }];
      if (round !== undefined) assert.deepEqual(message['thinking_blocks'], blocks);
    },
    refusal: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  },
  {
    name: 'Mistral',
    model: 'magistral-medium',
    thinks: (round) =>
      inPieces(thought(round), (text) => ({
        content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
      })),
    accepts: (message, round) => {
      if (round === undefined) return;
      const parts = message.content as object[];
      assert.deepEqual(parts[0], { type: 'thinking', thinking: [{ type: 'text', text: thought(round) }] });
    },
    refusal: 'content was changed',
  },
];

/** The call in a reply. */
type CallOf = (round: number) => { readonly name: string; readonly arguments: JsonObject };

const echoes: CallOf = (round) => ({ name: 'echo', arguments: { text: `t${round}` } });

/**
 * An endpoint of a vendor that calls a tool in all replies except every fifth, and refuses what the vendor would
 * refuse.
 */
export class ThinkingServer {
  private static count = 0;
  /** Ids are unique across servers. */
  private readonly serial = ++ThinkingServer.count;
  /** Number of replies so far. */
  rounds = 0;
  readonly refused: string[] = [];
  /** Rounds whose reply came with calls of the API. */
  private readonly byCall = new Map<string, number>();
  private readonly byText = new Map<string, number>();

  constructor(
    private readonly vendor: ThinkingVendor,
    /** The protocol of the replies if a request has no tools. */
    private readonly textProtocol: Protocol,
    private readonly callOf: CallOf = echoes,
  ) {}

  /** Answers a request. */
  readonly reply = ({ body }: EndpointRequest): EndpointReply => {
    const problem = this.problem(body.messages);
    if (problem !== undefined) {
      this.refused.push(problem);
      return (response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ error: { message: this.vendor.refusal, code: 'invalid_request_error' } }),
        );
      };
    }
    const round = ++this.rounds;
    const deltas = [...this.vendor.thinks(round), ...this.says(round, body.tools !== undefined)];
    const isCall = round % 5 !== 0 && body.tools !== undefined;
    return (response, tokens) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const finish = { choices: [{ index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' }] };
      const chunks = [...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })), finish];
      for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      const usage = { prompt_tokens: tokens, completion_tokens: 9 };
      response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
    };
  };

  private says(round: number, isNative: boolean): object[] {
    if (round % 5 === 0) {
      const answer = `Answer ${round}.`;
      this.byText.set(answer, round);
      return [{ content: answer }];
    }
    const call = { id: `call_${this.serial}_${round}`, ...this.callOf(round) };
    if (!isNative) {
      // A call that was made in text has no signature, wherever it appears later.
      if (!this.vendor.callExtra) this.byCall.set(call.id, round);
      this.byText.set(`${call.id}「`, round);
      const text = this.textProtocol.renderReply([{ type: 'call', call }]);
      return text.map((delta) => ({ content: delta.type === 'text' ? delta.text : '' }));
    }
    this.byCall.set(call.id, round);
    const fn = { name: call.name, arguments: JSON.stringify(call.arguments) };
    const extra = this.vendor.callExtra?.(round);
    // Like Gemini: calls have no index, and a signature may arrive alone.
    return extra
      ? [
          { tool_calls: [{ id: call.id, type: 'function', function: fn }] },
          { tool_calls: [{ extra_content: extra }] },
        ]
      : [{ tool_calls: [{ index: 0, id: call.id, type: 'function', function: fn }] }];
  }

  private problem(messages: readonly Message[]): string | undefined {
    for (const message of messages) {
      if (message.role !== 'assistant') continue;
      const [call] = (message['tool_calls'] ?? []) as { id: string }[];
      const text = [...this.byText.keys()].find((answer) => JSON.stringify(message.content).includes(answer));
      const round = call ? this.byCall.get(call.id) : this.byText.get(text ?? '');
      try {
        this.vendor.accepts(message, round);
      } catch (error) {
        if (!(error instanceof assert.AssertionError)) throw error;
        return `${JSON.stringify(message)}: ${error.message}`;
      }
    }
    return undefined;
  }
}
