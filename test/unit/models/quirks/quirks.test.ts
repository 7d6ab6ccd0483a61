import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json';
import type { ModelDelta, ModelFailure } from '../../../../src/core/words/model';
import { ModelFacts } from '../../../../src/models/model-facts';
import { openModel, openPass, type Purpose } from '../../../../src/models/open-model';
import type { ModelProfile } from '../../../../src/models/profiles';
import { MESSAGE_RULES } from '../../../../src/models/quirks/message-rules';
import { adaptedBody, quirksAfter, quirkTexts } from '../../../../src/models/quirks/quirks';
import { native } from '../../../../src/protocols/native/native';
import {
  answerWith,
  FakeEndpoint,
  streamText,
  type EndpointReply,
} from '../../../support/servers/fake-endpoint';
import { modelAccess } from '../../../support/servers/model-access';

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

/** A body in which every rule finds something to change. */
const body: JsonObject = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: '', tool_calls: [call('call_123456')] },
    { role: 'tool', tool_call_id: 'call_123456', content: '' },
    { role: 'user', content: [{ type: 'text', text: 'Look.' }, IMAGE] },
    { role: 'user', content: 'Now.' },
    { role: 'assistant', content: 'I will' },
  ],
  max_tokens: 100,
  temperature: 0.5,
  top_p: 0.9,
  stop: ['x'],
  seed: 7,
  user: 'me',
  stream_options: { include_usage: true },
  parallel_tool_calls: false,
};

const failed = (said: string, code: ModelFailure['code'] = 'rejected'): ModelFailure => ({
  code,
  message: 'It was refused.',
  said,
});

const fieldsIn = (said: string): string => (quirksAfter(failed(said), body, {})?.fields ?? []).join(' ');
const ruleIn = (said: string): string | undefined => quirksAfter(failed(said), body, {})?.rules?.[0];

describe('a refusal of a field', () => {
  for (const [said, fields] of [
    ["Unsupported parameter: 'max_tokens' is not supported with this model.", 'max_tokens'],
    [
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      'temperature',
    ],
    ['invalid temperature: only 1 is allowed for this model', 'temperature'],
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'top_p'],
    [
      "litellm.UnsupportedParamsError: openai does not support parameters: ['temperature', 'top_p'], for model=o3",
      'temperature top_p',
    ],
    [
      "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options', 'include_usage'), 'msg': 'Extra inputs are not permitted'}]",
      'stream_options',
    ],
    ['body.stop: Extra inputs are not permitted', 'stop'],
    ['"stop": Unsupported parameter.', 'stop'],
    ["property 'seed' is unsupported", 'seed'],
    ['Unrecognized request argument supplied: user', 'user'],
    ['parallel_tool_calls is not supported by this model', 'parallel_tool_calls'],
    ['Unknown parameter: thinking. Supported parameters: temperature, top_p, stop', ''],
    ['max_tokens must be at most 8192', ''],
    ['The user has not stopped the unsupported server.', ''],
    ['response_format is not supported', ''],
    ['model: m is not supported', ''],
  ] as const) {
    it(`is about ${fields || 'none that can be left out'}: ${said}`, () =>
      assert.equal(fieldsIn(said), fields));
  }

  it('renames a limit of tokens, and leaves it out if both names are refused', () => {
    const keys = (fields: readonly string[]): string =>
      Object.keys(adaptedBody({ max_tokens: 1 }, { fields })).join();
    assert.equal(keys(['max_tokens']), 'max_completion_tokens');
    assert.equal(keys(['max_tokens', 'max_completion_tokens']), '');
    assert.deepEqual(adaptedBody({ max_completion_tokens: 1 }, { fields: ['max_completion_tokens'] }), {
      max_tokens: 1,
    });
  });
});

/** What servers and templates say, by what they mean. */
const REFUSALS: Readonly<Record<keyof typeof MESSAGE_RULES, readonly string[]>> = {
  'no-system-role': [
    'System role not supported',
    'Developer instruction is not enabled for models/gemma-3-27b-it',
    "Invalid role: 'system'",
    'messages[0].role: unknown variant `system`, expected `user` or `assistant`',
    'This model does not support system messages.',
    'Only user and assistant roles are supported!',
  ],
  'no-images': [
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'No endpoints found that support image input',
    'm is not a multimodal model',
    'At most 0 image(s) may be provided in one request.',
    'unknown variant `image_url`, expected `text`',
    'Invalid content type. image_url is only supported by certain models.',
    'This model does not support images',
    "'messages.3.content' must be a string",
  ],
  'user-message-needed': [
    'No user query found in messages.',
    'messages must contain at least one user message',
    'First message must use the "user" role',
    'The conversation must start with a user message',
  ],
  'roles-alternate': ['Conversation roles must alternate user/assistant/user/assistant/...'],
  'no-user-behind-tool': [
    "Unexpected role 'user' after role 'tool'",
    'After a tool message, an assistant message must follow; expected assistant',
    'tool messages must be followed by an assistant message',
  ],
  'no-last-assistant': [
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    'Assistant response prefill is incompatible with enable_thinking.',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
    'Cannot set `add_generation_prompt` to True when the last message is from the assistant.',
  ],
  'no-empty-content': [
    'messages[1].content must not be empty (role assistant)',
    'messages: text content blocks must be non-empty',
    "message at position 1 with role 'assistant' must not be empty",
    'text content blocks must contain non-whitespace text',
  ],
  'short-call-ids': [
    'Tool call id was call_123456 but must be a-z, A-Z, 0-9, with a length of 9.',
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
};

describe('a refusal of messages', () => {
  for (const [rule, all] of Object.entries(REFUSALS)) {
    for (const said of all) it(`means ${rule}: ${said}`, () => assert.equal(ruleIn(said), rule));
  }

  for (const said of [
    '',
    'Internal server error',
    'The image of the model could not be loaded by docker',
    'Out of memory',
    'invalid tool call arguments',
  ]) {
    it(`means nothing: ${JSON.stringify(said)}`, () => assert.equal(ruleIn(said), undefined));
  }

  it('is learned once, and only if it changes the request', () => {
    const { rules } = quirksAfter(failed('System role not supported'), body, {})!;
    assert.deepEqual(rules, ['no-system-role']);
    assert.equal(quirksAfter(failed('System role not supported'), body, { rules }), undefined);
    const plain: JsonObject = { messages: [{ role: 'user', content: 'Hi.' }] };
    for (const all of Object.values(REFUSALS))
      for (const said of all) assert.equal(quirksAfter(failed(said), plain, {}), undefined, said);
  });

  it('is not looked for in failures about something else', () => {
    for (const code of ['too-long', 'unauthorized', 'rate-limited', 'unreachable'] as const)
      assert.equal(quirksAfter(failed('System role not supported', code), body, {}), undefined);
  });
});

const role = fc.constantFrom('system', 'user', 'assistant', 'tool');
const content = fc.oneof(
  fc.constantFrom('', ' ', 'Text.'),
  fc.constant([{ type: 'text', text: 'Look.' }, IMAGE]),
);
const message = fc
  .record({ role, content, id: fc.stringMatching(/^[a-z_]{0,12}$/) })
  .map(({ id, ...each }) => ({
    ...each,
    ...(each.role === 'tool' && { tool_call_id: id }),
    ...(each.role === 'assistant' && id.length > 6 && { tool_calls: [call(id)] }),
  }));

type Sent = { role: string; content: unknown; tool_calls?: { id: string }[]; tool_call_id?: string };

function adapted(messages: readonly object[], rules: readonly string[]): Sent[] {
  return (adaptedBody({ messages }, { rules }) as unknown as { messages: Sent[] }).messages;
}

/** What holds of all messages to which a rule was applied. */
const HOLDS: Readonly<Record<keyof typeof MESSAGE_RULES, (messages: readonly Sent[]) => boolean>> = {
  'no-system-role': (all) => all.every((each) => each.role !== 'system'),
  'no-images': (all) => !JSON.stringify(all).includes('image_url'),
  'user-message-needed': (all) => all.find((each) => each.role !== 'system')?.role === 'user',
  'roles-alternate': (all) =>
    all.every(
      (each, at) =>
        each.role === 'tool' ||
        each.tool_calls !== undefined ||
        all[at - 1]?.tool_calls !== undefined ||
        all[at - 1]?.role !== each.role,
    ),
  'no-user-behind-tool': (all) =>
    all.every((each, at) => each.role !== 'user' || all[at - 1]?.role !== 'tool'),
  'no-last-assistant': (all) => all.at(-1)?.role !== 'assistant',
  'no-empty-content': (all) =>
    all.every((each) => typeof each.content !== 'string' || each.content.trim() !== ''),
  'short-call-ids': (all) =>
    all.every(({ tool_calls: calls = [], tool_call_id: id }) =>
      [...calls.map((each) => each.id), ...(id === undefined ? [] : [id])].every((each) =>
        /^[a-zA-Z0-9]{9}$/.test(each),
      ),
    ),
};

describe('messages as an endpoint takes them', () => {
  for (const rule of Object.keys(HOLDS) as (keyof typeof MESSAGE_RULES)[]) {
    it(`follow ${rule}, alone and with all others, and do not change again`, () => {
      fc.assert(
        fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), (messages) => {
          const alone = adapted(messages, [rule]);
          assert.ok(HOLDS[rule](alone), JSON.stringify(alone));
          assert.deepEqual(adapted(alone, [rule]), alone);
          const all = adapted(messages, Object.keys(MESSAGE_RULES));
          assert.ok(HOLDS[rule](all), JSON.stringify(all));
        }),
      );
    });
  }

  it('keep their texts, and each call its result', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,12}$/), { minLength: 1, maxLength: 5 }),
        (ids) => {
          const messages = ids.flatMap((id) => [
            { role: 'user', content: `Ask ${id}.` },
            { role: 'assistant', content: 'Calling.', tool_calls: [call(id)] },
            { role: 'tool', tool_call_id: id, content: `Result ${id}.` },
          ]);
          const all = adapted(
            [{ role: 'system', content: 'Rules.' }, ...messages],
            Object.keys(MESSAGE_RULES),
          );
          const text = JSON.stringify(all.map((each) => each.content));
          for (const part of [
            'Rules.',
            ...ids.map((id) => `Ask ${id}.`),
            ...ids.map((id) => `Result ${id}.`),
          ])
            assert.ok(text.includes(part));
          const called = all.flatMap((each) => each.tool_calls?.map(({ id }) => id) ?? []);
          assert.equal(new Set(called).size, ids.length);
          assert.deepEqual(
            all.flatMap((each) => each.tool_call_id ?? []),
            called,
          );
        },
      ),
    );
  });
});

describe('an endpoint that refuses something', () => {
  let endpoint: FakeEndpoint;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => endpoint.reset());
  after(() => endpoint.stop());

  const refusal = (said: string, status = 400): EndpointReply =>
    answerWith(status, 'application/json', JSON.stringify({ error: { message: said } }));
  const profileOf = (given: Partial<ModelProfile> = {}): ModelProfile => ({
    ...{ id: 'p', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', temperature: 0.5, vision: true },
    ...given,
  });
  const request = native.request({
    instructions: 'Be brief.',
    turns: [
      {
        type: 'user',
        text: 'Look.',
        attachments: [{ type: 'image', label: 'image', image: { mediaType: 'image/png', data: 'AA==' } }],
      },
    ],
    tools: [],
  });

  async function ask(
    profile: ModelProfile,
    facts: ModelFacts,
    purpose: Purpose,
  ): Promise<readonly ModelDelta[]> {
    const deltas: ModelDelta[] = [];
    const model = await openModel(profile, modelAccess({ facts }), purpose);
    for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
    return deltas;
  }
  const textIn = (deltas: readonly ModelDelta[]): string =>
    deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
  const sent = (at: number): string => JSON.stringify(endpoint.requests.at(at)?.body);

  for (const purpose of ['chat', 'gateway', 'test', 'doctor'] as const) {
    it(`is asked again as it wants, and known from then on: ${purpose}`, async () => {
      const facts = new ModelFacts();
      endpoint.next(
        refusal("Unsupported parameter: 'temperature'"),
        refusal('System role not supported'),
        refusal('This model does not support images'),
        streamText('Seen.'),
        streamText('Again.'),
      );
      const profile = profileOf();
      const deltas = await ask(profile, facts, purpose);
      assert.equal(textIn(deltas), 'Seen.');
      const learned = deltas.flatMap((delta) => (delta.type === 'notice' ? [delta.message] : []));
      assert.deepEqual(learned, [...quirkTexts(facts.of(profile).quirks.read())]);
      assert.equal(learned.length, 3);
      assert.equal(textIn(await ask(profile, facts, purpose)), 'Again.');
      assert.equal(endpoint.requests.length, 5);
      for (const part of ['"temperature"', '"role":"system"', 'image_url'])
        assert.ok(!sent(-1).includes(part), part);
      assert.match(sent(-1), /Be brief\.[^]*Look\.[^]*An image is left out/);
    });
  }

  it('is not asked for ever', async () => {
    endpoint.next(...Array.from({ length: 20 }, () => refusal('System role not supported')));
    const deltas = await ask(profileOf(), new ModelFacts(), 'gateway');
    assert.equal(deltas.at(-1)?.type, 'failure');
    assert.equal(endpoint.requests.length, 2);
  });

  for (const status of [404, 500]) {
    it(`is asked once more without images after a ${status} without a reason, which is not kept`, async () => {
      const facts = new ModelFacts();
      endpoint.next(refusal('Something went wrong.', status), streamText('Fine.'));
      assert.equal(textIn(await ask(profileOf(), facts, 'gateway')), 'Fine.');
      assert.ok(!sent(-1).includes('image_url'));
      assert.deepEqual(facts.of(profileOf()).quirks.read(), {});
    });
  }

  it('gets requests that are forwarded in the same way', async () => {
    const facts = new ModelFacts();
    const pass = openPass(profileOf(), modelAccess({ facts }))!;
    endpoint.next(
      refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refusal('Assistant response prefill is incompatible with enable_thinking.'),
      streamText('Fine.'),
    );
    const messages = [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'I' },
    ];
    const passed = await pass(
      { model: 'm', messages, max_tokens: 5, stream: true },
      new AbortController().signal,
    );
    assert.ok(passed.type === 'passed');
    for await (const piece of passed.pieces) assert.ok(piece.length > 0);
    assert.match(sent(-1), /"max_completion_tokens":5/);
    assert.match(sent(-1), /"role":"user","content":"Continue\."\}\]/);
    assert.deepEqual(facts.of(profileOf()).quirks.read(), {
      fields: ['max_tokens'],
      rules: ['no-last-assistant'],
    });
  });

  it('gets no images of a client if the profile says that it takes none', async () => {
    endpoint.next(streamText('Fine.'));
    await ask(profileOf({ vision: false }), new ModelFacts(), 'gateway');
    assert.ok(!sent(-1).includes('image_url'));
  });
});
