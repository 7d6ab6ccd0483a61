import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeFacts, tokenCount, type ServerFacts } from '../../../../src/models/server-facts';
import {
  readLiteLlm,
  readLmStudio,
  readLocalAi,
  readModelList,
  readOldLmStudio,
  readOllamaLoaded,
  readOllamaModel,
  readProps,
  readSglang,
} from '../../../../src/models/servers/answers';

const entry = (data: object): ServerFacts | undefined =>
  readModelList({ data: [{ id: 'm', ...data }] })?.[0]?.facts;

describe('what servers say of their models', () => {
  const entries: [string, object, ServerFacts][] = [
    [
      'llama.cpp',
      { owned_by: 'llamacpp', meta: { n_ctx: 4096, n_ctx_train: 8192 } },
      { kind: 'llamacpp', window: 4096, trainedWindow: 8192 },
    ],
    [
      'llama.cpp of an older build, which says only what the model was trained for',
      { owned_by: 'llamacpp', meta: { n_ctx_train: 8192 } },
      { kind: 'llamacpp', trainedWindow: 8192 },
    ],
    [
      'llama.cpp that sees',
      { owned_by: 'llamacpp', architecture: { input_modalities: ['text', 'image'] } },
      { kind: 'llamacpp', vision: true },
    ],
    [
      'llama.cpp with many models',
      { owned_by: 'llamacpp', status: { value: 'unloaded' } },
      { kind: 'llamacpp', isLoaded: false },
    ],
    ['vLLM', { owned_by: 'vllm', max_model_len: 32768 }, { kind: 'vllm', window: 32768 }],
    ['SGLang', { owned_by: 'sglang', max_model_len: 16384 }, { kind: 'sglang', window: 16384 }],
    ['Ollama', { owned_by: 'library' }, { kind: 'ollama' }],
    [
      'LM Studio',
      { state: 'loaded', max_context_length: 131072, loaded_context_length: 4096 },
      { window: 4096, trainedWindow: 131072, isLoaded: true },
    ],
    [
      'LM Studio, not loaded',
      { state: 'not-loaded', max_context_length: 131072 },
      { trainedWindow: 131072, isLoaded: false },
    ],
    [
      'OpenRouter, whose endpoint is smaller',
      {
        context_length: 200000,
        top_provider: { context_length: 131072, max_completion_tokens: 16384 },
        architecture: { input_modalities: ['text'] },
        supported_parameters: ['tools', 'reasoning'],
      },
      { kind: 'openrouter', window: 131072, maxOutput: 16384, vision: false, tools: true, thinks: true },
    ],
    [
      'Mistral',
      {
        owned_by: 'mistralai',
        max_context_length: 131072,
        capabilities: { completion_chat: true, function_calling: true, vision: false },
      },
      { kind: 'mistral', window: 131072, tools: true, vision: false },
    ],
    ['a gateway that tells', { context_window: 131072 }, { window: 131072 }],
    [
      'a service that tells',
      { context_length: 262144, supports_image_in: true, supports_reasoning: true },
      { window: 262144, vision: true, thinks: true },
    ],
    ['invalid numbers', { max_model_len: '4096', context_length: -1, context_window: 1e300 }, {}],
    [
      'fields of another type',
      { owned_by: 7, meta: [], top_provider: null, capabilities: 'all', status: 'loaded' },
      {},
    ],
  ];
  for (const [name, data, facts] of entries) {
    it(`reads an entry of /v1/models: ${name}`, () => assert.deepEqual(entry(data), facts));
  }

  it('gives an adapter the window of its model', () => {
    const listed = readModelList({
      data: [
        { id: 'base', owned_by: 'vllm', max_model_len: 8192 },
        { id: 'lora', owned_by: 'vllm', parent: 'base', max_model_len: null },
      ],
    });
    assert.deepEqual(listed?.[1]?.facts, { kind: 'vllm', window: 8192 });
  });

  it('reads /props of llama.cpp', () => {
    const props = (more: object): ServerFacts | undefined =>
      readProps({ default_generation_settings: { n_ctx: 8192 }, modalities: { vision: false }, ...more });
    const base = { kind: 'llamacpp', window: 8192, vision: false, isLoaded: true };
    assert.deepEqual(props({ chat_template_caps: { supports_tools: false } }), { ...base, tools: false });
    assert.deepEqual(props({ chat_template_caps: { supports_tools: true, supports_tool_calls: true } }), {
      ...base,
      tools: true,
    });
    assert.deepEqual(props({ chat_template: '{% if enable_thinking %}' }), { ...base, thinks: true });
    assert.deepEqual(props({ chat_template: 'plain' }), base);
    assert.equal(readProps({ error: 'not found' }), undefined);
  });

  it('reads /api/v1/models of LM Studio, by key and by instance', () => {
    const answer = {
      models: [
        {
          key: 'qwen/qwen3-8b',
          max_context_length: 40960,
          loaded_instances: [
            { id: 'qwen/qwen3-8b', config: { context_length: 8192 } },
            { id: 'qwen/qwen3-8b:2', config: { context_length: 4096 } },
          ],
          capabilities: {
            vision: false,
            trained_for_tool_use: true,
            reasoning: { allowed_options: ['off', 'on'] },
          },
        },
        {
          key: 'small',
          max_context_length: 2048,
          loaded_instances: [],
          capabilities: { trained_for_tool_use: false },
        },
      ],
    };
    const qwen = {
      kind: 'lmstudio',
      trainedWindow: 40960,
      vision: false,
      tools: true,
      thinks: true,
      isLoaded: true,
      canLoad: true,
    };
    assert.deepEqual(readLmStudio(answer, 'qwen/qwen3-8b'), { ...qwen, window: 8192 });
    assert.deepEqual(readLmStudio(answer, 'qwen/qwen3-8b:2'), { ...qwen, window: 4096 });
    assert.deepEqual(readLmStudio(answer, 'qwen/qwen3-8b@q4_k_m'), { ...qwen, window: 4096 });
    assert.deepEqual(readLmStudio(answer, 'small'), {
      kind: 'lmstudio',
      trainedWindow: 2048,
      tools: false,
      isLoaded: false,
      canLoad: true,
    });
    assert.deepEqual(readLmStudio(answer, 'other'), { kind: 'lmstudio' });
    assert.equal(
      readLmStudio({ models: [{ name: 'llama' }] }, 'llama'),
      undefined,
      'the list of another server',
    );
  });

  it('reads /api/v0/models of older LM Studio', () => {
    const answer = {
      data: [
        {
          id: 'a',
          type: 'vlm',
          state: 'loaded',
          max_context_length: 32768,
          loaded_context_length: 4096,
          capabilities: ['tool_use'],
        },
        { id: 'b', type: 'llm', state: 'not-loaded', max_context_length: 8192 },
      ],
    };
    const a = {
      kind: 'lmstudio',
      window: 4096,
      trainedWindow: 32768,
      vision: true,
      tools: true,
      isLoaded: true,
    };
    assert.deepEqual(readOldLmStudio(answer, 'a'), a);
    assert.deepEqual(readOldLmStudio(answer, 'b'), {
      kind: 'lmstudio',
      trainedWindow: 8192,
      vision: false,
      isLoaded: false,
    });
    assert.equal(readOldLmStudio({ data: [{ id: 'a' }] }, 'a'), undefined);
  });

  it('reads /api/ps and /api/show of Ollama', () => {
    const loaded = {
      models: [
        { name: 'Qwen3:latest', context_length: 4096 },
        { model: 'hf.co/x/y:q4', context_length: 8192 },
      ],
    };
    assert.deepEqual(readOllamaLoaded(loaded, 'qwen3'), { window: 4096, isLoaded: true });
    assert.deepEqual(readOllamaLoaded(loaded, 'hf.co/x/y:q4'), { window: 8192, isLoaded: true });
    assert.deepEqual(readOllamaLoaded(loaded, 'qwen3:8b'), { isLoaded: false });
    assert.deepEqual(
      readOllamaModel({
        capabilities: ['completion', 'tools', 'thinking'],
        model_info: {
          'general.architecture': 'qwen3',
          'qwen3.context_length': 40960,
          'qwen3.vision.context_length': 1024,
        },
        parameters: 'stop    "<|im_end|>"\nnum_ctx                        16384\ntemperature 0.6',
      }),
      { kind: 'ollama', window: 16384, trainedWindow: 40960, vision: false, tools: true, thinks: true },
    );
    assert.deepEqual(
      readOllamaModel({ capabilities: ['completion'], model_info: { 'llama.context_length': 8192 } }),
      {
        ...{ kind: 'ollama', trainedWindow: 8192, vision: false, tools: false, thinks: false },
      },
    );
    assert.equal(readOllamaModel({ error: 'model not found' }), undefined);
  });

  it('reads /get_server_info of SGLang', () => {
    assert.deepEqual(
      readSglang({
        context_length: 32768,
        max_total_num_tokens: 20000,
        tool_call_parser: 'qwen25',
        reasoning_parser: 'qwen3',
      }),
      { kind: 'sglang', window: 20000, tools: true, thinks: true },
    );
    assert.deepEqual(readSglang({ context_length: null, tool_call_parser: null }), {
      kind: 'sglang',
      tools: false,
    });
    assert.equal(readSglang({ status: 'ok' }), undefined);
  });

  it('reads /model/info of LiteLLM: what holds for each server behind a name', () => {
    const answer = {
      data: [
        {
          model_name: 'house',
          model_info: { max_input_tokens: 128000, supports_function_calling: true, supports_vision: true },
        },
        {
          model_name: 'house',
          model_info: { max_input_tokens: 32000, supports_function_calling: true, supports_vision: false },
        },
        { model_name: 'own', model_info: { max_input_tokens: null, supports_function_calling: null } },
      ],
    };
    assert.deepEqual(readLiteLlm(answer, 'house'), {
      kind: 'litellm',
      window: 32000,
      tools: true,
      vision: false,
    });
    assert.deepEqual(readLiteLlm(answer, 'own'), { kind: 'litellm' });
    assert.equal(readLiteLlm({ data: [] }, 'own'), undefined);
  });

  it('reads /v1/models/capabilities of LocalAI', () => {
    const answer = {
      data: [
        { id: 'm', capabilities: ['chat', 'tools'], input_modalities: ['text', 'image'], context_size: 8192 },
      ],
    };
    assert.deepEqual(readLocalAi(answer, 'm'), { kind: 'localai', window: 8192, vision: true, tools: true });
    assert.deepEqual(readLocalAi(answer, 'other'), { kind: 'localai' });
  });

  it('uses the earlier of two answers, and never the trained length as the window', () => {
    assert.deepEqual(mergeFacts([{ window: 4096 }, { kind: 'ollama', window: 8192, tools: true }]), {
      ...{ kind: 'ollama', window: 4096, tools: true },
    });
    assert.deepEqual(mergeFacts([{ trainedWindow: 40960 }, {}]), { trainedWindow: 40960 });
    const file = { model_info: { 'llama.context_length': 8192 }, parameters: 'num_ctx 262144' };
    assert.equal(readOllamaModel(file)?.window, 8192, 'Ollama lowers it');
  });

  it('never throws, and says only what can be true', () => {
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(
          null,
          true,
          false,
          '',
          'm',
          4096,
          -1,
          0.5,
          1e300,
          'llamacpp',
          'loaded',
          '__proto__',
        ),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 8 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (answer) => {
        const read = [
          ...(readModelList(answer)?.map(({ facts }) => facts) ?? []),
          ...[readProps(answer), readOllamaModel(answer), readSglang(answer)],
          ...[readLmStudio, readOldLmStudio, readOllamaLoaded, readLiteLlm, readLocalAi].map((reader) =>
            reader(answer, 'm'),
          ),
        ];
        for (const facts of read) {
          for (const count of [facts?.window, facts?.trainedWindow, facts?.maxOutput]) {
            if (count !== undefined) assert.equal(tokenCount(count), count);
          }
          for (const known of [facts?.vision, facts?.tools, facts?.thinks, facts?.isLoaded]) {
            assert.ok(known === undefined || typeof known === 'boolean');
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

const NAMES = [
  ...[
    'data',
    'models',
    'id',
    'name',
    'model',
    'key',
    'meta',
    'n_ctx',
    'n_ctx_train',
    'max_model_len',
    'owned_by',
    'state',
  ],
  ...[
    'status',
    'value',
    'top_provider',
    'context_length',
    'capabilities',
    'vision',
    'loaded_instances',
    'config',
    'parent',
  ],
  ...[
    'supported_parameters',
    'architecture',
    'input_modalities',
    'default_generation_settings',
    'chat_template_caps',
  ],
  ...[
    'supports_tools',
    'chat_template',
    'model_info',
    'parameters',
    'tool_call_parser',
    'max_total_num_tokens',
    'reasoning',
  ],
  ...[
    'model_name',
    'max_input_tokens',
    'supports_vision',
    'context_size',
    'allowed_options',
    'type',
    'llm.context_length',
  ],
];
