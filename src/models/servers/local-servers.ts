import { baseAddresses } from '../api-address';
import { isNear } from '../place';
import type { ServerKind } from '../server-facts';
import type { ListedModel } from './answers';
import { lookAt, type ServerAddress } from './ask';

export interface LocalServer {
  readonly label: string;
  readonly baseUrl: string;
}

export interface FoundServer extends LocalServer {
  /** May be empty. */
  readonly models: readonly ListedModel[];
  /** It needs a key before it answers anything. */
  readonly isLocked: boolean;
}

/** Default addresses of local servers. */
export const localServers: readonly LocalServer[] = [
  { label: 'Ollama', port: 11434 },
  { label: 'LM Studio', port: 1234 },
  // Also LocalAI's.
  { label: 'llama.cpp', port: 8080 },
  // Fallback port of llama.cpp.
  { label: 'llama.cpp', port: 9931 },
  { label: 'vLLM', port: 8000 },
  { label: 'SGLang', port: 30000 },
  // Always needs a key, with any value.
  { label: 'Jan', port: 1337 },
  { label: 'LiteLLM', port: 4000 },
  { label: 'KoboldCpp', port: 5001 },
  { label: 'TabbyAPI', port: 5000 },
].map(({ label, port }) => ({ label, baseUrl: `http://127.0.0.1:${port}/v1` }));

const LABELS: Readonly<Record<ServerKind, string>> = {
  jan: 'Jan',
  koboldcpp: 'KoboldCpp',
  litellm: 'LiteLLM',
  llamacpp: 'llama.cpp',
  lmstudio: 'LM Studio',
  localai: 'LocalAI',
  mistral: 'Mistral',
  ollama: 'Ollama',
  openrouter: 'OpenRouter',
  sglang: 'SGLang',
  tabbyapi: 'TabbyAPI',
  vllm: 'vLLM',
};

/** Local servers that answer, with their models, all asked in parallel. Never rejects. */
export async function findLocalServers(
  servers: readonly LocalServer[],
  signal: AbortSignal,
  keyFor: (baseUrl: string) => Promise<string | undefined> = async () => undefined,
): Promise<readonly FoundServer[]> {
  const found = await Promise.all(
    servers.map(async (server) =>
      findServer(server.label, [{ baseUrl: server.baseUrl, key: await keyFor(server.baseUrl) }], signal),
    ),
  );
  return found.filter((each) => each !== undefined);
}

/** The server at the first of these addresses that answers. Never rejects. */
export async function findServer(
  label: string,
  addresses: readonly ServerAddress[],
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const seen = await seekServer(label, addresses, signal);
  return seen.type === 'server' ? seen.server : undefined;
}

/** Servers at possible addresses. */
export type Seen =
  | { readonly type: 'server'; readonly server: FoundServer }
  /** Something answers, but tells no models: a gateway may do so. */
  | { readonly type: 'unlisted'; readonly baseUrl: string; readonly status: number }
  | { readonly type: 'silent' };

/** The same, and whether anything answered at all. `limit`: milliseconds per address. Never rejects. */
export async function seekServer(
  label: string,
  addresses: readonly ServerAddress[],
  signal: AbortSignal,
  limit?: number,
): Promise<Seen> {
  let answering: Seen = { type: 'silent' };
  for (const address of addresses) {
    const { baseUrl } = address;
    const look = await lookAt(address, signal, limit);
    if (look.type === 'none') {
      if (look.status !== undefined && answering.type === 'silent')
        answering = { type: 'unlisted', baseUrl, status: look.status };
      continue;
    }
    const models = look.type === 'found' ? look.models : [];
    const kind = models.find(({ facts }) => facts.kind)?.facts.kind;
    const server = { label: kind ? LABELS[kind] : label, baseUrl, models, isLocked: look.type === 'locked' };
    return { type: 'server', server };
  }
  return answering;
}

/**
 * Base URLs that a typed server address may mean: a port, a host with or without one, an address with or without a
 * path. The likeliest first; none if it is invalid or contains a password.
 */
export function readAddress(typed: string): readonly string[] {
  const text = typed.trim();
  if (text === '' || /\s/.test(text)) return [];
  const port = /^:?(\d{1,5})$/.exec(text)?.[1];
  const full = port === undefined ? text : `127.0.0.1:${port}`;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(full) ? full : schemeFor(full) + full;
  if (!/^https?:\/\//i.test(withScheme) || !URL.canParse(withScheme)) return [];
  const url = new URL(withScheme);
  if (url.username !== '' || url.password !== '' || url.port === '0') return [];
  url.hash = '';
  // Servers that list their models usually do so below /v1.
  return [...baseAddresses(url.href)].sort((one, other) => versionsIn(other) - versionsIn(one));
}

function versionsIn(base: string): number {
  return /\/v\d/.test(base) ? 1 : 0;
}

/** Private servers usually have no certificate; others would be contacted without encryption. */
function schemeFor(hostAndMore: string): string {
  return isNear(`http://${hostAndMore}`) ? 'http://' : 'https://';
}

/**
 * Online services with a documented compatible Chat Completions API, by documented address. All need a key of the
 * user.
 */
export const knownProviders: readonly LocalServer[] = [
  { label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  { label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { label: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { label: 'Mistral', baseUrl: 'https://api.mistral.ai/v1' },
  { label: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1' },
  { label: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
  { label: 'Google Gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { label: 'xAI', baseUrl: 'https://api.x.ai/v1' },
  { label: 'Together', baseUrl: 'https://api.together.xyz/v1' },
  { label: 'Fireworks', baseUrl: 'https://api.fireworks.ai/inference/v1' },
  { label: 'Cerebras', baseUrl: 'https://api.cerebras.ai/v1' },
  { label: 'Moonshot', baseUrl: 'https://api.moonshot.ai/v1' },
  { label: 'Z.ai', baseUrl: 'https://api.z.ai/api/paas/v4' },
];
