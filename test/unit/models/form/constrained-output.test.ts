import assert from 'node:assert/strict';
import type { ModelDelta } from '../../../../src/core/words/model';
import type { Fact, FormSupports } from '../../../../src/models/fact-types';
import { constrainOutput, type ConstrainMode } from '../../../../src/models/form/constrained-output';
import { openAiModel } from '../../../../src/models/openai';
import type { ModelProfile } from '../../../../src/models/profiles';
import type { ServerKind } from '../../../../src/models/server-facts';
import { endpointOptions, constrainOptions } from '../../../../src/models/servers/endpoint-options';
import { findProtocol, replyForm } from '../../../../src/protocols';
import {
  answerWith,
  FakeEndpoint,
  streamReasoning,
  streamText,
} from '../../../support/servers/fake-endpoint';
import { factInMemory } from '../../../support/servers/fact-in-memory';
import { requestedForm, probeReplies } from '../../../support/servers/form-probe';

const READ = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
} as const;

const CALL = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';

describe('a reply that is held to its form', () => {
  let endpoint: FakeEndpoint;
  let probes: number;
  before(async () => (endpoint = await FakeEndpoint.start()));
  beforeEach(() => {
    endpoint.reset();
    probes = 0;
  });
  after(() => endpoint.stop());

  interface Way {
    readonly mode?: ConstrainMode;
    readonly server?: ServerKind;
    readonly mayProbe?: boolean;
    readonly support?: Fact<FormSupports>;
    readonly profile?: Partial<ModelProfile>;
  }

  function probed(how: keyof typeof probeReplies): void {
    endpoint.answerProbe = (request) => {
      probes++;
      return probeReplies[how](request);
    };
  }

  /** Sends a message, as often as `times`, through one model; gives the texts and what was said of the form. */
  async function send(
    protocolId: string,
    way: Way = {},
    times = 1,
  ): Promise<{ texts: string[]; said: string[] }> {
    const { mode, server, mayProbe = true, support = factInMemory<FormSupports>({}) } = way;
    const profile: ModelProfile = {
      id: 'm',
      provider: 'openai',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      ...(server && { facts: { kind: server } }),
      ...(mode && { forcedForm: mode }),
      ...way.profile,
    };
    const plain = openAiModel({
      name: 'm',
      baseUrl: endpoint.baseUrl,
      model: 'm',
      apiKey: async () => undefined,
      ...endpointOptions(profile),
    });
    const options = { ...constrainOptions(profile), mayProbe, support, formOf: replyForm };
    const model = constrainOutput(options)(plain);
    const texts: string[] = [];
    const said: string[] = [];
    for (let time = 0; time < times; time++) {
      const request = findProtocol(protocolId)!.request({
        instructions: 'Be short.',
        turns: [{ type: 'user', text: 'Read a.txt' }],
        tools: [READ],
      });
      const deltas: ModelDelta[] = [];
      for await (const delta of model.stream(request, new AbortController().signal)) deltas.push(delta);
      texts.push(deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join(''));
      said.push(...deltas.flatMap((delta) => (delta.type === 'unforced' ? [delta.message] : [])));
      const failed = deltas.find(({ type }) => type === 'failure');
      assert.equal(failed, undefined, JSON.stringify(failed));
    }
    return { texts, said };
  }

  const forms = (): (string | undefined)[] => endpoint.requests.map((each) => requestedForm(each)?.field);

  it('is asked for after one short request has shown that it works', async () => {
    probed('takes');
    endpoint.always(() => streamText(CALL));
    const { texts, said } = await send('hermes', { server: 'llamacpp' }, 2);
    assert.deepEqual(texts, [CALL, CALL]);
    assert.deepEqual(said, []);
    assert.equal(probes, 1);
    assert.deepEqual(forms(), ['grammar', 'grammar']);
    assert.match(requestedForm(endpoint.requests[0]!)!.form, /read_file/);
    const [system] = endpoint.requests[0]!.body.messages;
    assert.match(system!.content, /^Be short\./);
    assert.doesNotMatch(system!.content, /code fence|Strict JSON/);
    assert.match(system!.content, /<tool_call>/);
  });

  for (const [how, sentence] of [
    ['refuses', /refuses/],
    ['ignores', /does not enforce it/],
    ['leaks', /on the reasoning instead/],
    ['rambles', /does not end its reasoning/],
  ] as const) {
    it(`is free with a server that ${how}, which is said once`, async () => {
      probed(how);
      endpoint.always(() => streamText(CALL));
      const support = factInMemory<FormSupports>({});
      const first = await send('hermes', { server: 'llamacpp', support }, 2);
      assert.deepEqual(first.texts, [CALL, CALL]);
      assert.equal(first.said.length, 1);
      assert.match(first.said[0]!, sentence);
      // Another run already knows it.
      const second = await send('hermes', { server: 'llamacpp', support });
      assert.deepEqual(second.said, []);
      assert.deepEqual(forms(), [undefined, undefined, undefined]);
      assert.equal(probes, how === 'rambles' || how === 'leaks' ? 2 : 1);
      assert.match(endpoint.requests[0]!.body.messages[0]!.content, /code fence/);
    });
  }

  it('has the thinking that the template of the model opens', async () => {
    probed('opens');
    endpoint.always(() => streamReasoning('Hm.', CALL));
    const { said } = await send('hermes', { server: 'llamacpp' });
    assert.deepEqual(said, []);
    const { form } = requestedForm(endpoint.requests[0]!)!;
    assert.match(form, /<\/think>/);
    assert.doesNotMatch(form, /"<think>/);
  });

  it('is requested again at once without the grammar if that is refused later, in the same reply', async () => {
    endpoint.always((request) =>
      requestedForm(request)
        ? answerWith(400, 'application/json', '{"error":{"message":"bad request"}}')
        : streamText(CALL),
    );
    const { texts, said } = await send('vcp', { mode: 'on', server: 'llamacpp' }, 2);
    assert.deepEqual(texts, [CALL, CALL]);
    assert.equal(said.length, 1);
    assert.deepEqual(forms(), ['grammar', undefined, undefined]);
  });

  it('is requested again if a server that accepted the grammar names the field in a refusal', async () => {
    const answers = [
      streamText('Yes.'),
      answerWith(400, 'application/json', '{"error":{"message":"failed to parse grammar"}}'),
    ];
    endpoint.always((request) => (requestedForm(request) ? answers.shift()! : streamText(CALL)));
    const { texts, said } = await send('hermes', { mode: 'on', server: 'llamacpp' }, 3);
    assert.deepEqual(texts, ['Yes.', CALL, CALL]);
    assert.equal(said.length, 1);
    assert.deepEqual(forms(), ['grammar', 'grammar', undefined, undefined]);
  });

  it('is found not to follow the form on an untested server', async () => {
    endpoint.always(() => streamText('```\n<tool_call>\n{"name": "read_file"'));
    const { said } = await send('hermes', { mode: 'on', server: 'llamacpp' }, 2);
    assert.equal(said.length, 1);
    assert.match(said[0]!, /does not enforce/);
    assert.deepEqual(forms(), ['grammar', undefined]);
  });

  it('is noticed to bind the thinking alone', async () => {
    endpoint.next(streamReasoning(CALL));
    const { said } = await send('hermes', { mode: 'on', server: 'llamacpp' });
    assert.equal(said.length, 1);
    assert.match(said[0]!, /reasoning/);
  });

  it('stays known to work over a single empty answer, and a refusal that names something else', async () => {
    const support = factInMemory<FormSupports>({ grammar: 'works' });
    endpoint.next(streamReasoning('Hm.'));
    const empty = await send('hermes', { server: 'llamacpp', support });
    assert.deepEqual(empty.said, []);
    endpoint.next(
      answerWith(400, 'application/json', '{"error":{"message":"bad request"}}'),
      streamText(CALL),
    );
    const refused = await send('hermes', { server: 'llamacpp', support });
    assert.deepEqual(refused.texts, [CALL]);
    assert.equal(refused.said.length, 1);
    assert.equal(support.read().grammar, 'works');
    assert.deepEqual(forms(), ['grammar', 'grammar', undefined]);
  });

  for (const [server, protocol, field] of [
    [undefined, 'vcp', 'grammar'],
    [undefined, 'json', 'response_format'],
    ['llamacpp', 'json', 'grammar'],
    ['llamacpp', 'envelope', 'grammar'],
    ['koboldcpp', 'xml', 'grammar'],
    ['vllm', 'glm', 'structured_outputs'],
    ['sglang', 'invoke', 'ebnf'],
    ['tabbyapi', 'hermes', 'grammar_string'],
    ['litellm', 'hermes', 'grammar'],
    ['lmstudio', 'json', 'response_format'],
    ['lmstudio', 'vcp', undefined],
    ['openrouter', 'envelope', 'response_format'],
    ['ollama', 'hermes', undefined],
  ] as const) {
    it(`is asked for by ${field ?? 'nothing'} with ${protocol} over ${server ?? 'an unknown server'}`, async () => {
      endpoint.always(() =>
        streamText(
          protocol === 'json' || protocol === 'envelope'
            ? '{"action":"finish","content":"x","say":"x","tool_calls":[]}'
            : 'Fine.',
        ),
      );
      const { said } = await send(protocol, { mode: 'on', ...(server && { server }) });
      assert.deepEqual(forms(), [field]);
      if (field === undefined) assert.match(said.join(), /only JSON schemas/);
    });
  }

  it('is not requested from a remote server before a test', async () => {
    probed('takes');
    await send('hermes', { server: 'llamacpp', mayProbe: false });
    assert.deepEqual(forms(), [undefined]);
    assert.equal(probes, 0);
  });

  it('is not requested if it is off, the protocol has no grammar, or the profile has its own', async () => {
    probed('takes');
    await send('hermes', { mode: 'off', server: 'llamacpp' });
    await send('native', { mode: 'on', server: 'llamacpp' });
    assert.deepEqual(forms(), [undefined, undefined]);
    await send('hermes', { mode: 'on', profile: { extraBody: { grammar: 'root ::= "x"' } } });
    assert.equal(requestedForm(endpoint.requests[2]!)?.form, JSON.stringify('root ::= "x"'));
    assert.equal(probes, 0);
  });

  it('learns nothing from a broken server', async () => {
    const support = factInMemory<FormSupports>({});
    const { said } = await send('hermes', { server: 'llamacpp', support }, 2);
    assert.deepEqual(said, []);
    assert.equal(support.read().grammar, undefined);
    assert.deepEqual(forms(), [undefined, undefined]);
  });
});
