import { fetchWhole } from './bounded';

export interface LocalServer {
  readonly label: string;
  readonly baseUrl: string;
}

export interface FoundServer extends LocalServer {
  /** Their ids; may be empty. */
  readonly models: readonly string[];
}

/** A server that runs says so at once. */
const TIMEOUT = 2_000;

/** More cannot be looked through. */
const MODELS_SHOWN = 200;

/** Which of these servers answer, with their models, all asked at the same time. Never rejects. */
export async function findLocalServers(
  servers: readonly LocalServer[],
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const found = await Promise.all(
    servers.map(async (server) => ({ ...server, models: await modelsOf(server, signal) })),
  );
  return found.flatMap(({ models, ...server }) => (models ? [{ ...server, models }] : []));
}

async function modelsOf(
  { baseUrl }: LocalServer,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const response = await fetchWhole(`${baseUrl}/models`, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    return response.ok ? modelIds(await response.json()) : undefined;
  } catch {
    // Nobody listens, or somebody who is no such server: whatever the reason, there is none.
    return undefined;
  }
}

/** `{ "data": [{ "id": "…" }] }` */
function modelIds(answer: unknown): readonly string[] | undefined {
  const list = field(answer, 'data');
  if (!Array.isArray(list)) return undefined;
  const ids = list.map((each) => field(each, 'id')).filter((id) => typeof id === 'string' && id !== '');
  return (ids as string[]).slice(0, MODELS_SHOWN);
}

function field(value: unknown, name: string): unknown {
  // SAFETY: any object can be read by name; what comes out is unknown.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
