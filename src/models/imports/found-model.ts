import { isJsonObject } from '../../base/json';
import type { Api } from '../apis/api-name';
import { isSendable } from '../headers';

/** Programs from which models can be imported. */
export type Program = 'Continue' | 'Cline' | 'Roo Code' | 'VS Code';

/** A model of another program, as far as a profile can express it. */
export interface FoundModel {
  readonly type: 'found';
  readonly from: Program;
  readonly name: string;
  readonly provider: 'openai' | 'ollama' | 'vscode';
  /** Absent for `vscode`, and for Ollama at its default address. */
  readonly baseUrl?: string;
  /** Chat Completions if absent. */
  readonly api?: Exclude<Api, 'chat'>;
  readonly model: string;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly vision?: boolean;
  /** As in the file. Only for `baseUrl`. */
  readonly key?: string;
  /** It has custom headers or body fields, which may contain secrets and are not imported. */
  readonly hasMore: boolean;
}

/** A model that cannot be imported. */
export interface LeftOut {
  readonly type: 'left-out';
  readonly from: Program;
  readonly name: string;
  readonly why: LeftOutReason;
  /** Its provider, as the program names it. */
  readonly provider: string;
}

export type LeftOutReason =
  /** Its provider speaks another API. */
  | 'other-api'
  /** It is reached with a login of that program. */
  | 'login'
  /** It is stored elsewhere; the file only refers to it. */
  | 'elsewhere'
  /** For completion, embedding and the like. */
  | 'not-chat'
  | 'no-model'
  | 'no-address';

export type ReadModel = FoundModel | LeftOut;

/** The data of one entry, before it is checked. */
export interface Entry {
  readonly from: Program;
  readonly name: string | undefined;
  /** As the program names it. */
  readonly provider: string;
  readonly address: unknown;
  /** That of the provider if not given. */
  readonly api?: Api | undefined;
  readonly model: string | undefined;
  readonly contextWindow?: unknown;
  readonly vision?: unknown;
  readonly key?: unknown;
  readonly hasMore?: boolean;
}

interface Service {
  readonly provider: 'openai' | 'ollama';
  /** Chat Completions if absent. */
  readonly api?: Api;
  /** Default address; absent if each user has a different one. */
  readonly baseUrl?: string;
  /** An address without a path means this one below it. */
  readonly path?: string;
}

/** Providers of the programs by normalized name, if they have an API that Parley supports. */
const SERVICES: Readonly<Record<string, Service>> = {
  openai: { provider: 'openai', baseUrl: 'https://api.openai.com/v1' },
  openainative: { provider: 'openai', baseUrl: 'https://api.openai.com/v1' },
  openaicompatible: { provider: 'openai' },
  ollama: { provider: 'ollama' },
  lmstudio: { provider: 'openai', baseUrl: 'http://127.0.0.1:1234/v1', path: '/v1' },
  llamacpp: { provider: 'openai', baseUrl: 'http://127.0.0.1:8080/v1', path: '/v1' },
  llamafile: { provider: 'openai', baseUrl: 'http://127.0.0.1:8080/v1', path: '/v1' },
  vllm: { provider: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', path: '/v1' },
  litellm: { provider: 'openai', baseUrl: 'http://127.0.0.1:4000/v1', path: '/v1' },
  openrouter: { provider: 'openai', baseUrl: 'https://openrouter.ai/api/v1' },
  anthropic: { provider: 'openai', api: 'messages', baseUrl: 'https://api.anthropic.com/v1', path: '/v1' },
  mistral: { provider: 'openai', baseUrl: 'https://api.mistral.ai/v1', path: '/v1' },
  deepseek: { provider: 'openai', baseUrl: 'https://api.deepseek.com/v1', path: '/v1' },
  groq: { provider: 'openai', baseUrl: 'https://api.groq.com/openai/v1' },
  gemini: { provider: 'openai', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  xai: { provider: 'openai', baseUrl: 'https://api.x.ai/v1' },
  together: { provider: 'openai', baseUrl: 'https://api.together.xyz/v1' },
  fireworks: { provider: 'openai', baseUrl: 'https://api.fireworks.ai/inference/v1' },
  cerebras: { provider: 'openai', baseUrl: 'https://api.cerebras.ai/v1' },
  moonshot: { provider: 'openai', baseUrl: 'https://api.moonshot.ai/v1' },
};

/** Default address of Ollama; a profile can omit it. */
const OLLAMA = /^https?:\/\/(?:127\.0\.0\.1|localhost):11434$/;

/** Names that mean any model of the server. */
const NO_MODEL = /^(?:AUTODETECT)?$/;

const CHARACTERS = { name: 200, model: 300, address: 2_048, key: 4_096 };

/** Converts an entry to a profile's data, or returns why it cannot. Never throws. */
export function judge(entry: Entry): ReadModel {
  const { from, provider } = entry;
  const model = entry.model?.trim() ?? '';
  const name = (entry.name?.trim() || model || provider).slice(0, CHARACTERS.name);
  const leave = (why: LeftOutReason): LeftOut => ({ type: 'left-out', from, name, why, provider });
  const id = plain(provider);
  const service = Object.hasOwn(SERVICES, id) ? SERVICES[id] : undefined;
  if (!service) return leave(id === 'cline' || id === 'roo' || id === 'clinepass' ? 'login' : 'other-api');
  const baseUrl = placeOf(entry.address, service);
  if (baseUrl === undefined) return leave('no-address');
  if (NO_MODEL.test(model) || model.length > CHARACTERS.model || isReference(model)) return leave('no-model');
  const { api = service.api ?? 'chat' } = entry;
  const key = keyIn(entry.key);
  const window = tokensIn(entry.contextWindow);
  return {
    type: 'found',
    from,
    name,
    provider: service.provider,
    ...(baseUrl !== '' && { baseUrl }),
    ...(api !== 'chat' && { api }),
    model,
    ...(window !== undefined && { contextWindow: window }),
    ...(entry.vision === true && { vision: true }),
    ...(key !== undefined && { key }),
    hasMore: entry.hasMore === true,
  };
}

function plain(provider: string): string {
  return provider.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The address of a profile; empty for the default. */
function placeOf(address: unknown, { provider, baseUrl, path = '' }: Service): string | undefined {
  if (address === undefined || address === null || address === '')
    return provider === 'ollama' ? '' : baseUrl;
  const read = addressIn(address);
  if (read === undefined) return undefined;
  if (provider !== 'ollama') return new URL(read).pathname === '/' ? read + path : read;
  const root = read.replace(/\/(?:v1|api)$/, '');
  return OLLAMA.test(root) ? '' : root;
}

/** An `http(s)` address without user name, password, query and the path of one request. */
export function addressIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > CHARACTERS.address || isReference(value)) return undefined;
  const text = value.trim();
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return undefined;
  return (
    url.origin +
    url.pathname.replace(/\/(?:chat\/completions|completions|responses|messages)\/?$/, '').replace(/\/+$/, '')
  );
}

/** `${…}` refers to a value stored elsewhere. */
function isReference(text: string): boolean {
  return /\$\{|\{\{/.test(text);
}

/** Values that people write for no key. */
const NO_KEY = /^(?:none|empty|dummy|no-?key|your[_-].*|<.*>|\*+)$/i;

function keyIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const key = value.trim();
  if (key === '' || key.length > CHARACTERS.key || isReference(key) || NO_KEY.test(key)) return undefined;
  return /\s/.test(key) || !isSendable('authorization', key) ? undefined : key;
}

function tokensIn(value: unknown): number | undefined {
  const isCount =
    typeof value === 'number' && Number.isInteger(value) && value >= 128 && value <= 100_000_000;
  return isCount ? value : undefined;
}

export function textIn(value: unknown, name: string): string | undefined {
  const found = fieldIn(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function fieldIn(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function hasEntries(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}
