import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json';
import { chunkDeltas } from '../../../../src/models/chat-chunks';
import { isMarked, withCacheMarks, withoutCacheMarks } from '../../../../src/models/apis/cache-marks';
import { priced } from '../../../../src/models/profiles';
import { adaptedBody, quirksAfter } from '../../../../src/models/quirks/quirks';

const CHAT: JsonObject = {
  messages: [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'U' },
    { role: 'assistant', content: 'A' },
    { role: 'tool', tool_call_id: 'x', content: 'R' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: { properties: { cache_control: {} } } } }],
};
const MESSAGES: JsonObject = {
  system: [{ type: 'text', text: 'S' }],
  tools: [{ name: 'f' }, { name: 'g' }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'U' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'A' }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'x', content: 'R' },
        { type: 'text', text: 'V' },
      ],
    },
  ],
};

/** The texts and names that have a mark behind them, with its lifetime. */
function marks(body: JsonObject): readonly string[] {
  const found: string[] = [];
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('cache_control' in value)) return value;
    const {
      text,
      name,
      cache_control: mark,
    } = value as { text?: string; name?: string; cache_control: JsonObject };
    if (mark['type'] === 'ephemeral')
      found.push(`${text ?? name ?? '?'} ${typeof mark['ttl'] === 'string' ? mark['ttl'] : '5m'}`);
    return value;
  });
  return found;
}

describe('marks for the cache of a server', () => {
  const rows = [
    ['chat', 'anthropic/claude-sonnet-4.5', 'https://openrouter.ai/api/v1', 'auto', ['S 5m', 'R 5m']],
    ['chat', 'gpt-5', 'https://openrouter.ai/api/v1', 'auto', []],
    ['chat', 'large', 'https://anthropic.example.com/v1', 'auto', ['S 5m', 'R 5m']],
    ['chat', 'claude-opus', 'https://llm.example.com/v1', 'off', []],
    ['chat', 'large', 'https://llm.example.com/v1', '1h', ['S 1h', 'R 1h']],
    ['messages', 'large', 'https://llm.example.com/v1', 'auto', ['S 5m', 'g 5m', 'V 5m']],
    ['messages', 'large', 'https://llm.example.com/v1', 'off', []],
    ['responses', 'claude', 'https://llm.example.com/v1', '1h', []],
  ] as const;
  for (const [api, model, baseUrl, cache, expected] of rows) {
    it(`are set for ${model} at ${new URL(baseUrl).host} over ${api} with ${cache}: ${expected.join(', ') || 'none'}`, () => {
      const body = withCacheMarks(api === 'chat' ? CHAT : MESSAGES, { api, model, baseUrl, cache });
      assert.deepEqual(marks(body), expected);
    });
  }

  it('are left out after a refusal, and schemas stay as they are', () => {
    const target = { api: 'chat', model: 'claude', baseUrl: 'https://llm.example.com/v1' } as const;
    const body = withCacheMarks(CHAT, target);
    const message = 'messages.0.content.0.cache_control: Extra inputs are not permitted';
    const quirks = quirksAfter({ code: 'rejected', message }, body, {});
    assert.deepEqual(quirks, { fields: ['cache_control'] });
    const sent = adaptedBody(body, quirks);
    assert.deepEqual(marks(sent), []);
    assert.deepEqual(sent['tools'], CHAT['tools']);
    assert.ok(!isMarked(CHAT));
    assert.deepEqual(withoutCacheMarks(body)['tools'], CHAT['tools']);
  });
});

describe('a cost that the service reports', () => {
  it('wins over prices', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.25 };
    const deltas = chunkDeltas({ choices: [], usage });
    const model = priced({ input: 1, output: 1 })({
      name: 'm',
      stream: async function* () {
        yield* deltas;
      },
    });
    const request = {
      messages: [],
      origin: { protocol: 'native', conversation: { instructions: '', turns: [], tools: [] } },
    };
    for await (const delta of model.stream(request, new AbortController().signal)) {
      assert.deepEqual(delta, { type: 'usage', usage: { inputTokens: 10, outputTokens: 5, cost: 0.25 } });
    }
  });
});
