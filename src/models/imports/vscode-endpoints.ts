import { isJsonObject } from '../../base/json';
import { impliedApi } from '../api-address';
import type { Api } from '../apis/api-name';
import { fieldIn, hasEntries, judge, listIn, textIn, type ReadModel } from './found-model';

/** The setting `github.copilot.chat.customOAIModels`: models by id. */
export function readCustomModels(value: unknown): readonly ReadModel[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([id, entry]) => readEndpoint(id, entry, {}));
}

/** `chatLanguageModels.json` of a VS Code profile: groups of models; those of custom endpoints are imported. */
export function readLanguageModels(value: unknown): readonly ReadModel[] {
  return listIn(value).flatMap((group): readonly ReadModel[] => {
    const vendor = textIn(group, 'vendor') ?? '';
    if (vendor === 'customoai' || vendor === 'customendpoint')
      return listIn(fieldIn(group, 'models')).map((each) => readEndpoint(undefined, each, group));
    // Built-in vendors list their models themselves; only their address can be imported.
    const name = textIn(group, 'name') ?? vendor;
    return vendor === '' || vendor === 'copilot'
      ? []
      : [{ type: 'left-out', from: 'VS Code', name, why: 'no-model', provider: vendor }];
  });
}

/** `github.copilot.chat.byok.ollamaEndpoint`: only an address. */
export function readOllamaEndpoint(value: unknown): readonly ReadModel[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  const name = `Ollama (${value.trim().slice(0, 100)})`;
  return [{ type: 'left-out', from: 'VS Code', name, why: 'no-model', provider: 'ollama' }];
}

function readEndpoint(id: string | undefined, entry: unknown, group: unknown): ReadModel {
  const model = id ?? textIn(entry, 'id') ?? textIn(entry, 'modelId') ?? textIn(entry, 'model');
  const name = textIn(entry, 'name') ?? model;
  const url = textIn(entry, 'url') ?? textIn(entry, 'baseUrl') ?? textIn(group, 'url') ?? '';
  const type = textIn(entry, 'apiType') ?? textIn(group, 'apiType') ?? 'chat-completions';
  const api = type === 'chat-completions' ? impliedApi(url) : APIS.find((each) => each === type);
  return judge({
    from: 'VS Code',
    name,
    provider: api === undefined ? type : 'openai-compatible',
    api,
    address: withVersion(url),
    model,
    // The maximum input, so it is a safe value for the window.
    contextWindow: fieldIn(entry, 'maxInputTokens'),
    vision: fieldIn(entry, 'vision'),
    key: fieldIn(entry, 'apiKey') ?? fieldIn(group, 'apiKey'),
    hasMore: hasEntries(fieldIn(entry, 'requestHeaders')),
  });
}

/** Values of `apiType` besides `chat-completions`. */
const APIS: readonly Api[] = ['responses', 'messages'];

/** VS Code completes an address without a version or the path of a request. */
function withVersion(url: string): string {
  const text = url.trim().replace(/\/+$/, '');
  return text === '' || /\/(?:chat\/completions|responses|messages)$|\/v\d+$/.test(text)
    ? text
    : `${text}/v1`;
}
