import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  errorInEvent,
  figuresIn,
  meaningOf,
  readError,
  type Meaning,
} from '../../../../src/models/exchange/error-words';
import { cpuMs } from '../../../support/measure/cpu-time';

describe('words of an error', () => {
  const shapes: readonly { readonly name: string; readonly body: string; readonly text: string }[] = [
    { name: 'OpenAI', body: '{"error":{"message":"no","type":"t","code":"c"}}', text: 'no' },
    { name: 'a text in error', body: '{"error":"server busy"}', text: 'server busy' },
    { name: 'old vLLM', body: '{"object":"error","message":"too large","code":400}', text: 'too large' },
    { name: 'FastAPI', body: '{"detail":"Not Found"}', text: 'Not Found' },
    {
      name: 'FastAPI about fields',
      body: '{"detail":[{"loc":["body","seed"],"msg":"Extra inputs are not permitted","type":"extra"}]}',
      text: 'body.seed: Extra inputs are not permitted',
    },
    { name: 'Gemini', body: '[{"error":{"code":400,"message":"Bad tool","status":"X"}}]', text: 'Bad tool' },
    { name: 'a message alone', body: '{"message":"Unauthorized"}', text: 'Unauthorized' },
    {
      name: 'a word and a message',
      body: '{"error":"Bad Request","message":"seed is odd"}',
      text: 'seed is odd',
    },
    {
      name: 'JSON in a message',
      body: '{"error":{"message":"{\\"error\\":{\\"message\\":\\"inner\\"}}"}}',
      text: 'inner',
    },
    { name: 'plain text', body: 'out of\n  memory', text: 'out of memory' },
    { name: 'nothing', body: '', text: '' },
    { name: 'no words', body: '{"error":{"code":5}}', text: '' },
    { name: 'half a JSON', body: '{"error":', text: '{"error":' },
    {
      name: 'LiteLLM',
      body: JSON.stringify({
        error: {
          message:
            'litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - request (4480 tokens) exceeds the available context size (4096 tokens), try increasing it. Received Model Group=local\nAvailable Model Group Fallbacks=None',
        },
      }),
      text: 'request (4480 tokens) exceeds the available context size (4096 tokens), try increasing it',
    },
    {
      name: 'LiteLLM, dead upstream',
      body: '{"error":{"message":"litellm.InternalServerError: InternalServerError: OpenAIException - Connection error.. Received Model Group=x"}}',
      text: 'Connection error',
    },
    {
      name: 'a quotation of Python',
      body: `{"error":{"message":"Error code: 400 - {'error': {'message': 'seed is odd', 'type': 'x'}}"}}`,
      text: 'seed is odd',
    },
  ];
  for (const { name, body, text } of shapes) {
    it(`reads ${name}`, () => assert.equal(readError(body).text.replace(/\.$/, ''), text));
  }

  it('uses a status from the error', () => {
    assert.equal(readError({ code: 429, message: 'm' }).status, 429);
    assert.equal(readError('[{"error":{"code":503,"message":"m"}}]').status, 503);
    assert.equal(readError({ code: 'invalid', message: 'm' }).status, undefined);
    assert.equal(readError({ code: 7, message: 'm' }).status, undefined);
  });

  const meanings: readonly (readonly [
    meaning: Meaning | undefined,
    status: number | undefined,
    said: string,
  ])[] = [
    ['no-tools', 400, 'gemma:2b does not support tools'],
    ['no-tools', 404, 'No endpoints found that support tool use'],
    [
      'no-tools',
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
    ['no-tools', 500, 'tools param requires --jinja flag'],
    ['no-tools', 400, "UnsupportedParamsError: azure does not support parameters: ['tools'], for model=x"],
    ['no-tools', 400, 'Function calling is not enabled for models/x'],
    ['no-tools', 400, 'tool use is not supported by this model'],
    ['no-tools', 400, 'Unrecognized request argument supplied: tools'],
    ['no-tools', undefined, 'model does not support function calling'],
    [undefined, 400, 'tool_choice "required" is unknown'],
    ['too-long', 400, 'Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)'],
    ['too-long', 400, 'Input length (9000 tokens) exceeds the maximum allowed length (8192 tokens)'],
    ['too-long', 400, "This model's maximum prompt length is 8192 but the request contains 9000 tokens"],
    ['too-long', 400, 'The input token count (9000) exceeds the maximum number of tokens allowed (8192).'],
    ['too-long', 400, 'Your request exceeded model token limit: 8192 (requested: 9000)'],
    ['too-long', 400, 'litellm.ContextWindowExceededError: x'],
    ['too-long', 400, 'input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000'],
    ['too-long', 400, 'Range of input length should be [1, 30720]'],
    ['too-long', 400, 'max_tokens must be at least 1, got -384'],
    ['too-long', 500, 'context shift is disabled'],
    ['too-long', 400, 'the prompt is longer than the context length currently available'],
    ['too-long', undefined, 'Context size has been exceeded.'],
    ['too-long', 400, 'Prompt contains 9000 tokens, too large for model with 8192 maximum context length'],
    ['too-long', 400, 'invalid params, context window exceeds limit'],
    ['loading', 503, 'Loading model'],
    ['loading', 503, 'Model Qwen/Qwen3 is currently loading'],
    ['busy', 503, 'server busy, please try again.  maximum pending requests exceeded'],
    ['busy', 503, 'no slot available'],
    [undefined, 503, 'overloaded'],
    [undefined, 200, 'Loading model'],
    [undefined, 429, 'context length tokens per minute exceeded'],
    ['unreadable-call', 500, "error parsing tool call: raw='{', err=unexpected end of JSON input"],
    ['key-refused', 400, 'No connected db.'],
    ['key-refused', 401, ''],
    ['unpaid', 402, 'Insufficient Balance'],
    ['unpaid', 429, 'Insufficient balance. Please recharge.'],
    ['unpaid', 403, 'Your credit balance is too low to access the API'],
    ['unpaid', 400, 'Your account is in arrears: the account has an overdue balance'],
    ['quota', 429, 'Rate limit exceeded: requests-per-day. Add credits for more requests a day.'],
    ['quota', 429, 'Rate limit reached on tokens per day (TPD): Limit 100000, Used 99900, Requested 300.'],
    ['quota', 429, 'You have used up your monthly allowance'],
    ['large-request', 429, 'Request too large for m on tokens per minute (TPM): Limit 8000, Requested 12000'],
    ['large-request', 429, 'Rate limit: Limit 8000, Used 0, Requested 12,000.'],
    [undefined, 429, 'Rate limit reached on TPM: Limit 8000, Used 7000, Requested 2000. Try again in 6s.'],
    [undefined, 429, 'Too many requests'],
    ['too-long', 429, 'the prompt is longer than the context length'],
    ['too-long', 400, 'Prompt exceeds max length'],
    ['too-long', 400, 'tokens in request more than max tokens allowed'],
    ['too-long', 400, 'Prompt length 9000 is greater than max_seq_len 8192'],
    [
      'too-long',
      400,
      'The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)',
    ],
    ['too-long', 400, 'prompt length (9000) exceeds maximum input length (8192)'],
    ['too-long', 400, 'Total tokens of image and text exceed max message tokens'],
    ['too-long', 400, 'Input is longer than the maximum'],
    ['large-body', 413, 'Request Entity Too Large'],
    ['too-long', 413, 'the context length is exceeded'],
    ['upstream-dead', 500, 'Connection error.'],
    ['upstream-dead', 502, 'Bad Gateway'],
    [undefined, 400, 'Connection error.'],
    [undefined, 500, 'boom'],
    [undefined, 400, 'unknown field seed'],
  ];
  for (const [meaning, status, said] of meanings) {
    it(`finds ${meaning ?? 'nothing'} in ${status ?? 'a stream'}: ${said}`, () => {
      assert.equal(meaningOf(readError({ error: { message: said } }), status), meaning);
    });
  }

  it('reads the error code', () => {
    const error = { message: 'no', type: 'exceed_context_size_error', n_prompt_tokens: 4_478, n_ctx: 4_096 };
    assert.equal(meaningOf(readError({ error }), 400), 'too-long');
    assert.deepEqual(figuresIn(readError({ error })), { prompt: 4_478, window: 4_096 });
    const code = { error: { message: 'no', code: 'context_length_exceeded' } };
    assert.equal(meaningOf(readError(code), 400), 'too-long');
    assert.equal(
      meaningOf(readError({ error: { message: 'x', code: 'insufficient_quota' } }), 429),
      'unpaid',
    );
  });

  const figures: readonly (readonly [
    said: string,
    prompt: number | undefined,
    window: number | undefined,
  ])[] = [
    [
      'request (4480 tokens) exceeds the available context size (4096 tokens), try increasing it',
      4_480,
      4_096,
    ],
    [
      "You passed 9001 input tokens and requested 100 output tokens. However, the model's context length is only 8192 tokens, resulting in",
      9_001,
      8_192,
    ],
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      9_000,
      8_192,
    ],
    [
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (1000 of text input)",
      140_000,
      131_072,
    ],
    ["The input (9000 tokens) is longer than the model's context length (8192 tokens).", 9_000, 8_192],
    [
      "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000",
      9_000,
      8_192,
    ],
    ['Input length (9000 tokens) exceeds the maximum allowed length (8192 tokens).', 9_000, 8_192],
    [
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096',
      5_000,
      4_096,
    ],
    ['Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)', 5_000, 4_096],
    ['Your request exceeded model token limit: 8192 (requested: 9000)', 9_000, 8_192],
    ['The input token count (9000) exceeds the maximum number of tokens allowed (8192).', 9_000, 8_192],
    ['Prompt contains 9000 tokens, too large for model with 8192 maximum context length', 9_000, 8_192],
    ["This model's maximum prompt length is 8192 but the request contains 9000 tokens.", 9_000, 8_192],
    ['prompt is too long: 210,000 tokens > 200,000 maximum', 210_000, 200_000],
    ['input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000', 199_000, 200_000],
    ['Range of input length should be [1, 30720]', undefined, 30_720],
    ['`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens', 5_000, 4_096],
    ["This model's maximum context length is 8192 tokens", undefined, 8_192],
    ['the context window of 4096 tokens is full', undefined, 4_096],
    ['Prompt length 9000 is greater than max_seq_len 8192', 9_000, 8_192],
    [
      'The sum of prompt length (9000.0), query length (0) should not exceed max_num_tokens (8192)',
      9_000,
      8_192,
    ],
    ['prompt length (9000) exceeds maximum input length (8192)', 9_000, 8_192],
  ];
  for (const [said, prompt, window] of figures) {
    it(`finds the figures in: ${said}`, () => {
      assert.deepEqual(figuresIn(readError(said)), {
        ...(prompt !== undefined && { prompt }),
        ...(window !== undefined && { window }),
      });
    });
  }

  it('finds no figures if there are none', () => {
    for (const said of ['Context size has been exceeded.', 'max_tokens must be at least 1, got -384'])
      assert.equal(figuresIn(readError(said)), undefined);
  });

  it('knows errors in events from chunks of a reply', () => {
    assert.equal(errorInEvent({ object: 'error', message: 'm' })?.text, 'm');
    assert.equal(errorInEvent([{ error: { message: 'm' } }])?.text, 'm');
    assert.equal(errorInEvent({ detail: 'm' })?.text, 'm');
    assert.equal(errorInEvent({ message: 'm' })?.text, 'm');
    for (const chunk of [
      { choices: [] },
      { choices: [{ delta: { content: 'x' } }], message: 'x' },
      { id: 'x', object: 'chat.completion.chunk', choices: [] },
      { usage: { prompt_tokens: 1 } },
      { id: 'x', message: 'hello' },
      null,
      'x',
      [],
    ])
      assert.equal(errorInEvent(chunk), undefined);
  });

  const events: readonly (readonly [event: unknown, text: string | undefined, name?: string])[] = [
    [{ code: 401, msg: 'token expired', success: false }, 'token expired'],
    [{ code: 'x', msg: 'no' }, 'no'],
    [{ base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'login fail'],
    [{ id: 'x', choices: null, base_resp: { status_code: 1008, status_msg: 'empty' } }, 'empty'],
    [{ choices: [], base_resp: { status_code: 0, status_msg: 'success' } }, undefined],
    [{ success: false, errorCode: 'Busy', errorMessage: 'slow down' }, 'slow down'],
    [{ error_code: 110, error_msg: 'token invalid' }, 'token invalid'],
    [{ fault: { faultstring: 'no quota' } }, 'no quota'],
    [{ success: false, errors: [{ code: 7, message: 'no route' }] }, 'no route'],
    [{ choices: [{ error: { code: 502, message: 'gone' } }] }, 'gone'],
    [{ choices: [{ delta: {} }], error: { message: 'gone' } }, 'gone'],
    [{ text: 'x', message: 'gone', id: '1' }, 'gone', 'error'],
    [{ choices: null, usage: { total_tokens: 0 } }, undefined],
    [{ code: 200, msg: 'ok' }, undefined],
    [{ success: true, message: 'ok' }, undefined],
    [{ type: 'ping', message: 'here' }, undefined],
    [{ status: 'processing', message: 'wait' }, undefined],
    [{ error: null, choices: [] }, undefined],
    [{ error: '', message: '' }, undefined],
    [{ error: {} }, undefined],
  ];
  for (const [event, text, name] of events) {
    it(`${text === undefined ? 'finds no error' : 'finds the error'} in ${JSON.stringify(event)}`, () =>
      assert.equal(errorInEvent(event, name)?.text, text));
  }

  const inner = { error: { message: 'inner words', code: 'context_length_exceeded' } };
  const wrapped: readonly (readonly [name: string, error: object])[] = [
    ['text of JSON', { metadata: { raw: JSON.stringify(inner) } }],
    ['an object', { metadata: { raw: inner } }],
    ['text', { metadata: { raw: 'inner words: context_length_exceeded' } }],
    ['another field', { upstream_error: inner }],
  ];
  for (const [name, how] of wrapped) {
    it(`reads the error behind a router: ${name}`, () => {
      const said = readError({ error: { message: 'Provider returned error', code: 400, ...how } });
      assert.match(said.text, /^inner words/);
      assert.equal(said.status, 400);
      assert.equal(meaningOf(said, 400), 'too-long');
    });
  }

  it('prefers the words of a router to a web page behind it', () => {
    const said = readError({
      error: { message: 'Provider returned error', metadata: { raw: '<html>no</html>' } },
    });
    assert.equal(said.text, 'Provider returned error');
  });

  const delays: readonly (readonly [error: object, ms: number | undefined])[] = [
    [{ message: 'Please retry in 4.2s.' }, 4_200],
    [{ message: 'Please try again in 1m2.5s. Visit x' }, 62_500],
    [{ message: 'Try again in 150ms' }, 150],
    [{ message: 'retry after 20 seconds' }, 20_000],
    [{ message: 'Wait 2 minutes and 5 seconds' }, 125_000],
    [{ message: 'm', details: [{ '@type': 'x' }, { retryDelay: '4s' }] }, 4_000],
    [{ message: 'm', retry_after: 7 }, 7_000],
    [{ message: 'm', retry_after_ms: 700 }, 700],
    [{ message: 'm', metadata: { retry_after_seconds: '3' } }, 3_000],
    [{ message: 'm', metadata: { headers: { 'Retry-After': '9' } } }, 9_000],
    [{ message: 'Retry in 4.2s', details: [{ retryDelay: '4s' }] }, 4_200],
    [{ message: 'Limit 8000 tokens, try a smaller request' }, undefined],
    [{ message: 'm', retry_after: 'never' }, undefined],
  ];
  for (const [error, ms] of delays) {
    it(`asks to wait ${ms ?? 'no'} ms: ${JSON.stringify(error)}`, () => {
      assert.equal(readError({ error }).afterMs, ms);
      assert.equal(readError([{ error }]).afterMs, ms);
    });
  }

  it('takes what Gemini calls a quota of the day for one', () => {
    const details = [
      { violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] },
      { retryDelay: '36s' },
    ];
    assert.equal(meaningOf(readError([{ error: { message: 'Quota exceeded', details } }]), 429), 'quota');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (value) => {
        const said = readError(value);
        figuresIn(said);
        meaningOf(said, 400);
        errorInEvent(value);
        return typeof said.text === 'string';
      }),
    );
  });

  it('reads a long text in time that grows with it', () => {
    const long = '{'.repeat(60_000) + 'context length '.repeat(4_000);
    const took = cpuMs(() => {
      const said = readError(long);
      figuresIn(said);
      meaningOf(said, 500);
    });
    assert.ok(took < 2_000, `${took} ms`);
  });
});
