import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CallIds } from '../../../src/core/reply/call-ids';
import type { ApiMessage, ApiTool } from '../../../src/gateway/api-messages';
import {
  generateWithTools,
  type GeneratedReply,
  type TextMessage,
} from '../../../src/gateway/envelope-adapter';
import { caseCount } from '../../hosts/random-cases';

const TOOLS: readonly ApiTool[] = [
  {
    type: 'function',
    function: {
      name: 'schema.list_tables',
      description: 'Lists all tables.',
      parameters: {
        type: 'object',
        properties: { database: { type: 'string', description: 'name of the database' } },
        required: ['database'],
      },
    },
  },
  {
    name: 'sql.validate',
    description: 'Checks a statement.',
    parameters: { type: 'object', properties: { sql: { type: 'string' }, limit: { type: 'integer' } } },
  },
];
const ASK: readonly ApiMessage[] = [{ role: 'user', content: 'Which tables are there?' }];

const LIST = { name: 'schema.list_tables', arguments: { database: 'retail_db' } };
const CALL = { reasoning: 'to see the tables', action: 'tool_call', tool_calls: [LIST] };
const CALL_TEXT = JSON.stringify(CALL);
const SHOWN = 'schema.list_tables {"database":"retail_db"}';

async function read(reply: unknown, messages = ASK): Promise<GeneratedReply> {
  return generateWithTools(async () => reply, messages, TOOLS);
}

/** One line a person can read. */
function summary({ content, tool_calls, errors, notes }: GeneratedReply): string {
  return [
    ...(content === '' ? [] : [`content ${JSON.stringify(content)}`]),
    ...tool_calls.map(({ function: call }) => `${call.name} ${call.arguments}`),
    ...errors.map(({ code, name }) => ['rejects', code, name].filter(Boolean).join(' ')),
    ...notes.map(({ code }) => `notes ${code}`),
  ].join(' | ');
}

const rows: { name: string; reply: unknown; expect: string }[] = [
  { name: 'reads a call', reply: CALL_TEXT, expect: `content "to see the tables" | ${SHOWN}` },
  { name: 'reads an envelope that is parsed', reply: CALL, expect: `content "to see the tables" | ${SHOWN}` },
  {
    name: 'reads several calls in their order',
    reply: {
      action: 'tool_call',
      tool_calls: [LIST, { name: 'sql.validate', arguments: { sql: 'SELECT 1' } }],
    },
    expect: `${SHOWN} | sql.validate {"sql":"SELECT 1"}`,
  },
  {
    name: 'reads arguments that are text',
    reply: { action: 'tool_call', tool_calls: [{ ...LIST, arguments: '{"database":"retail_db"}' }] },
    expect: `${SHOWN} | notes repaired-json`,
  },
  {
    name: 'reads calls without arguments',
    reply: { action: 'tool_call', tool_calls: [{ name: 'sql.validate' }] },
    expect: 'sql.validate {}',
  },
  {
    name: 'gives arguments the types of the tool',
    reply: { action: 'tool_call', tool_calls: [{ name: 'sql.validate', arguments: { limit: '5' } }] },
    expect: 'sql.validate {"limit":5} | notes argument',
  },
  {
    name: 'gives back the answer',
    reply: { reasoning: 'done', action: 'finish', content: 'SELECT {{start_date}}' },
    expect: 'content "SELECT {{start_date}}"',
  },
  { name: 'finishes by default', reply: '{"content":"hi"}', expect: 'content "hi"' },
  { name: 'finishes by default if it is parsed', reply: { content: 'hi' }, expect: 'content "hi"' },
  {
    name: 'takes sql for the answer',
    reply: { action: 'finish', sql: 'SELECT 1' },
    expect: 'content "SELECT 1"',
  },
  {
    name: 'uses sql if the content is empty',
    reply: { action: 'finish', content: '', sql: 'SELECT 1' },
    expect: 'content "SELECT 1"',
  },
  {
    name: 'gives an answer that is data as JSON',
    reply: { action: 'finish', content: { rows: [1] } },
    expect: 'content "{\\"rows\\":[1]}"',
  },
  {
    name: 'reads an envelope in a fence',
    reply: '```json\n' + CALL_TEXT + '\n```',
    expect: `content "to see the tables" | ${SHOWN}`,
  },
  {
    name: 'reads an envelope between paragraphs of prose',
    reply: `Sure!\n${CALL_TEXT}\nOne moment.`,
    expect: `content "Sure!\\n\\nOne moment." | ${SHOWN}`,
  },
  { name: 'degrades to text', reply: 'There are three tables.', expect: 'content "There are three tables."' },
  { name: 'gives other JSON as text', reply: '{"rows":[1]}', expect: 'content "{\\"rows\\":[1]}"' },
  {
    name: 'leaves a fenced example in prose alone',
    reply: 'Like this:\n```json\n' + CALL_TEXT + '\n```\nSee?',
    expect: `content ${JSON.stringify('Like this:\n```json\n' + CALL_TEXT + '\n```\nSee?')}`,
  },

  ...['response', 'result', 'text', 'content', 'message'].flatMap((field) => [
    { name: `finds plain text in "${field}"`, reply: { [field]: 'hi', id: 7 }, expect: 'content "hi"' },
    {
      name: `finds an envelope as text in "${field}"`,
      reply: { [field]: CALL_TEXT, id: 7 },
      expect: `content "to see the tables" | ${SHOWN}`,
    },
    {
      name: `finds a parsed envelope in "${field}"`,
      reply: { id: 7, [field]: CALL },
      expect: `content "to see the tables" | ${SHOWN}`,
    },
  ]),
  {
    name: 'passes over fields that are empty',
    reply: { response: '', result: null, text: 'hi' },
    expect: 'content "hi"',
  },
  {
    name: 'finds the envelope in a message without native calls',
    reply: { role: 'assistant', content: CALL_TEXT, tool_calls: [] },
    expect: `content "to see the tables" | ${SHOWN}`,
  },
  {
    name: 'finds the message in a whole answer of the API',
    reply: { id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: CALL_TEXT } }] },
    expect: `content "to see the tables" | ${SHOWN}`,
  },
  {
    name: "reads the API's own calls",
    reply: {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'k', type: 'function', function: { ...LIST, arguments: JSON.stringify(LIST.arguments) } },
      ],
    },
    expect: `content "I look." | ${SHOWN} | notes missing-action | notes repaired-json`,
  },
  {
    name: 'joins text in parts',
    reply: { content: [{ type: 'text', text: 'Hel' }, { type: 'image' }, { type: 'text', text: 'lo' }] },
    expect: 'content "Hello"',
  },
  {
    name: 'reads an envelope with its keys in another order',
    reply: { id: 7, thoughts: '…', tool_calls: [LIST], action: 'tool_call' },
    expect: SHOWN,
  },

  {
    name: 'reads calls whose action is missing',
    reply: JSON.stringify({ tool_calls: [LIST] }),
    expect: `${SHOWN} | notes missing-action`,
  },
  {
    name: 'takes an action of null for a missing one',
    reply: { action: null, tool_calls: [LIST] },
    expect: `${SHOWN} | notes missing-action`,
  },
  {
    name: 'returns the calls of an envelope with any action',
    reply: { action: 'finish', content: 'done', tool_calls: [LIST] },
    expect: `content "done" | ${SHOWN}`,
  },
  {
    name: 'treats half an answer as no answer',
    reply: '{"action":"finish","content":"hal',
    expect: 'rejects unfinished',
  },
  { name: 'treats half a call as no call', reply: CALL_TEXT.slice(0, -4), expect: 'rejects unfinished' },
  {
    name: 'rejects broken JSON',
    reply: '{"action":"tool_call","tool_calls":[{"name":"sql.validate" "arguments":{}}]}',
    expect: 'rejects invalid-json',
  },
  {
    name: 'rejects a tool that there is not, and keeps the other call',
    reply: { reasoning: 'try', action: 'tool_call', tool_calls: [{ name: 'sql.drop', arguments: {} }, LIST] },
    expect: `content "try" | ${SHOWN} | rejects unknown-tool sql.drop`,
  },
  {
    name: 'rejects arguments that do not fit',
    reply: { action: 'tool_call', tool_calls: [{ name: 'schema.list_tables', arguments: {} }] },
    expect: 'rejects missing-argument schema.list_tables',
  },
  {
    name: 'rejects an item that is not a call',
    reply: { action: 'tool_call', tool_calls: ['schema.list_tables'] },
    expect: 'rejects invalid-json',
  },

  ...[undefined, null, '', {}, { content: '' }, { response: null }].map((reply) => ({
    name: `gives nothing for ${reply === undefined ? 'no answer' : JSON.stringify(reply)}`,
    reply,
    expect: '',
  })),
  { name: 'gives a number as text', reply: 7, expect: 'content "7"' },
  { name: 'gives data as JSON', reply: { rows: [1] }, expect: 'content "{\\"rows\\":[1]}"' },
  { name: 'gives a list as JSON', reply: [1, 'a'], expect: 'content "[1,\\"a\\"]"' },
  { name: 'reports a function', reply: () => 'hi', expect: 'rejects unreadable-answer' },
  { name: 'reports a bigint', reply: { content: 1n }, expect: 'rejects unreadable-answer' },
  { name: 'reports a circle', reply: circle(), expect: 'rejects unreadable-answer' },
  {
    name: 'reports an object that throws',
    reply: {
      get content() {
        throw new Error('no');
      },
    },
    expect: 'rejects unreadable-answer',
  },
];

function circle(): object {
  const reply: { self?: object } = {};
  reply.self = reply;
  return reply;
}

describe('envelope adapter', () => {
  for (const { name, reply, expect } of rows) {
    it(name, async () => assert.equal(summary(await read(reply)), expect));
  }

  it('answers in the shape of the API', async () => {
    assert.deepEqual(await read(CALL), {
      content: 'to see the tables',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'schema.list_tables', arguments: '{"database":"retail_db"}' },
        },
      ],
      errors: [],
      notes: [],
    });
  });

  it('says what is wrong with a call and what to do', async () => {
    const { errors } = await read({ action: 'tool_call', tool_calls: [] });
    assert.equal(errors[0]?.code, 'contradiction');
    assert.match(errors[0].message, /has no calls/);
    assert.match(errors[0].hint, /"action" to "tool_call"/);
  });

  it('tells the service about the tools, after the instructions', async () => {
    const sent = await messagesFor([{ role: 'system', content: 'Be brief.' }, ...ASK]);
    const [system] = sent;
    assert.equal(system?.role, 'system');
    assert.match(system.content, /^Be brief\.\n\n/);
    for (const told of [
      'schema.list_tables(database): Lists all tables.\n- database: name of the database',
      'sql.validate(sql?, limit?: integer): Checks a statement.',
      '"action":"tool_call"',
      '"action":"finish"',
    ]) {
      assert.ok(system.content.includes(told), told);
    }
    assert.deepEqual(sent.slice(1), ASK);
  });

  it('does not mention tools if there are no tools', async () => {
    let sent: readonly TextMessage[] = [];
    const complete = async (messages: readonly TextMessage[]): Promise<string> => {
      sent = messages;
      return 'hi';
    };
    await generateWithTools(complete, ASK, []);
    assert.deepEqual(sent, ASK);
  });

  it('shows earlier calls and results as envelopes', async () => {
    const sent = await messagesFor([
      ...ASK,
      { role: 'assistant', content: 'I look.', tool_calls: [apiCall('k1'), apiCall('k2')] },
      { role: 'tool', tool_call_id: 'k1', content: 'orders\n"items"' },
      { role: 'tool', tool_call_id: 'k2', content: [{ type: 'text', text: 'no' }, { type: 'image' }] },
      { role: 'assistant', content: 'Two tables.' },
      { role: 'user', content: 'And now?' },
    ]);
    const call = '{"name":"schema.list_tables","arguments":{"database":"retail_db"}}';
    assert.deepEqual(sent.slice(1), [
      ...ASK,
      {
        role: 'assistant',
        content: `{"action":"tool_call","content":"I look.","tool_calls":[${call},${call}]}`,
      },
      {
        role: 'user',
        content: [
          '{"tool_result":{"name":"schema.list_tables"}}\norders\n"items"\n{"end":"tool_result"}',
          '{"tool_result":{"name":"schema.list_tables"}}\nno\n{"end":"tool_result"}',
        ].join('\n'),
      },
      { role: 'assistant', content: '{"action":"finish","content":"Two tables."}' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('shows only the result of a call with malformed arguments', async () => {
    const broken = { ...apiCall('k1'), function: { name: 'sql.validate', arguments: '{"sql":' } };
    const sent = await messagesFor([
      ...ASK,
      { role: 'assistant', content: null, tool_calls: [broken] },
      { role: 'tool', tool_call_id: 'k1', content: 'Those were no arguments.' },
    ]);
    assert.deepEqual(
      sent.slice(1).map(({ role }) => role),
      ['user'],
    );
    assert.match(sent.at(-1)?.content ?? '', /"sql\.validate".*\nThose were no arguments/);
  });

  it('keeps the whole conversation going until the answer', async () => {
    const replies = [
      CALL_TEXT,
      '{"action":"tool_call","tool_calls":[{"name":"nothing"}]}',
      CALL,
      'Two tables.',
    ];
    const messages: ApiMessage[] = [...ASK];
    let sent: readonly TextMessage[] = [];
    const complete = async (given: readonly TextMessage[]): Promise<unknown> => {
      sent = given;
      return replies.shift();
    };
    for (;;) {
      const { content, tool_calls, errors } = await generateWithTools(complete, messages, TOOLS);
      if (tool_calls.length === 0 && errors.length === 0) {
        assert.equal(content, 'Two tables.');
        break;
      }
      messages.push({ role: 'assistant', content, tool_calls });
      for (const { id } of tool_calls)
        messages.push({ role: 'tool', tool_call_id: id, content: `result of ${id}` });
      for (const { message, hint } of errors) messages.push({ role: 'user', content: `${message} ${hint}` });
    }
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.match(
      sent[3]?.content ?? '',
      /result of c1.*\n\nThere is no tool "nothing"\. Use one of: schema\.list_tables/s,
    );
    assert.match(sent[5]?.content ?? '', /result of c2/);
  });

  it('gives every call an id that the conversation does not have', async () => {
    const messages: ApiMessage[] = [
      ...ASK,
      { role: 'assistant', tool_calls: [apiCall('c1'), apiCall('c2')] },
    ];
    const reply = { action: 'tool_call', tool_calls: [LIST, { ...LIST, id: 'c2' }, { ...LIST, id: 'own' }] };
    const { tool_calls } = await read(reply, messages);
    assert.deepEqual(
      tool_calls.map(({ id }) => id),
      ['c3', 'c4', 'own'],
    );
  });

  it('takes ids from the caller, who keeps them longer than the messages', async () => {
    const ids = new CallIds();
    const once = async (): Promise<string | undefined> => {
      const { tool_calls } = await generateWithTools(async () => CALL, ASK, TOOLS, { ids });
      return tool_calls[0]?.id;
    };
    assert.deepEqual([await once(), await once()], ['c1', 'c2']);
  });

  it('passes on errors that the service throws', async () => {
    const broken = new Error('no service');
    const complete = async (): Promise<never> => Promise.reject(broken);
    await assert.rejects(generateWithTools(complete, ASK, TOOLS), broken);
  });

  it('never throws, and gives each call JSON arguments and an id, for any answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(ANYTHING), envelopes, wrapped, mangled), async (reply) => {
        const { content, tool_calls, errors, notes } = await read(reply);
        assert.equal(typeof content, 'string');
        const ids = new Set(tool_calls.map(({ id }) => id));
        assert.equal(ids.size, tool_calls.length);
        for (const call of tool_calls) {
          const args: unknown = JSON.parse(call.function.arguments);
          assert.ok(typeof args === 'object' && args !== null && !Array.isArray(args));
          assert.notEqual(call.id, '');
          assert.ok(['schema.list_tables', 'sql.validate'].includes(call.function.name));
        }
        for (const { code, message } of [...errors, ...notes]) assert.ok(code !== '' && message !== '');
      }),
      { numRuns: caseCount(2_000) },
    );
  });

  it('reads an envelope the same as text, parsed and wrapped', async () => {
    await fc.assert(
      fc.asyncProperty(
        envelopes,
        fc.constantFrom('response', 'result', 'text', 'content'),
        async (reply, field) => {
          const parsed = await read(reply);
          assert.deepEqual(await read(JSON.stringify(reply)), parsed);
          assert.deepEqual(await read({ [field]: reply }), parsed);
          assert.deepEqual(await read({ [field]: JSON.stringify(reply) }), parsed);
        },
      ),
    );
  });
});

const ANYTHING = {
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
  withNullPrototype: true,
};

const item = fc.record({
  id: fc.constantFrom('k1', 'k2', 'c1', ''),
  name: fc.constantFrom('schema.list_tables', 'sql.validate', 'nothing'),
  arguments: fc.oneof(
    fc.record({ database: fc.string({ unit: 'binary' }) }),
    fc.record({ sql: fc.string({ unit: 'grapheme' }), limit: fc.integer() }),
    fc.constantFrom<unknown>({}, '{}', '{"sql":"x"}', 'no JSON', 3, []),
  ),
});

const envelopes = fc.record({
  reasoning: fc.string(),
  action: fc.constantFrom('tool_call', 'finish', 'think'),
  tool_calls: fc.array(item, { maxLength: 3 }),
  content: fc.string({ minLength: 1 }),
});

const wrapped = fc
  .tuple(
    fc.constantFrom('response', 'result', 'text', 'content', 'message', 'data'),
    fc.oneof(envelopes, fc.string()),
  )
  .map(([field, inner]) => ({ [field]: inner }));

/** Envelopes as text, with a piece cut out of them. */
const mangled = fc.tuple(envelopes, fc.nat(), fc.nat({ max: 10 })).map(([reply, at, length]) => {
  const text = JSON.stringify(reply);
  const from = at % text.length;
  return text.slice(0, from) + text.slice(from + length);
});

function apiCall(id: string): {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
} {
  return { id, type: 'function', function: { name: LIST.name, arguments: JSON.stringify(LIST.arguments) } };
}

async function messagesFor(messages: readonly ApiMessage[]): Promise<readonly TextMessage[]> {
  let sent: readonly TextMessage[] = [];
  const complete = async (given: readonly TextMessage[]): Promise<string> => {
    sent = given;
    return 'ok';
  };
  await generateWithTools(complete, messages, TOOLS);
  return sent;
}
