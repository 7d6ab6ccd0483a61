import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import OpenAI from 'openai';
import { protocols } from '../../../src/protocols';
import {
  answerWith,
  breakOff,
  FakeEndpoint,
  streamForever,
  streamParts,
  streamText,
} from '../../support/servers/fake-endpoint';
import { NeedsReasoning } from '../../support/servers/needs-reasoning';
import { distFile } from '../../support/dist';
import { long } from '../../support/platform';
import { GatewayProcess } from '../../support/processes/gateway-process';
import { letTimePass } from '../../support/turns';

const AWKWARD = 'a "b"\r\n\\n 「末」 </parameter> <|"|> ``` \u{1f600}\n';
const PARAMETERS = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
} as const;
const TOOL = { type: 'function', function: { name: 'write_file', parameters: { ...PARAMETERS } } } as const;
const CALL = {
  type: 'call',
  call: { id: 'k', name: 'write_file', arguments: { path: 'a', content: AWKWARD } },
} as const;
const QUESTION = { role: 'user', content: 'Write it.' } as const;

describe('parley serve', () => {
  let upstream: FakeEndpoint;
  before(async () => {
    upstream = await FakeEndpoint.start();
    // Once here, instead of for every protocol.
    distFile('cli.js');
  });
  beforeEach(() => upstream.reset());
  after(() => upstream.stop());

  for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
    describe(`over ${protocol.id}`, () => {
      let gateway: GatewayProcess;
      before(async () => {
        const model = ['--base-url', upstream.baseUrl, '--model-name', 'm'];
        gateway = await GatewayProcess.start([...model, '--protocol', protocol.id]);
      });
      after(async () => assert.equal(await gateway.stop(), 0));

      /** Answers like servers without tools. */
      const refuseTools = (): void =>
        upstream.always(({ body }) =>
          body.tools || body.messages.some(({ role }) => role === 'tool')
            ? answerWith(400, 'application/json', '{"error":{"message":"tools are not supported"}}')
            : streamText('All done.'),
        );

      for (const stream of [false, true]) {
        it(`gives OpenAI's client tools, ${stream ? 'streamed' : 'whole'}`, async () => {
          refuseTools();
          upstream.next(streamParts(protocol, [CALL]));
          const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.token, maxRetries: 0 });
          const first = await complete(client, [QUESTION], stream);
          const [call] = first.message.tool_calls ?? [];
          assert.equal(first.finish_reason, 'tool_calls');
          assert.ok(call?.type === 'function');
          assert.deepEqual(JSON.parse(call.function.arguments), CALL.call.arguments);
          const result = { role: 'tool', tool_call_id: call.id, content: 'Written.' } as const;
          const last = await complete(client, [QUESTION, first.message, result], stream);
          assert.equal(last.message.content, 'All done.');
          assert.equal(last.finish_reason, 'stop');
        });
      }

      for (const stream of [false, true]) {
        it(`gives OpenAI's client tools as responses, ${stream ? 'streamed' : 'whole'}`, async () => {
          refuseTools();
          upstream.next(streamParts(protocol, [CALL]));
          const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.token, maxRetries: 0 });
          const first = await respond(client, [QUESTION], stream);
          assert.equal(first.status, 'completed');
          const [call] = first.output.filter(({ type }) => type === 'function_call');
          assert.ok(call?.type === 'function_call');
          assert.deepEqual(JSON.parse(call.arguments), CALL.call.arguments);
          const result = {
            type: 'function_call_output',
            call_id: call.call_id,
            output: 'Written.',
          } as const;
          const last = await respond(client, [QUESTION, call, result], stream);
          assert.equal(last.output_text, 'All done.');
        });

        it(`gives clients of Anthropic tools, ${stream ? 'streamed' : 'whole'}`, async () => {
          refuseTools();
          upstream.next(streamParts(protocol, [CALL]));
          const [call] = (await message(gateway, [QUESTION], stream)).filter(
            ({ type }) => type === 'tool_use',
          );
          assert.deepEqual([call?.name, call?.input], ['write_file', CALL.call.arguments]);
          const result = { type: 'tool_result', tool_use_id: call?.id, content: 'Written.' };
          const conversation = [
            QUESTION,
            { role: 'assistant', content: [call] },
            { role: 'user', content: [result] },
          ];
          assert.deepEqual(await message(gateway, conversation, stream), [
            { type: 'text', text: 'All done.' },
          ]);
        });
      }

      it('gives the AI SDK tools', async () => {
        refuseTools();
        upstream.next(streamParts(protocol, [CALL]));
        const provider = createOpenAICompatible({
          name: 'parley',
          baseURL: gateway.baseUrl,
          apiKey: gateway.token,
        });
        const given: unknown[] = [];
        const { text } = await generateText({
          model: provider('m'),
          prompt: 'Write it.',
          stopWhen: stepCountIs(3),
          maxRetries: 0,
          tools: {
            write_file: tool({
              inputSchema: jsonSchema({ ...PARAMETERS, required: [...PARAMETERS.required] }),
              execute: async (input) => {
                given.push(input);
                return 'Written.';
              },
            }),
          },
        });
        assert.deepEqual(given, [CALL.call.arguments]);
        assert.equal(text, 'All done.');
      });
    });
  }
});

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

async function complete(
  client: OpenAI,
  messages: Message[],
  stream: boolean,
): Promise<OpenAI.Chat.Completions.ChatCompletion.Choice> {
  const body = {
    model: 'any',
    messages,
    tools: [TOOL as unknown as OpenAI.Chat.Completions.ChatCompletionTool],
  };
  const reply = stream
    ? await client.chat.completions.stream(body).finalChatCompletion()
    : await client.chat.completions.create(body);
  return reply.choices[0]!;
}

async function respond(
  client: OpenAI,
  input: OpenAI.Responses.ResponseInputItem[],
  stream: boolean,
): Promise<OpenAI.Responses.Response> {
  const tool = {
    type: 'function',
    name: 'write_file',
    strict: false,
    parameters: { ...PARAMETERS },
  } as const;
  const body = { model: 'any', input, tools: [tool], store: false };
  return stream ? client.responses.stream(body).finalResponse() : client.responses.create(body);
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly text?: string;
  readonly input?: unknown;
}

/** Asks like Claude Code. */
async function message(
  { baseUrl, token }: GatewayProcess,
  messages: readonly unknown[],
  stream: boolean,
): Promise<readonly Block[]> {
  const tools = [{ name: 'write_file', input_schema: PARAMETERS }];
  const response = await fetch(`${baseUrl}/messages?beta=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'any', max_tokens: 1000, messages, tools, stream }),
  });
  assert.equal(response.status, 200);
  return stream
    ? blocksOf(await response.text())
    : ((await response.json()) as { content: readonly Block[] }).content;
}

/** Put together from the events of a stream, each of which is named by its type. */
function blocksOf(stream: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const event of stream.trim().split('\n\n')) {
    const [, name, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? [];
    const { type, index = 0, content_block: block, delta = {} } = JSON.parse(data) as BlockEvent;
    assert.equal(name, type);
    if (block) blocks[index] = block;
    const { text = '', partial_json: json } = delta;
    if (text !== '') blocks[index] = { ...blocks[index]!, text: `${blocks[index]!.text}${text}` };
    if (json !== undefined) blocks[index] = { ...blocks[index]!, input: JSON.parse(json) as unknown };
  }
  assert.match(stream, /^event: message_start\n.*event: message_stop\n/s);
  return blocks;
}

interface BlockEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: { readonly text?: string; readonly partial_json?: string };
}

describe('parley serve, when something goes wrong', () => {
  const protocol = protocols.find(({ id }) => id === 'json')!;
  let upstream: FakeEndpoint;
  let gateway: GatewayProcess;
  const start = (env?: NodeJS.ProcessEnv): Promise<GatewayProcess> => {
    const model = ['--base-url', upstream.baseUrl, '--model-name', 'm'];
    return GatewayProcess.start([...model, '--protocol', 'json', '--token', 'secret'], env);
  };
  before(async () => {
    upstream = await FakeEndpoint.start();
    gateway = await start();
  });
  beforeEach(() => upstream.reset());
  after(async () => {
    assert.equal(await gateway.stop('SIGINT'), 0);
    await upstream.stop();
  });

  const ask = (
    more: object = {},
    headers: Record<string, string> = {},
    signal?: AbortSignal,
    { baseUrl } = gateway,
  ): Promise<Response> =>
    fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ messages: [QUESTION], tools: [TOOL], ...more }),
      ...(signal && { signal }),
    });

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${gateway.baseUrl}/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  for (const [name, headers, status] of [
    ['a wrong token', { authorization: 'Bearer other' }, 401],
    ['no token', { authorization: '' }, 401],
    ['a web page', { origin: 'http://127.0.0.1:3000' }, 403],
    ['a web page of this machine without a port', { origin: 'null' }, 403],
  ] as const) {
    it(`G37.refused: refuses ${name}`, async () => {
      const response = await ask({}, headers);
      assert.equal(response.status, status);
      assert.equal(typeof ((await response.json()) as Failed).error.message, 'string');
      assert.equal(upstream.requests.length, 0);
    });
  }

  it('G37.host: refuses another host', async () => {
    const { port } = new URL(gateway.baseUrl);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${port}`,
    ]) {
      const sent = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/v1/models',
        headers: { host, authorization: 'Bearer secret' },
      });
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      assert.equal(response.statusCode, 403, host);
      response.resume();
    }
  });

  it('takes the token as Anthropic sends it', async () => {
    const both = { authorization: 'Bearer secret', 'x-api-key': 'for another place' };
    for (const headers of [{ 'x-api-key': 'secret' }, both]) {
      const response = await fetch(`${gateway.baseUrl}/models`, { headers });
      const { data } = (await response.json()) as { data: { id: string }[] };
      assert.deepEqual(
        data.map(({ id }) => id),
        ['m'],
      );
    }
  });

  it('refuses input that is not a request', async () => {
    for (const more of [
      { messages: [] },
      { n: 2 },
      { tool_choice: { function: { name: 'fly' } } },
      { messages: [{ role: 'x' }] },
      { tools: 7 },
      { tools: {} },
    ]) {
      const response = await ask(more);
      assert.equal(response.status, 400, JSON.stringify(more));
      assert.equal(((await response.json()) as Failed).error.type, 'invalid_request_error');
    }
    assert.equal(upstream.requests.length, 0);
  });

  it('passes the status and the pause of the upstream on', async () => {
    for (const stream of [false, true]) {
      upstream.next((response) => {
        response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' });
        response.end('{"error":{"message":"slow down"}}');
      });
      const response = await ask({ stream });
      assert.equal(response.status, 429);
      assert.equal(response.headers.get('retry-after'), '7');
      assert.equal(((await response.json()) as Failed).error.type, 'rate_limit_error');
    }
  });

  it('meets what the upstream requires after one refusal, for all clients', async () => {
    const rule = new NeedsReasoning();
    upstream.always(rule.answer);
    const messages = [QUESTION, { role: 'assistant', content: 'Which one?' }, QUESTION];
    for (const stream of [false, true, false]) {
      const response = await ask({ stream, messages });
      assert.match(await response.text(), /Fine\./);
    }
    assert.equal(rule.refusals, 1);
  });

  it('says that a web page came instead of a reply', async () => {
    for (const more of [{}, { tools: [] }]) {
      upstream.next(answerWith(200, 'text/html', '<html>Sign in</html>'));
      const response = await ask(more);
      assert.equal(response.status, 502, JSON.stringify(more));
      assert.match(((await response.json()) as Failed).error.message, /web page/);
    }
  });

  it('does not end a broken stream as if it were complete', async () => {
    for (const more of [{}, { tools: [] }]) {
      upstream.next(breakOff(protocol, [{ type: 'text', text: 'A long answer.' }]));
      const text = await (await ask({ stream: true, ...more })).text();
      assert.match(text, /data: \{"error":/);
      assert.doesNotMatch(text, /\[DONE\]|"finish_reason":"/);
    }
  });

  it('does not end a broken stream of the other APIs as if it were complete', async () => {
    for (const [path, body, said] of OTHER_APIS) {
      upstream.next(breakOff(protocol, [{ type: 'text', text: 'A long answer.' }]));
      const text = await (await post(path, { ...body, stream: true })).text();
      assert.match(text, said);
      assert.doesNotMatch(text, /response\.completed|message_stop|"stop_reason":"/);
    }
  });

  it('answers the other APIs in their own error format, with the status of the upstream', async () => {
    for (const [path, body] of OTHER_APIS) {
      for (const stream of [false, true]) {
        upstream.next((response) => {
          response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' });
          response.end('{"error":{"message":"slow down"}}');
        });
        const response = await post(path, { ...body, stream });
        assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7']);
        assert.equal(((await response.json()) as Failed).error.type, 'rate_limit_error');
      }
    }
  });

  it('refuses references to stored objects', async () => {
    const response = await post('responses', { input: 'Go.', previous_response_id: 'resp_1' });
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as Failed).error.message, /stores nothing/);
    assert.equal(upstream.requests.length, 0);
  });

  it('counts tokens', async () => {
    const response = await post('messages/count_tokens', { messages: [QUESTION] });
    assert.ok(((await response.json()) as { input_tokens: number }).input_tokens > 0);
    assert.equal(upstream.requests.length, 0);
  });

  it('sends limits and sampling on under the names that the upstream knows', async () => {
    const format = { name: 'answer', schema: { type: 'object' }, strict: true };
    const asked = {
      ...{ input: 'Go.', max_output_tokens: 9, temperature: 0.1 },
      text: { format: { type: 'json_schema', ...format } },
    };
    await (await post('responses', asked)).text();
    const limited = { messages: [QUESTION], max_tokens: 9, stop_sequences: ['x'] };
    await (await post('messages', limited)).text();
    const [first, second] = upstream.requests.map(({ body }) => body as unknown as Record<string, unknown>);
    assert.deepEqual(
      [first?.['max_tokens'], first?.['temperature'], first?.['response_format']],
      [9, 0.1, { type: 'json_schema', json_schema: format }],
    );
    assert.deepEqual([second?.['max_tokens'], second?.['stop']], [9, ['x']]);
  });

  for (const [what, path, body] of [
    [
      'parameters',
      'chat/completions',
      (deep: string) =>
        `{"messages":[{"role":"user","content":"Go."}],"tools":[{"type":"function","function":{"name":"a","parameters":${deep}}}]}`,
    ],
    [
      'metadata',
      'chat/completions',
      (deep: string) => `{"messages":[{"role":"user","content":"Go."}],"metadata":${deep}}`,
    ],
    ['metadata', 'responses', (deep: string) => `{"input":"Go.","metadata":${deep}}`],
    [
      'input',
      'messages',
      (deep: string) =>
        `{"max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"a","input":${deep}}]}]}`,
    ],
    ['messages', 'messages/count_tokens', (deep: string) => `{"messages":${deep}}`],
  ] as const) {
    it(`refuses ${what} of ${path} nested without end, and reports no error of its own`, async () => {
      const send = (text: string): Promise<Response> =>
        fetch(`${gateway.baseUrl}/${path}`, {
          method: 'POST',
          headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
          body: text,
        });
      for (const [open, close, inner] of [
        ['{"a":', '}', '1'],
        ['[', ']', ''],
      ] as const) {
        const response = await send(body(open.repeat(200_000) + inner + close.repeat(200_000)));
        assert.equal(response.status, 400);
        assert.match(((await response.json()) as Failed).error.message, /nested more than 200 levels/);
      }
      assert.doesNotMatch(gateway.log, /\n\s+at |RangeError/);
    });
  }

  it('answers with an error if a reply without streaming breaks off', async () => {
    const whole = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'So.' } }] });
    const json = { 'content-type': 'application/json' };
    for (const end of [
      (response: ServerResponse) => response.write(whole.slice(0, -9), () => response.destroy()),
      (response: ServerResponse) => response.end(whole.slice(0, -9)),
    ]) {
      for (const more of [{ tools: [] }, {}]) {
        upstream.next((response) => {
          response.writeHead(200, json);
          end(response);
        });
        const response = await ask(more);
        assert.equal(response.status, 502, JSON.stringify(more));
        assert.equal(typeof ((await response.json()) as Failed).error.message, 'string');
      }
    }
    assert.doesNotMatch(gateway.log, /\n\s+at /);
  });

  it('answers with an error if the upstream reports one as a success', async () => {
    const failures = [
      { success: false, msg: 'No such deployment.' },
      { choices: null, errorMessage: 'No such deployment.' },
      { choices: [{ index: 0, message: { content: 'So.' }, finish_reason: 'error_finish' }] },
    ];
    for (const failure of failures) {
      for (const more of [{ tools: [] }, {}]) {
        upstream.next(answerWith(200, 'application/json', JSON.stringify(failure)));
        const response = await ask(more);
        assert.equal(response.status, 502, JSON.stringify([failure, more]));
        const { message } = ((await response.json()) as Failed).error;
        assert.match(
          message,
          'choices' in failure && failure.choices ? /cut off|stopped/ : /No such deployment/,
        );
      }
    }
  });

  for (const none of [[], null]) {
    it(`takes ${JSON.stringify(none)} for no tools`, async () => {
      const text = await (await ask({ tools: none, tool_choice: 'auto', parallel_tool_calls: true })).text();
      assert.match(text, /All/);
      assert.deepEqual(upstream.requests[0]?.body, { messages: [QUESTION], model: 'm' });
    });
  }

  it('lists its model for every kind of client, and every other one by name', async () => {
    const get = async (path: string): Promise<Record<string, unknown>> => {
      const response = await fetch(`${gateway.baseUrl}/${path}`, {
        headers: { authorization: 'Bearer secret' },
      });
      assert.equal(response.status, 200, path);
      return (await response.json()) as Record<string, unknown>;
    };
    const { data, ...list } = await get('models?limit=1000');
    assert.deepEqual(list, { object: 'list', has_more: false, first_id: 'm', last_id: 'm' });
    const entry = await get('models/m');
    assert.deepEqual(data, [entry]);
    assert.deepEqual([entry['id'], entry['display_name']], ['m', 'm']);
    assert.deepEqual((await get('models?client_version=0.150.1'))['models'], []);
    for (const path of ['models/org/name', 'models/org%2Fname', 'models/org/name/'])
      assert.equal((await get(path))['id'], 'org/name');
  });

  it('ends the request to the upstream with the client', async () => {
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) => {
      upstream.next(streamForever(() => `${Math.random()} `, resolve));
    });
    const response = await ask({ stream: true }, {}, stop.signal);
    await response.body!.getReader().read();
    stop.abort();
    await closed;
  });

  it('passes on a request without tools unchanged', async () => {
    const body = {
      tools: undefined,
      seed: 7,
      response_format: { type: 'json_object' },
      unknown_field: [1],
      stream: true,
    };
    const text = await (await ask(body)).text();
    assert.match(text, /All/);
    assert.match(text, /\[DONE\]/);
    const [sent] = upstream.requests;
    assert.deepEqual(sent?.body, {
      messages: [QUESTION],
      model: 'm',
      seed: 7,
      response_format: { type: 'json_object' },
      unknown_field: [1],
      stream: true,
    });
  });

  it('passes everything besides tools through', async () => {
    await (
      await ask({
        seed: 7,
        temperature: 0.1,
        max_tokens: 9,
        stop: ['x'],
        unknown_field: [1],
        parallel_tool_calls: true,
      })
    ).text();
    const { messages: _, stop, ...sent } = upstream.requests[0]!.body as unknown as Record<string, unknown>;
    assert.deepEqual(sent, {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      seed: 7,
      temperature: 0.1,
      max_tokens: 9,
      unknown_field: [1],
    });
    assert.deepEqual((stop as string[])[0], 'x');
  });

  it('refuses a body that is too large before it is sent', async () => {
    const { port } = new URL(gateway.baseUrl);
    const headers = { authorization: 'Bearer secret' };
    const sent = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
    });
    sent.on('error', () => undefined);
    sent.setMaxListeners(0);
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    for (let count = 0; count < 100 && !sent.destroyed; count++) {
      if (!sent.write(megabyte)) await Promise.race([once(sent, 'drain'), answered, once(sent, 'close')]);
    }
    const [response] = await answered;
    assert.equal(response.statusCode, 413);
    sent.destroy();
  });

  it('loses nothing for a slow reader', async () => {
    const line = `${'x'.repeat(4_095)}\n`;
    const text = Array.from({ length: 1_000 }, (_, at) => `${at} ${line}`).join('');
    for (const more of [{}, { tools: [] }]) {
      upstream.next(streamParts(protocol, [{ type: 'text', text }], line.length));
      const response = await ask({ stream: true, ...more });
      const decoder = new TextDecoder();
      let read = '';
      for await (const piece of response.body!) {
        read += decoder.decode(piece, { stream: true });
        await letTimePass(1);
      }
      const said = read.split('\n\n').filter((event) => event.startsWith('data: {'));
      const pieces = said.map((event) => JSON.parse(event.slice('data: '.length)) as Chunk);
      assert.equal(
        pieces
          .map(({ choices: [choice] }) => choice?.delta.content ?? '')
          .join('')
          .trim(),
        text.trim(),
      );
    }
  });

  long.it('keeps its memory bounded under any number of requests at once', async () => {
    // All requests, read at once, would not fit into it.
    const small = await start({ NODE_OPTIONS: '--max-old-space-size=128' });
    try {
      upstream.always(() => streamText('Done.'));
      const messages = [{ role: 'user', content: 'y'.repeat(1024 * 1024) }];
      const replies = await Promise.all(
        Array.from({ length: 200 }, async () => {
          const response = await ask({ messages }, {}, undefined, small);
          return response.text();
        }),
      );
      assert.equal(replies.filter((text) => text.includes('Done.')).length, 200);
    } finally {
      await small.stop();
    }
  });

  it('loses no request of two hundred at once', async () => {
    upstream.always(() => streamParts(protocol, [CALL]));
    const replies = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const response = await ask({ stream: at % 2 === 0 });
        return response.text();
      }),
    );
    assert.equal(
      replies.filter((text) => text.includes('tool_calls') && text.includes('write_file')).length,
      200,
    );
  });
});

const OTHER_APIS = [
  ['responses', { input: 'Go.' }, /event: response\.failed\n/],
  ['messages', { messages: [QUESTION], max_tokens: 9 }, /event: error\n/],
] as const;

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

interface Failed {
  readonly error: { readonly message: string; readonly type: string };
}
