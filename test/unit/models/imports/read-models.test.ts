import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ReadModel } from '../../../../src/models/imports/found-model';
import { readClineState } from '../../../../src/models/imports/cline';
import { readModels } from '../../../../src/models/imports/read-models';
import { readOllamaEndpoint } from '../../../../src/models/imports/vscode-endpoints';

/** The asserted fields of one, in a line. */
function line(read: ReadModel): string {
  if (read.type === 'left-out') return `${read.from}: ${read.name} left out, ${read.why}`;
  const { from, name, provider, baseUrl = '-', api, model, contextWindow, vision, key, hasMore } = read;
  const more = [
    api,
    contextWindow,
    vision && 'vision',
    key !== undefined && `key ${key}`,
    hasMore && 'more',
  ].filter(Boolean);
  return [`${from}: ${name}`, provider, baseUrl, model, ...more].join(' | ');
}

const rows: readonly {
  readonly name: string;
  readonly value: unknown;
  readonly expect: readonly string[];
}[] = [
  {
    name: 'config.yaml of Continue',
    value: {
      name: 'Mine',
      version: '1.0.0',
      schema: 'v1',
      models: [
        {
          name: 'Big',
          provider: 'openai',
          model: 'big-1',
          apiBase: 'https://llm.example.com/v1/',
          apiKey: 'sk-1',
          defaultCompletionOptions: { contextLength: 65536 },
          capabilities: ['tool_use', 'image_input'],
          requestOptions: { headers: { 'X-Team': 'secret' } },
        },
        { name: 'Own', provider: 'ollama', model: 'qwen3:8b' },
        { name: 'Box', provider: 'ollama', model: 'qwen3:8b', apiBase: 'http://gpu-box:11434/' },
        { name: 'Studio', provider: 'lmstudio', model: 'qwen', apiBase: 'http://localhost:1234' },
        { name: 'Deep', provider: 'deepseek', model: 'deepseek-chat', apiKey: '${{ secrets.DEEPSEEK }}' },
        { name: 'Claude', provider: 'anthropic', model: 'claude', apiKey: 'sk-2' },
        { uses: 'anthropic/claude-3.5-sonnet', with: { KEY: 'x' } },
        { name: 'Embed', provider: 'ollama', model: 'nomic', roles: ['embed'] },
        { name: 'Any', provider: 'ollama', model: 'AUTODETECT' },
      ],
    },
    expect: [
      'Continue: Big | openai | https://llm.example.com/v1 | big-1 | 65536 | vision | key sk-1 | more',
      'Continue: Own | ollama | - | qwen3:8b',
      'Continue: Box | ollama | http://gpu-box:11434 | qwen3:8b',
      'Continue: Studio | openai | http://localhost:1234/v1 | qwen',
      'Continue: Deep | openai | https://api.deepseek.com/v1 | deepseek-chat',
      'Continue: Claude | openai | https://api.anthropic.com/v1 | claude | messages | key sk-2',
      'Continue: anthropic/claude-3.5-sonnet left out, elsewhere',
      'Continue: Embed left out, not-chat',
      'Continue: Any left out, no-model',
    ],
  },
  {
    name: 'config.json of Continue',
    value: {
      models: [
        {
          title: 'Old',
          provider: 'openai',
          model: 'm',
          apiBase: 'http://127.0.0.1:8080/v1/chat/completions',
          apiKey: 'EMPTY',
          contextLength: 4096,
        },
      ],
    },
    expect: ['Continue: Old | openai | http://127.0.0.1:8080/v1 | m | 4096'],
  },
  {
    name: 'providers.json of Cline',
    value: {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'sk-3',
            baseUrl: 'https://llm.example.com/v1',
            model: 'house',
            contextWindow: 128000,
            capabilities: ['tools', 'vision'],
          },
        },
        cline: { settings: { provider: 'cline', model: 'x' } },
        ollama: { settings: { provider: 'ollama', baseUrl: 'http://localhost:11434', model: 'qwen3:8b' } },
      },
    },
    expect: [
      'Cline: house | openai | https://llm.example.com/v1 | house | 128000 | vision | key sk-3',
      'Cline: x left out, login',
      'Cline: qwen3:8b | ollama | - | qwen3:8b',
    ],
  },
  {
    name: 'globalState.json of Cline, of which both modes have the same',
    value: {
      actModeApiProvider: 'openai',
      planModeApiProvider: 'openai',
      openAiBaseUrl: 'http://192.168.1.5:8000/v1',
      actModeOpenAiModelId: 'm',
      planModeOpenAiModelId: 'm',
      actModeOpenAiModelInfo: { contextWindow: 32768 },
      planModeOpenAiModelInfo: { contextWindow: 32768 },
    },
    expect: ['Cline: m | openai | http://192.168.1.5:8000/v1 | m | 32768'],
  },
  {
    name: "Roo Code's export",
    value: {
      providerProfiles: {
        currentApiConfigName: 'work',
        apiConfigs: {
          work: {
            apiProvider: 'openai',
            openAiBaseUrl: 'https://llm.example.com',
            openAiApiKey: 'sk-4',
            openAiModelId: 'large',
            openAiCustomModelInfo: { contextWindow: 200000, supportsImages: true },
            openAiHeaders: { 'X-Team': 'secret' },
          },
          local: {
            apiProvider: 'lmstudio',
            lmStudioModelId: 'qwen',
            lmStudioBaseUrl: 'http://127.0.0.1:1234',
          },
          small: { apiProvider: 'ollama', ollamaModelId: 'qwen3:8b', ollamaNumCtx: 16384 },
          proxy: {
            apiProvider: 'litellm',
            litellmBaseUrl: 'http://gw:4000',
            litellmApiKey: 'sk-5',
            litellmModelId: 'house',
          },
          router: { apiProvider: 'openrouter', openRouterApiKey: 'sk-or', openRouterModelId: 'z-ai/glm-5' },
          native: { apiProvider: 'openai-native', apiModelId: 'gpt-5', openAiNativeApiKey: 'sk-6' },
          copilot: {
            apiProvider: 'vscode-lm',
            vsCodeLmModelSelector: { vendor: 'copilot', family: 'gpt-4o' },
          },
          cloud: { apiProvider: 'bedrock', apiModelId: 'x' },
          unfinished: { apiProvider: 'openai' },
        },
      },
    },
    expect: [
      'Roo Code: work | openai | https://llm.example.com | large | 200000 | vision | key sk-4 | more',
      'Roo Code: local | openai | http://127.0.0.1:1234/v1 | qwen',
      'Roo Code: small | ollama | - | qwen3:8b | 16384',
      'Roo Code: proxy | openai | http://gw:4000/v1 | house | key sk-5',
      'Roo Code: router | openai | https://openrouter.ai/api/v1 | z-ai/glm-5 | key sk-or',
      'Roo Code: native | openai | https://api.openai.com/v1 | gpt-5 | key sk-6',
      'Roo Code: copilot | vscode | - | copilot/gpt-4o',
      'Roo Code: cloud left out, other-api',
      'Roo Code: unfinished left out, no-model',
    ],
  },
  {
    name: 'chatLanguageModels.json of VS Code',
    value: [
      {
        name: 'Group',
        vendor: 'customendpoint',
        apiKey: '${input:chat.lm.secret.1}',
        apiType: 'chat-completions',
        models: [
          {
            id: 'gpt-4o',
            name: 'GPT-4o',
            url: 'https://api.openai.com/v1/chat/completions',
            vision: true,
            maxInputTokens: 128000,
            maxOutputTokens: 16000,
          },
          { id: 'r', name: 'R', url: 'https://llm.example.com/v1', apiType: 'responses' },
          { id: 's', name: 'S', url: 'https://llm.example.com/v1/responses' },
        ],
      },
      { vendor: 'customoai', models: [{ id: 'm', url: 'http://gw/api', apiKey: 'sk-7' }] },
      { vendor: 'ollama', name: 'Local Ollama', url: 'http://localhost:11434' },
      { vendor: 'copilot', settings: {} },
    ],
    expect: [
      'VS Code: GPT-4o | openai | https://api.openai.com/v1 | gpt-4o | 128000 | vision',
      'VS Code: R | openai | https://llm.example.com/v1 | r | responses',
      'VS Code: S | openai | https://llm.example.com/v1 | s | responses',
      'VS Code: m | openai | http://gw/api/v1 | m | key sk-7',
      'VS Code: Local Ollama left out, no-model',
    ],
  },
  {
    name: "the setting of VS Code's custom endpoints",
    value: {
      'github.copilot.chat.customOAIModels': {
        house: { name: 'House', url: 'https://llm.example.com/v1', maxInputTokens: 32768, vision: false },
      },
    },
    expect: ['VS Code: House | openai | https://llm.example.com/v1 | house | 32768'],
  },
  {
    name: 'invalid addresses and keys',
    value: {
      models: [
        { title: 'a', provider: 'openai', model: 'm', apiBase: 'https://me:pw@llm.example.com/v1' },
        { title: 'b', provider: 'openai', model: 'm', apiBase: 'file:///etc/passwd' },
        { title: 'c', provider: 'openai', model: 'm', apiBase: '${HOST}/v1' },
        {
          title: 'd',
          provider: 'openai',
          model: 'm',
          apiBase: 'https://x.example/v1?key=1#a',
          apiKey: 'a b',
        },
        { title: 'e', provider: 'openai', model: 'm', apiBase: 'https://x.example/v1', apiKey: 'a\nHost: b' },
        { title: 'f', provider: 'constructor', model: 'm' },
        { title: 'g', provider: 'openai', model: '${MODEL}' },
        { title: 'h', provider: 'openai', model: 'm', apiKey: 7, contextLength: -1 },
        null,
        'x',
      ],
    },
    expect: [
      'Continue: a left out, no-address',
      'Continue: b left out, no-address',
      'Continue: c left out, no-address',
      'Continue: d | openai | https://x.example/v1 | m',
      'Continue: e | openai | https://x.example/v1 | m',
      'Continue: f left out, other-api',
      'Continue: g left out, no-model',
      'Continue: h | openai | https://api.openai.com/v1 | m',
      'Continue:  left out, other-api',
      'Continue:  left out, other-api',
    ],
  },
];

describe('models of other programs', () => {
  for (const { name, value, expect } of rows) {
    it(`reads ${name}`, () => {
      assert.deepEqual(readModels(value)?.map(line), expect);
    });
  }

  it('takes the keys of Cline from the file beside', () => {
    const state = { actModeApiProvider: 'mistral', actModeApiModelId: 'devstral' };
    assert.deepEqual(readClineState(state, { mistralApiKey: 'sk-8' }).map(line), [
      'Cline: devstral | openai | https://api.mistral.ai/v1 | devstral | key sk-8',
    ]);
  });

  it('tells of the Ollama that Copilot uses', () => {
    assert.deepEqual(readOllamaEndpoint('http://gpu-box:11434').map(line), [
      'VS Code: Ollama (http://gpu-box:11434) left out, no-model',
    ]);
    assert.deepEqual(readOllamaEndpoint(7), []);
  });

  it('says that an unrelated file has no models', () => {
    for (const value of [{}, { a: 1 }, 'x', 7, null, undefined]) assert.equal(readModels(value), undefined);
  });

  it('reads no more of a file than can be looked through', () => {
    const models = Array.from({ length: 2_000 }, (_, at) => ({ provider: 'ollama', model: `m${at}` }));
    assert.equal(readModels({ models })?.length, 500);
  });

  it('never throws, with anything in the fields', () => {
    const words = [
      ...['models', 'providers', 'providerProfiles', 'apiConfigs', 'settings', 'apiProvider', 'provider'],
      ...['model', 'apiBase', 'apiKey', 'url', 'id', 'vendor', 'customoai', 'openai', 'ollama', 'name'],
      ...['actModeApiProvider', 'openAiBaseUrl', 'roles', 'uses', '__proto__', 'http://[', '$', 'https://x'],
    ];
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(...words),
        fc.anything(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (file, secrets) => {
        for (const read of readModels(file, secrets) ?? []) {
          assert.ok(read.name.length <= 200);
          if (read.type === 'found' && read.baseUrl !== undefined)
            assert.match(new URL(read.baseUrl).protocol, /^http/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
