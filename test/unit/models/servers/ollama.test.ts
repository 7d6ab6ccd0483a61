import assert from 'node:assert/strict';
import type { ChatMessage, ModelDelta, ModelRequest } from '../../../../src/core/words/model';
import { openAiModel, type OpenAiOptions } from '../../../../src/models/openai';
import { ollamaBody, overOllama } from '../../../../src/models/servers/ollama';
import { OllamaServer, ollamaReply } from '../../../support/servers/ollama-server';

const never = new AbortController().signal;

describe('the provider ollama', () => {
  let server: OllamaServer;
  beforeEach(async () => {
    server = await OllamaServer.start();
  });
  afterEach(() => server.stop());

  const origin: ModelRequest['origin'] = {
    protocol: 'native',
    conversation: { instructions: '', turns: [], tools: [] },
  };
  const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }];

  async function ask(
    request: Partial<ModelRequest> = {},
    options: Partial<OpenAiOptions> = {},
    window: number | undefined = 16384,
  ): Promise<readonly ModelDelta[]> {
    const all = {
      name: 'm',
      baseUrl: server.origin,
      model: 'qwen3:8b',
      apiKey: async () => undefined,
      ...options,
    };
    const model = openAiModel(overOllama(all, window));
    const deltas: ModelDelta[] = [];
    const messages: readonly ChatMessage[] = [{ role: 'user', content: 'Hi' }];
    for await (const delta of model.stream({ messages, origin, ...request }, never)) {
      if (delta.type !== 'progress' && delta.type !== 'carried') deltas.push(delta);
    }
    return deltas;
  }

  const textOf = (deltas: readonly ModelDelta[], type: 'text' | 'reasoning'): string =>
    deltas.map((delta) => (delta.type === type ? delta.text : '')).join('');

  it('asks for the window, and for a refusal of what is too long', async () => {
    server.answer = ollamaReply([{ content: 'Hello' }]);
    await ask({ stop: ['</end>'] }, { maxOutputTokens: 512 });
    assert.deepEqual(server.chats, [
      {
        model: 'qwen3:8b',
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
        truncate: false,
        shift: false,
        options: { num_ctx: 16384, num_predict: 512, stop: ['</end>'] },
      },
    ]);
  });

  it('leaves the window to the server if nothing declares it', async () => {
    server.answer = ollamaReply([{ content: 'Hello' }]);
    assert.equal('options' in ollamaBody({ model: 'm' }, undefined), false);
    await ask({}, { baseUrl: `${server.origin}/v1/` }, undefined);
    assert.equal(server.chats.length, 1, 'the address may end in /v1');
  });

  it('passes on what only Ollama knows, and puts sampling among its options', async () => {
    server.answer = ollamaReply([{ content: 'Hello' }]);
    await ask(
      {},
      {
        extraBody: {
          ...{ keep_alive: '30m', think: 'low', temperature: 0.2, seed: 1 },
          options: { num_gpu: 20, num_ctx: 4096 },
        },
      },
    );
    const [{ keep_alive, think, options } = {}] = server.chats;
    assert.deepEqual(
      { keep_alive, think, options },
      {
        ...{ keep_alive: '30m', think: 'low' },
        options: { num_ctx: 4096, temperature: 0.2, seed: 1, num_gpu: 20 },
      },
    );
    assert.deepEqual(ollamaBody({ reasoning_effort: 'none' }, undefined)['think'], false);
    assert.deepEqual(ollamaBody({ reasoning_effort: 'high' }, undefined)['think'], 'high');
    const schema = { type: 'object' };
    assert.deepEqual(
      ollamaBody({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } }, undefined)[
        'format'
      ],
      schema,
    );
    assert.deepEqual(ollamaBody({ response_format: { type: 'json_object' } }, undefined)['format'], 'json');
  });

  it('sends images, calls, results and thoughts in its own form', async () => {
    server.answer = ollamaReply([{ content: 'Done' }]);
    await ask({
      tools,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look', images: [{ mediaType: 'image/png', data: 'aGk=' } as never] },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }],
          carried: { origin: server.origin, model: 'qwen3:8b', fields: { reasoning: 'I look.' } },
        },
        { role: 'tool', toolCallId: 'c1', content: 'plum' },
      ],
    });
    const [body] = server.chats;
    assert.deepEqual(body?.['messages'], [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: ['aGk='] },
      {
        role: 'assistant',
        content: '',
        thinking: 'I look.',
        tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: { path: 'a.txt' } } }],
      },
      { role: 'tool', content: 'plum', tool_call_id: 'c1', tool_name: 'read_file' },
    ]);
    assert.deepEqual(body['tools'], [
      {
        type: 'function',
        function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } },
      },
    ]);
  });

  for (const piece of [1, 3, 7, 100_000]) {
    it(`reads thoughts, text and calls, in pieces of ${piece} bytes`, async () => {
      server.piece = piece;
      server.answer = ollamaReply(
        [
          ...[
            { thinking: 'I should ' },
            { thinking: 'look. 好' },
            { content: 'Let me ' },
            { content: 'see — ☃' },
          ],
          { tool_calls: [{ function: { index: 0, name: 'read_file', arguments: { path: 'a' } } }] },
          {
            tool_calls: [{ id: 'own', function: { index: 0, name: 'read_file', arguments: { path: 'b' } } }],
          },
        ],
        { prompt_eval_cached_count: 100 },
      );
      const deltas = await ask({ tools });
      assert.equal(textOf(deltas, 'reasoning'), 'I should look. 好');
      assert.equal(textOf(deltas, 'text'), 'Let me see — ☃');
      const calls = deltas.filter((delta) => delta.type === 'tool-call');
      assert.deepEqual(
        calls.map(({ index, name, arguments: args }) => [index, name, args]),
        [
          [0, 'read_file', '{"path":"a"}'],
          [1, 'read_file', '{"path":"b"}'],
        ],
      );
      assert.notEqual(calls[0]?.id, calls[1]?.id);
      assert.equal(calls[1]?.id, 'own');
      assert.deepEqual(deltas.slice(-2), [
        { type: 'end', reason: 'tool-calls' },
        { type: 'usage', usage: { inputTokens: 120, outputTokens: 8, cachedTokens: 100 } },
      ]);
    });
  }

  it('counts a prompt of an older version that leaves out what was cached', async () => {
    server.answer = ollamaReply([{ content: 'x' }], { prompt_eval_count: 20, prompt_eval_cached_count: 100 });
    const usage = (await ask()).find((delta) => delta.type === 'usage');
    assert.deepEqual(usage?.usage, { inputTokens: 120, outputTokens: 8, cachedTokens: 100 });
  });

  it('ends as the window does', async () => {
    server.answer = ollamaReply([{ content: 'x' }], { done_reason: 'length' });
    assert.ok((await ask()).some((delta) => delta.type === 'end' && delta.reason === 'length'));
  });

  it('reports an error in the middle of a reply, and one before it', async () => {
    server.answer = {
      status: 200,
      lines: [{ message: { content: 'Let' } }, { error: 'the model ran out of memory' }],
    };
    const broken = (await ask()).at(-1);
    assert.ok(broken?.type === 'failure');
    assert.match(broken.failure.message, /ran out of memory/);
    server.answer = {
      status: 400,
      lines: [{ error: 'the prompt is longer than the context length currently available' }],
    };
    const [refused] = await ask();
    assert.ok(refused?.type === 'failure');
    assert.equal(refused.failure.code, 'too-long');
    server.answer = { status: 400, lines: [{ error: '"gemma:7b" does not support tools' }] };
    const [without] = await ask({ tools });
    assert.ok(without?.type === 'failure');
    assert.equal(without.failure.code, 'no-tools');
  });

  it('treats a reply without an end as cut off, and a line that is not JSON as no stream', async () => {
    server.answer = { status: 200, lines: [{ message: { content: 'Let' } }] };
    assert.equal(
      (await ask()).some((delta) => delta.type === 'end'),
      false,
    );
    server.answer = { status: 200, lines: ['what is this'] };
    assert.equal((await ask()).at(-1)?.type, 'failure');
  });

  it('shows the body that goes out', async () => {
    server.answer = ollamaReply([{ content: 'x' }]);
    const shown: object[] = [];
    await ask({}, { onSend: (body) => shown.push(body) });
    assert.deepEqual(shown, server.chats);
  });
});
