/** What a client must know about the gateway. */
export interface Reach {
  /** With `/v1` at the end. */
  readonly address: string;
  readonly token: string;
  /** Any name works: the gateway has only one model. */
  readonly model: string;
}

/** One way to reach the gateway from a client. */
export interface ClientHelp {
  /** Where to put the text. */
  readonly where: string;
  readonly text: (reach: Reach) => string;
}

/** What to write into the configuration of other programs, by their names on the command line. */
export const clients: Readonly<Record<string, readonly ClientHelp[]>> = {
  opencode: [
    {
      where: 'In opencode.json of the project, or ~/.config/opencode/opencode.json:',
      text: ({ address, token, model }) =>
        json({
          $schema: 'https://opencode.ai/config.json',
          provider: {
            parley: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Parley',
              options: { baseURL: address, apiKey: token },
              models: { [model]: { name: model } },
            },
          },
          model: `parley/${model}`,
        }),
    },
  ],
  cline: [
    {
      where: 'In the settings of the extension (API Provider: OpenAI Compatible):',
      text: ({ address, token, model }) => `Base URL: ${address}\nAPI Key: ${token}\nModel ID: ${model}`,
    },
    {
      where: 'On the command line:',
      text: ({ address, token, model }) => `cline auth -p openai -k ${token} -m ${model} -b ${address}`,
    },
  ],
  continue: [
    {
      where: 'In ~/.continue/config.yaml:',
      text: ({ address, token, model }) =>
        [
          'name: Parley',
          'version: 1.0.0',
          'schema: v1',
          'models:',
          '  - name: Parley',
          '    provider: openai',
          `    model: ${model}`,
          `    apiBase: ${address}`,
          `    apiKey: ${token}`,
          '    roles: [chat, edit, apply]',
          '    capabilities: [tool_use]',
        ].join('\n'),
    },
  ],
  kilo: [
    {
      where: 'In ~/.config/kilo/kilo.json, or kilo.json of the project (limit: what your model can):',
      text: ({ address, token, model }) =>
        json({
          provider: {
            parley: {
              npm: '@ai-sdk/openai-compatible',
              models: { [model]: { name: model, limit: { context: 32768, output: 8192 } } },
              options: { apiKey: token, baseURL: address },
            },
          },
          model: `parley/${model}`,
        }),
    },
    {
      where:
        'Or in the editor, under Settings, Providers, Custom provider (Provider API: OpenAI Compatible):',
      text: ({ address, token, model }) => `Base URL: ${address}\nAPI key: ${token}\nModels: ${model}`,
    },
  ],
  zed: [
    {
      where: 'In settings.json (max_tokens: the context window of your model):',
      text: ({ address, model }) =>
        json({
          language_models: {
            openai_compatible: {
              'parley-gateway': {
                api_url: address,
                available_models: [
                  {
                    name: model,
                    display_name: 'Parley',
                    max_tokens: 32768,
                    capabilities: {
                      tools: true,
                      images: false,
                      parallel_tool_calls: true,
                      prompt_cache_key: false,
                    },
                  },
                ],
              },
            },
          },
        }),
    },
    {
      where: 'In the environment of Zed, or as the API key in its provider settings:',
      text: ({ token }) => `export PARLEY_GATEWAY_API_KEY=${token}`,
    },
  ],
  codex: [
    {
      where: 'In ~/.codex/config.toml:',
      text: ({ address, model }) =>
        [
          `model = "${model}"`,
          'model_provider = "parley"',
          '',
          '[model_providers.parley]',
          'name = "Parley"',
          `base_url = "${address}"`,
          'env_key = "PARLEY_TOKEN"',
          'wire_api = "responses"',
        ].join('\n'),
    },
    { where: 'In the environment:', text: ({ token }) => `export PARLEY_TOKEN=${token}` },
  ],
  aider: [
    {
      where: 'On the command line:',
      text: ({ address, token, model }) =>
        `export OPENAI_API_BASE=${address}\nexport OPENAI_API_KEY=${token}\naider --model openai/${model}`,
    },
  ],
  openai: [
    {
      where: 'In the environment, for every program with an SDK of OpenAI:',
      text: ({ address, token }) => `export OPENAI_BASE_URL=${address}\nexport OPENAI_API_KEY=${token}`,
    },
  ],
  'claude-code': [
    {
      where: 'In the environment, where ANTHROPIC_API_KEY must not be set:',
      text: ({ address, token, model }) =>
        [
          // It adds the version to the address itself.
          `export ANTHROPIC_BASE_URL=${address.replace(/\/v1$/, '')}`,
          `export ANTHROPIC_AUTH_TOKEN=${token}`,
          `export ANTHROPIC_MODEL=${model}`,
          `export ANTHROPIC_DEFAULT_HAIKU_MODEL=${model}`,
        ].join('\n'),
    },
  ],
};

/** The help for a client; nothing if it is unknown. */
export function clientHelp(name: string, reach: Reach, say: (english: string) => string): string | undefined {
  if (!Object.hasOwn(clients, name)) return undefined;
  return clients[name]?.map(({ where, text }) => `${say(where)}\n\n${indented(text(reach))}\n`).join('\n');
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
