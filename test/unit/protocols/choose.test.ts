import assert from 'node:assert/strict';
import { findProtocol, protocols } from '../../../src/protocols';
import { chooseProtocol, detectProtocol, suggestProtocol, suitedFor } from '../../../src/protocols/choose';
import { protocolNames } from '../../../src/protocols/names';

const rows: { model: string; protocol: string; fallback: string }[] = [
  { model: 'gpt-5.2', protocol: 'native', fallback: 'json' },
  { model: 'o4-mini', protocol: 'native', fallback: 'json' },
  { model: 'anthropic/claude-sonnet-5', protocol: 'native', fallback: 'json' },
  { model: 'gemini-3-pro', protocol: 'native', fallback: 'json' },
  { model: 'qwen3-coder:30b', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'qwen3.5-35b', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'qwen3:8b', protocol: 'native', fallback: 'hermes' },
  { model: 'Qwen2.5-Coder-7B-Instruct', protocol: 'native', fallback: 'hermes' },
  { model: 'hermes-4-70b', protocol: 'native', fallback: 'hermes' },
  { model: 'zai-org/GLM-4.6', protocol: 'native', fallback: 'glm' },
  { model: 'deepseek-chat', protocol: 'native', fallback: 'invoke' },
  { model: 'MiniMax-M2', protocol: 'native', fallback: 'invoke' },
  { model: 'DeepSeek-R1-Distill-Qwen-7B', protocol: 'invoke', fallback: 'vcp' },
  { model: 'gemma3:4b', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'phi3.5', protocol: 'invoke', fallback: 'vcp' },
  { model: 'phi-14', protocol: 'native', fallback: 'invoke' },
  { model: 'gemma4:26b', protocol: 'native', fallback: 'gemma4' },
  { model: 'google/gemma-4-26b-a4b-it', protocol: 'native', fallback: 'gemma4' },
  { model: 'gemma-4', protocol: 'native', fallback: 'gemma4' },
  { model: 'gemma4', protocol: 'native', fallback: 'gemma4' },
  { model: 'gemma-4-E4B-it-GGUF', protocol: 'native', fallback: 'gemma4' },
  { model: 'gemma', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'gemma:7b', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'gemma-7b-it', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'google/gemma-2-9b-it', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'gemma-1.1-7b-it', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'gemma3n:e4b', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'google-gemma-3-27b-it', protocol: 'pythonic', fallback: 'vcp' },
  { model: 'functiongemma:270m', protocol: 'native', fallback: 'gemma4' },
  { model: 'LiquidAI/LFM2.5-1.2B', protocol: 'native', fallback: 'pythonic' },
  { model: 'olmo-3-7b-instruct', protocol: 'native', fallback: 'pythonic' },
  { model: 'llama3.2:3b', protocol: 'native', fallback: 'pythonic' },
  { model: 'meta-llama/Llama-4-Scout', protocol: 'native', fallback: 'pythonic' },
  { model: 'qwen3.6:27b', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'Qwen/Qwen3.8-Max', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'qwen-3.10', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'gpt-oss:20b', protocol: 'native', fallback: 'json' },
  { model: 'openai/gptoss-120b', protocol: 'native', fallback: 'json' },
  { model: 'mistralai/devstral-2', protocol: 'native', fallback: 'json' },
  { model: 'meta-llama-3.1-8b-instruct', protocol: 'native', fallback: 'json' },
  { model: 'nvidia-nemotron-3-nano', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'mimo-v2-flash', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'hy3-preview', protocol: 'native', fallback: 'glm' },
  { model: 'inclusionai/ling-3', protocol: 'native', fallback: 'glm' },
  { model: 'ling-2.0', protocol: 'native', fallback: 'hermes' },
  { model: 'phi4-mini', protocol: 'native', fallback: 'json' },
  ...[
    ...[
      'GigaChat3.5-Lightning',
      'muse-glimmer-30b',
      'dots.llm2',
      'openbmb/MiniCPM5-8B',
      'step-3',
      'kimi-k2.6',
    ],
    ...['command-a-plus', 'c4ai-command-r7b', 'North-Mini', 'apertus-70b', 'solar-open-100b', 'internlm2'],
  ].map((model) => ({ model, protocol: 'native', fallback: 'invoke' })),
  { model: 'Step-3.7-Flash', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'Intern-S2', protocol: 'native', fallback: 'qwen3-coder' },
  { model: 'Llama-xLAM-2-8b-fc-r', protocol: 'native', fallback: 'json' },
  { model: 'our-own-model', protocol: 'native', fallback: 'invoke' },
];

describe('the protocol for a model', () => {
  for (const { model, ...expected } of rows) {
    it(`${model}: ${expected.protocol}, else ${expected.fallback}`, () => {
      assert.deepEqual(suitedFor(model), expected);
      assert.ok(findProtocol(expected.fallback));
    });
  }

  it('is chosen by the beginning of a name', () => {
    const patterns = protocolNames.flatMap(({ suits = {} }) =>
      [suits.first ?? [], suits.fallback ?? []].flat(),
    );
    for (const pattern of patterns)
      for (const { model } of rows) assert.doesNotMatch(`a-${model.toLowerCase()}`, pattern);
  });

  it("is the chosen one, else the profile's, else the table's", () => {
    const of = (...all: Parameters<typeof chooseProtocol>): string => chooseProtocol(...all).id;
    assert.equal(of('vcp', { protocol: 'json', model: 'gemma3' }), 'vcp');
    assert.equal(of('auto', { protocol: 'json', model: 'gemma3' }), 'json');
    assert.equal(of('auto', { model: 'gemma3' }), 'pythonic');
    assert.equal(of('auto', { protocol: 'nonsense' }), 'native');
  });

  it('is what the model was seen to write, unless one was chosen or its markers are lost', () => {
    const of = (...all: Parameters<typeof chooseProtocol>): string => chooseProtocol(...all).id;
    assert.equal(of('auto', { model: 'qwen3', spokenProtocol: 'json' }), 'json');
    assert.equal(of('vcp', { model: 'qwen3', spokenProtocol: 'json' }), 'vcp');
    assert.equal(of('auto', { protocol: 'vcp', spokenProtocol: 'json' }), 'vcp');
    assert.equal(
      of('auto', { model: 'qwen3', spokenProtocol: 'hermes', lostProtocols: ['hermes'] }),
      'native',
    );
    assert.equal(of('auto', { model: 'gemma3', lostProtocols: ['pythonic'] }), 'invoke');
  });

  it('is a text protocol if the server drops native tools, unless one was chosen', () => {
    const of = (...all: Parameters<typeof chooseProtocol>): string => chooseProtocol(...all).id;
    const dropped = { facts: { tools: false } };
    assert.equal(of('auto', { model: 'smollm2-135m', ...dropped }), 'invoke');
    assert.equal(of('auto', { model: 'qwen3:8b', ...dropped }), 'hermes');
    assert.equal(of('auto', { model: 'gemma3:4b', ...dropped }), 'pythonic');
    assert.equal(of('native', { model: 'qwen3:8b', ...dropped }), 'native');
    assert.equal(of('auto', { protocol: 'native', model: 'qwen3:8b', ...dropped }), 'native');
    assert.equal(of('auto', { model: 'qwen3:8b', facts: { tools: true } }), 'native');
    assert.equal(of('auto', { model: 'qwen3:8b', facts: {} }), 'native');
  });

  it('is suggested by the form the model wrote in, else by its name', () => {
    assert.equal(suggestProtocol('vcp', 'qwen3'), 'vcp');
    assert.equal(suggestProtocol('none of ours', 'qwen3'), 'hermes');
    assert.equal(suggestProtocol('harmony', 'local'), 'json');
    assert.equal(suggestProtocol('granite', 'local'), 'hermes');
    assert.equal(suggestProtocol('kimi', 'local'), 'invoke');
    assert.equal(suggestProtocol(undefined, 'glm-4.6'), 'glm');
    assert.equal(suggestProtocol(undefined, ''), 'invoke');
    assert.equal(suggestProtocol('hermes', 'qwen3', ['hermes']), 'invoke');
    assert.equal(suggestProtocol('kimi', 'local', ['invoke']), 'vcp');
  });
});

describe('the protocol of a recorded reply', () => {
  for (const { name, reply, expect } of [
    { name: 'is recognized by its sign', reply: 'Look.\n<tool_code>{}</tool_code>', expect: 'xml' },
    {
      name: 'is the one whose sign comes first',
      reply: '<tool_code>{"name":"write","arguments":{"content":"<<<[TOOL_REQUEST]>>>"}}</tool_code>',
      expect: 'xml',
    },
    {
      name: 'is that object if the object holds other forms',
      reply: '{"tool_calls":[{"name":"write","arguments":{"content":"<tool_call>"}}]}',
      expect: 'json',
    },
    {
      name: 'tells an envelope by its action',
      reply: '{"action":"tool_call","tool_calls":[]}',
      expect: 'envelope',
    },
    {
      name: 'recognizes an envelope by its action after the calls',
      reply: '```json\n{"tool_calls":[],"action":"tool_call"}\n```',
      expect: 'envelope',
    },
    { name: 'is native for recorded chunks', reply: '\ndata: {"choices":[]}\n', expect: 'native' },
    { name: 'is one that text does not look like where there is no sign', reply: 'Hello.', expect: 'vcp' },
  ]) {
    it(name, () => assert.equal(detectProtocol(reply), expect));
  }

  for (const protocol of protocols) {
    const { id, sign } = protocol;
    if (!sign || id === 'native') continue;
    it(`is ${id} for what that renders`, () => {
      const call = { id: 'c1', name: 'write_file', arguments: { path: 'a' } };
      const [reply] = protocol.renderReply([
        { type: 'text', text: 'Look.' },
        { type: 'call', call },
      ]);
      assert.equal(reply?.type === 'text' && detectProtocol(reply.text), id);
    });
  }

  it('is found in time that grows with the reply alone', () => {
    for (const piece of ['{', '"tool_calls":', '{"action":', '<tool_call', ' ', '```']) {
      // Were it to grow with the square, this would not end in the time of a test.
      detectProtocol(piece.repeat(200_000));
    }
  });
});
