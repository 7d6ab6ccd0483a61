import { isJsonObject } from '../../base/json';
import {
  fieldIn,
  hasEntries,
  judge,
  listIn,
  textIn,
  type Entry,
  type Program,
  type ReadModel,
} from './found-model';

/** `~/.cline/data/settings/providers.json` of Cline from 3.8x on: one entry per provider. */
export function readClineProviders(value: unknown): readonly ReadModel[] {
  const providers = fieldIn(value, 'providers');
  if (!isJsonObject(providers)) return [];
  return Object.entries(providers).map(([id, entry]) => {
    const settings = fieldIn(entry, 'settings');
    return judge({
      from: 'Cline',
      name: undefined,
      provider: textIn(settings, 'provider') ?? id,
      address: fieldIn(settings, 'baseUrl'),
      model: textIn(settings, 'model'),
      contextWindow: fieldIn(settings, 'contextWindow'),
      vision: listIn(fieldIn(settings, 'capabilities')).includes('vision'),
      key: fieldIn(settings, 'apiKey'),
      hasMore: hasEntries(fieldIn(settings, 'headers')),
    });
  });
}

/**
 * `globalState.json` of older versions, with the keys of `secrets.json` beside it: a provider for each of its two
 * modes.
 */
export function readClineState(state: unknown, secrets: unknown = {}): readonly ReadModel[] {
  const modes = ['act', 'plan'].flatMap((mode) => {
    const provider = textIn(state, `${mode}ModeApiProvider`);
    return provider === undefined ? [] : [{ mode, provider }];
  });
  const read = modes.map(({ mode, provider }) => {
    const named = (field: string): string => `${mode}Mode${field[0]?.toUpperCase()}${field.slice(1)}`;
    return judge(
      entryOf('Cline', provider, undefined, (field) => {
        const values = [fieldIn(state, named(field)), fieldIn(state, field), fieldIn(secrets, field)];
        return values.find((each) => each !== undefined);
      }),
    );
  });
  return read.filter(
    (each, at) => read.findIndex((other) => JSON.stringify(other) === JSON.stringify(each)) === at,
  );
}

/** The export of Roo Code's settings, and files that other programs derive from it: configurations by name. */
export function readRoo(value: unknown): readonly ReadModel[] {
  const configs = fieldIn(fieldIn(value, 'providerProfiles'), 'apiConfigs');
  if (!isJsonObject(configs)) return [];
  return Object.entries(configs).map(([name, config]) => {
    const provider = textIn(config, 'apiProvider') ?? '';
    if (provider === 'vscode-lm') return ofVsCode(name, config);
    return judge(entryOf('Roo Code', provider, name, (field) => fieldIn(config, field)));
  });
}

function ofVsCode(name: string, config: unknown): ReadModel {
  const selector = fieldIn(config, 'vsCodeLmModelSelector');
  const vendor = textIn(selector, 'vendor');
  const model = textIn(selector, 'id') ?? textIn(selector, 'family');
  if (vendor === undefined || model === undefined)
    return { type: 'left-out', from: 'Roo Code', name, why: 'no-model', provider: 'vscode-lm' };
  return {
    type: 'found',
    from: 'Roo Code',
    name,
    provider: 'vscode',
    model: `${vendor}/${model}`,
    hasMore: false,
  };
}

/**
 * Fields of a provider in both programs, which share their names. If several are named, the first present one counts.
 */
const FIELDS: Readonly<
  Record<string, { readonly model: readonly string[]; readonly address: string; readonly key: string }>
> = {
  openai: { model: ['openAiModelId'], address: 'openAiBaseUrl', key: 'openAiApiKey' },
  'openai-compatible': { model: ['openAiModelId'], address: 'openAiBaseUrl', key: 'openAiApiKey' },
  'openai-native': { model: ['apiModelId'], address: 'openAiNativeBaseUrl', key: 'openAiNativeApiKey' },
  anthropic: { model: ['apiModelId'], address: 'anthropicBaseUrl', key: 'apiKey' },
  ollama: { model: ['ollamaModelId'], address: 'ollamaBaseUrl', key: 'ollamaApiKey' },
  lmstudio: { model: ['lmStudioModelId'], address: 'lmStudioBaseUrl', key: 'lmStudioApiKey' },
  openrouter: { model: ['openRouterModelId'], address: 'openRouterBaseUrl', key: 'openRouterApiKey' },
  litellm: { model: ['liteLlmModelId', 'litellmModelId'], address: 'liteLlmBaseUrl', key: 'liteLlmApiKey' },
  deepseek: { model: ['apiModelId'], address: 'deepSeekBaseUrl', key: 'deepSeekApiKey' },
  mistral: { model: ['apiModelId'], address: 'mistralBaseUrl', key: 'mistralApiKey' },
  groq: { model: ['groqModelId', 'apiModelId'], address: 'groqBaseUrl', key: 'groqApiKey' },
  gemini: { model: ['apiModelId'], address: '', key: 'geminiApiKey' },
  xai: { model: ['apiModelId'], address: '', key: 'xaiApiKey' },
  together: { model: ['togetherModelId', 'apiModelId'], address: '', key: 'togetherApiKey' },
  fireworks: { model: ['fireworksModelId', 'apiModelId'], address: '', key: 'fireworksApiKey' },
  cerebras: { model: ['apiModelId'], address: '', key: 'cerebrasApiKey' },
  moonshot: { model: ['apiModelId'], address: 'moonshotBaseUrl', key: 'moonshotApiKey' },
};

/** Roo Code has another format for this provider. */
const SPELLED: Readonly<Record<string, string>> = {
  liteLlmBaseUrl: 'litellmBaseUrl',
  liteLlmApiKey: 'litellmApiKey',
};

function entryOf(
  from: Program,
  provider: string,
  name: string | undefined,
  get: (field: string) => unknown,
): Entry {
  const fields = Object.hasOwn(FIELDS, provider) ? FIELDS[provider] : undefined;
  const read = (field: string): unknown => get(field) ?? get(SPELLED[field] ?? field);
  const model = fields?.model.map(get).find((each) => typeof each === 'string');
  // Only these have the user's own description of the model.
  const isOwn = provider === 'openai' || provider === 'openai-compatible';
  const info = isOwn ? (get('openAiCustomModelInfo') ?? get('openAiModelInfo')) : undefined;
  return {
    from,
    name,
    provider,
    address: fields && fields.address !== '' ? read(fields.address) : undefined,
    model: typeof model === 'string' ? model : undefined,
    contextWindow:
      fieldIn(info, 'contextWindow') ?? (provider === 'ollama' ? get('ollamaNumCtx') : undefined),
    vision: fieldIn(info, 'supportsImages'),
    key: fields && read(fields.key),
    hasMore: isOwn && hasEntries(get('openAiHeaders')),
  };
}
