import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json';
import { BadRequest } from '../../../src/gateway/gateway-request';
import {
  MessagesEvents,
  messagesError,
  messagesReply,
  readMessagesRequest,
} from '../../../src/gateway/messages-api';
import type { ClientEvent } from '../../../src/gateway/relay';
import { caseCount } from '../../hosts/random-cases';
import { clientCall, turnLine } from '../../support/agent/gateway-harness';

const QUESTION = { role: 'user', content: 'Go.' };
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } });
const image = (source: JsonObject): JsonObject => ({ type: 'image', source });
const PNG = { type: 'base64', media_type: 'image/png', data: 'AAAA' };

const conversations: readonly {
  readonly name: string;
  readonly messages: readonly Json[];
  readonly system?: Json;
  readonly instructions?: string;
  readonly expect: readonly string[];
}[] = [
  {
    name: 'instructions as text',
    system: 'Be brief.',
    messages: [QUESTION],
    instructions: 'Be brief.',
    expect: ['user "Go."'],
  },
  {
    name: 'instructions as blocks, without the line for accounts',
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1; cch=a3f;' },
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be kind.' },
    ],
    messages: [QUESTION],
    instructions: 'Be brief.\n\nBe kind.',
    expect: ['user "Go."'],
  },
  {
    name: 'instructions that begin with the line for accounts',
    system: 'x-anthropic-billing-header: cc_version=2.1;\nBe brief.',
    messages: [QUESTION],
    instructions: 'Be brief.',
    expect: ['user "Go."'],
  },
  {
    name: 'calls, and their results before what the user says',
    messages: [
      QUESTION,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'So:' },
          use('1'),
          use('2'),
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '2', content: [{ type: 'text', text: 'No.' }], is_error: true },
          { type: 'tool_result', tool_use_id: '1', content: 'Yes.', is_error: false },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    expect: [
      'user "Go."',
      'reply text "So:", call 1 read {"path":"a"}, call 2 read {"path":"a"}',
      'results 1 read success "Yes.", 2 read error "No."',
      'user "And?"',
    ],
  },
  {
    name: 'images of the user and of results',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See.' },
          image(PNG),
          image({ type: 'url', url: 'https://example.com/a.png' }),
        ],
      },
      { role: 'assistant', content: [use('1')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: [image(PNG)] }] },
    ],
    expect: [
      'user "See." image/png AAAA, image/png https://example.com/a.png',
      'reply call 1 read {"path":"a"}',
      'results 1 read success "" image/png AAAA',
    ],
  },
  {
    name: 'a document of text, and a result without content',
    messages: [
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A.' } }],
      },
      { role: 'assistant', content: [use('1')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1' }] },
    ],
    expect: ['user "A."', 'reply call 1 read {"path":"a"}', 'results 1 read success ""'],
  },
];

const SEARCH = [
  { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 's',
    content: [{ type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'x' }],
  },
];

/** What the user, a result and a reply say if a block is in them; reasoning and calls are not among these. */
const blocks: readonly { readonly blocks: readonly Json[]; readonly expect: string }[] = [
  { blocks: [{ type: 'tool_reference', tool_name: 'FindPage' }], expect: '[tool reference: FindPage]' },
  {
    blocks: [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } }],
    expect: '[document: application/pdf, content not shown]',
  },
  {
    blocks: [{ type: 'document', title: 'Plan', source: { type: 'url', url: 'https://a.example/b.pdf' } }],
    expect: '[document: Plan, https://a.example/b.pdf]',
  },
  {
    blocks: [{ type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'xyz' }] } }],
    expect: 'xyz',
  },
  {
    blocks: [{ type: 'search_result', source: 's', title: 'T', content: [{ type: 'text', text: 'xyz' }] }],
    expect: '[search result: T, s]\nxyz',
  },
  {
    blocks: [{ type: 'text', text: 'So:' }, ...SEARCH, { type: 'text', text: 'Yes.' }],
    expect:
      'So:\n[server tool use: web_search, {"query":"q"}]\n[web search result: A, https://a.example, content not shown]\nYes.',
  },
  {
    blocks: [{ type: 'mcp_tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'Done.' }] }],
    expect: 'Done.',
  },
  {
    blocks: [{ type: 'web_search_tool_result', content: { type: 'error', error_code: 'too_many' } }],
    expect: '[error: too_many]',
  },
  {
    blocks: [
      {
        type: 'bash_code_execution_tool_result',
        content: {
          type: 'bash_code_execution_result',
          stdout: '42',
          stderr: '',
          return_code: 0,
          content: [],
        },
      },
    ],
    expect: '42',
  },
  {
    blocks: [
      {
        type: 'tool_search_tool_result',
        content: {
          type: 'tool_search_tool_search_result',
          tool_references: [{ type: 'tool_reference', tool_name: 'FindPage' }],
        },
      },
    ],
    expect: '[tool reference: FindPage]',
  },
  { blocks: [{ type: 'compaction', content: 'So far.' }], expect: 'So far.' },
  {
    blocks: [{ type: 'container_upload', file_id: 'f1' }],
    expect: '[container upload: f1, content not shown]',
  },
  {
    blocks: [{ type: 'image', source: { type: 'file', file_id: 'f' } }],
    expect: '[image: f, content not shown]',
  },
  { blocks: [{ type: 'video' }], expect: '[video]' },
  { blocks: ['plain'], expect: 'plain' },
];

describe('a block that is neither text nor an image', () => {
  const textIn = (messages: readonly Json[], at: number): string => {
    const turn = readMessagesRequest({ messages }).turns[at]!;
    if (turn.type === 'user') return turn.text;
    if (turn.type === 'results') return turn.results[0]!.result;
    return turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  };

  for (const { blocks: content, expect } of blocks) {
    it(`becomes a note: ${JSON.stringify(expect)}`, () => {
      assert.equal(textIn([{ role: 'user', content }], 0), expect);
      assert.equal(textIn([QUESTION, { role: 'assistant', content }], 1), expect);
      const called = [QUESTION, { role: 'assistant', content: [use('1')] }];
      const result = { type: 'tool_result', tool_use_id: '1', content };
      assert.equal(textIn([...called, { role: 'user', content: [result] }], 2), expect);
    });
  }

  it('never refuses the request, whatever it is', () => {
    const name = fc.constantFrom(
      'type',
      'text',
      'source',
      'content',
      'data',
      'url',
      'file',
      'title',
      'input',
    );
    const type = fc.constantFrom('image', 'document', 'image_url', 'search_result', 'thinking', 'x');
    const { block } = fc.letrec<{ block: Json }>((tie) => ({
      block: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(type, fc.string(), fc.integer(), fc.constant(null)),
        fc.array(tie('block'), { maxLength: 3 }),
        fc.dictionary(name, fc.oneof(type, tie('block')), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(block), (content) => {
        const { turns } = readMessagesRequest({ messages: [{ role: 'user', content }] });
        assert.equal(turns.length, 1);
      }),
      { numRuns: caseCount(500) },
    );
  });
});

describe('a request of the Messages API', () => {
  for (const { name, messages, system = null, instructions = '', expect } of conversations) {
    it(`holds ${name}`, () => {
      const request = readMessagesRequest({ messages, ...(system !== null && { system }) });
      assert.deepEqual(request.turns.map(turnLine), expect);
      assert.equal(request.instructions, instructions);
    });
  }

  const tools = [
    { name: 'read', description: 'Reads.', input_schema: { type: 'object' } },
    { type: 'custom', name: 'write', input_schema: { type: 'object' } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
  ];

  for (const [choice, names, needsCall, isSingle] of [
    [null, ['read', 'write'], false, false],
    [{ type: 'auto', disable_parallel_tool_use: true }, ['read', 'write'], false, true],
    [{ type: 'any' }, ['read', 'write'], true, false],
    [{ type: 'none' }, [], false, false],
    [{ type: 'tool', name: 'write', disable_parallel_tool_use: true }, ['write'], true, true],
  ] as const) {
    it(`takes ${JSON.stringify(choice)} as a choice of tools`, () => {
      const request = readMessagesRequest({ messages: [QUESTION], tools, tool_choice: choice });
      assert.deepEqual(
        request.tools.map(({ name }) => name),
        names,
      );
      assert.deepEqual([request.needsCall, request.isSingle], [needsCall, isSingle]);
    });
  }

  for (const [result, names] of [
    ['Nothing.', ['ToolSearch']],
    [[{ type: 'tool_reference', tool_name: 'Fetch' }], ['ToolSearch', 'Fetch']],
  ] as const) {
    it(`offers ${names.join(' and ')} if the search for tools found ${JSON.stringify(result)}`, () => {
      const search = { type: 'tool_use', id: '1', name: 'ToolSearch', input: { query: 'select:Fetch' } };
      const request = readMessagesRequest({
        messages: [
          QUESTION,
          { role: 'assistant', content: [search] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: result }] },
        ],
        tools: [
          { name: 'ToolSearch', input_schema: { type: 'object' } },
          { name: 'Fetch', input_schema: { type: 'object' }, defer_loading: true },
          { name: 'Placeholder', input_schema: { type: 'object' }, defer_loading: true },
        ],
      });
      assert.deepEqual(
        request.tools.map(({ name }) => name),
        names,
      );
    });
  }

  for (const body of [
    { output_config: { format: { type: 'json_schema', schema: { type: 'object' } }, effort: 'low' } },
    { output_format: { type: 'json_schema', schema: { type: 'object' } } },
  ]) {
    it(`carries the form of the answer over: ${Object.keys(body).join()}`, () => {
      assert.deepEqual(readMessagesRequest({ messages: [QUESTION], ...body }).rest, {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object' } },
        },
      });
    });
  }

  it('carries over what the Chat Completions API knows, and nothing else', () => {
    const { rest, stop, isStreamed } = readMessagesRequest({
      model: 'claude',
      messages: [QUESTION],
      max_tokens: 9,
      temperature: 1,
      top_p: 0.5,
      stop_sequences: ['x'],
      stream: true,
      ...{ top_k: 3, metadata: { user_id: 'u' }, thinking: { type: 'enabled', budget_tokens: 5 } },
    });
    assert.deepEqual(rest, { max_tokens: 9, temperature: 1, top_p: 0.5 });
    assert.deepEqual(stop, ['x']);
    assert.equal(isStreamed, true);
  });

  for (const [body, sentence] of [
    [{}, /"messages" must be a list/],
    [{ messages: [] }, /"messages" must be a list/],
    [{ messages: ['x'] }, /"messages\[0\]\.role"/],
    [{ messages: [{ role: 'tool', content: 'x' }] }, /"messages\[0\]\.role"/],
    [{ messages: [{ role: 'assistant', content: [{ type: 'tool_use' }] }] }, /A call of "messages\[0\]"/],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }, /A result of "messages\[0\]"/],
    [{ messages: [QUESTION], tools: [{ input_schema: {} }] }, /"tools\[0\]" has no name/],
    [{ messages: [QUESTION], tools: 7 }, /"tools" must be a list/],
    [{ messages: [QUESTION], tools, tool_choice: { type: 'tool', name: 'fly' } }, /"tool_choice"/],
  ] as const) {
    it(`refuses ${JSON.stringify(body).slice(0, 80)}`, () => {
      assert.throws(
        () => readMessagesRequest(body),
        (error) => error instanceof BadRequest && sentence.test(error.message),
      );
    });
  }
});

const HEAD = { id: 'msg_1', created: 5, model: 'm' };
const text = (said: string): ClientEvent => ({ type: 'text', text: said });
const USED: ClientEvent = {
  type: 'usage',
  usage: { inputTokens: 10, outputTokens: 3, cachedTokens: 4 },
  isEstimated: false,
};
const end = (reason: 'stop' | 'length' | 'tool-calls' | 'content-filter'): ClientEvent => ({
  type: 'end',
  reason,
});

/** An event in one line. */
function line({ type, index, content_block: block, delta }: JsonObject): string {
  const { type: what = '', ...said } = (block ?? delta ?? {}) as JsonObject;
  const place = index === undefined ? '' : ` ${index as number}`;
  const rest = Object.keys(said).length === 0 ? '' : ` ${JSON.stringify(said)}`;
  return `${type as string}${place}${what === '' ? '' : ` ${what as string}`}${rest}`;
}

const rows: readonly {
  readonly name: string;
  readonly events: readonly ClientEvent[];
  readonly expect: readonly string[];
  /** Of the whole message. */
  readonly content: readonly JsonObject[];
  readonly reason: string;
}[] = [
  {
    name: 'text',
    events: [text('So'), text(' be it.'), USED, end('stop')],
    expect: [
      'content_block_start 0 text {"text":""}',
      'content_block_delta 0 text_delta {"text":"So"}',
      'content_block_delta 0 text_delta {"text":" be it."}',
      'content_block_stop 0',
    ],
    content: [{ type: 'text', text: 'So be it.' }],
    reason: 'end_turn',
  },
  {
    name: 'thoughts, text and calls',
    events: [
      { type: 'reasoning', text: 'Hm.' },
      text('So:'),
      clientCall('c1', 'read', { path: 'a' }),
      clientCall('c2', 'stat', {}),
      USED,
      end('tool-calls'),
    ],
    expect: [
      'content_block_start 0 thinking {"thinking":"","signature":""}',
      'content_block_delta 0 thinking_delta {"thinking":"Hm."}',
      'content_block_stop 0',
      'content_block_start 1 text {"text":""}',
      'content_block_delta 1 text_delta {"text":"So:"}',
      'content_block_stop 1',
      'content_block_start 2 tool_use {"id":"c1","name":"read","input":{}}',
      'content_block_delta 2 input_json_delta {"partial_json":"{\\"path\\":\\"a\\"}"}',
      'content_block_stop 2',
      'content_block_start 3 tool_use {"id":"c2","name":"stat","input":{}}',
      'content_block_delta 3 input_json_delta {"partial_json":"{}"}',
      'content_block_stop 3',
    ],
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'So:' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      { type: 'tool_use', id: 'c2', name: 'stat', input: {} },
    ],
    reason: 'tool_use',
  },
  {
    name: 'a reply at the length limit',
    events: [text('So'), USED, end('length')],
    expect: [
      'content_block_start 0 text {"text":""}',
      'content_block_delta 0 text_delta {"text":"So"}',
      'content_block_stop 0',
    ],
    content: [{ type: 'text', text: 'So' }],
    reason: 'max_tokens',
  },
  {
    name: 'a reply that a filter ended',
    events: [USED, end('content-filter')],
    expect: [],
    content: [],
    reason: 'refusal',
  },
  {
    name: 'text that turns out to be thoughts',
    events: [text('Maybe'), { type: 'reasoning-end', text: 'Maybe' }, text('No.'), USED, end('stop')],
    expect: [
      'content_block_start 0 text {"text":""}',
      'content_block_delta 0 text_delta {"text":"Maybe"}',
      'content_block_delta 0 text_delta {"text":"No."}',
      'content_block_stop 0',
    ],
    content: [
      { type: 'thinking', thinking: 'Maybe', signature: '' },
      { type: 'text', text: 'No.' },
    ],
    reason: 'end_turn',
  },
];

describe('a reply of the Messages API', () => {
  for (const { name, events, expect, content, reason } of rows) {
    it(`streams ${name}`, () => {
      const writer = new MessagesEvents(HEAD);
      const sent = events.flatMap((event) => writer.of(event));
      assert.deepEqual(sent.map(line), [
        'message_start',
        'ping',
        ...expect,
        `message_delta {"stop_reason":"${reason}","stop_sequence":null}`,
        'message_stop',
      ]);
      assert.deepEqual(sent.at(-2)!['usage'], USAGE);
    });

    it(`gives ${name} as a whole`, () => {
      assert.deepEqual(messagesReply(HEAD, events), {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content,
        stop_reason: reason,
        stop_sequence: null,
        usage: USAGE,
      });
    });
  }

  it('ends with an error if it fails in the middle', () => {
    const writer = new MessagesEvents(HEAD);
    const failure = { code: 'cut-off', message: 'It stopped.' } as const;
    const events: readonly ClientEvent[] = [text('So'), { type: 'failure', failure }];
    assert.deepEqual(events.flatMap((event) => writer.of(event)).at(-1), {
      type: 'error',
      error: { type: 'api_error', message: 'It stopped.' },
    });
  });

  for (const [failure, type, message] of [
    [{ code: 'unauthorized', message: 'M.' }, 'authentication_error', 'M.'],
    [{ code: 'rate-limited', message: 'M.' }, 'rate_limit_error', 'M.'],
    [{ code: 'server-error', message: 'M.', status: 529 }, 'overloaded_error', 'M.'],
    [{ code: 'too-long', message: 'M.' }, 'invalid_request_error', 'prompt is too long: M.'],
    [
      { code: 'too-long', message: 'M.', figures: { prompt: 9, window: 8 } },
      'invalid_request_error',
      'prompt is too long: 9 tokens > 8 maximum. M.',
    ],
  ] as const) {
    it(`names ${JSON.stringify(failure)} as Anthropic does`, () => {
      assert.deepEqual(messagesError(failure), { type: 'error', error: { type, message } });
    });
  }
});

const USAGE = {
  input_tokens: 6,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 4,
  output_tokens: 3,
};
