import { rootOf } from '../api-address';
import { tokenCount } from '../server-facts';
import { field } from './answers';
import { getJson, type ServerAddress } from './ask';

/** Result of loading a model. `window`: tokens as the server reports them; may be less than requested. */
export type LoadResult =
  { readonly type: 'loaded'; readonly window?: number } | { readonly type: 'failed'; readonly said: string };

/** Milliseconds: large models come from slow disks. */
const LOAD = 280_000;
const UNLOAD = 30_000;

/** Maximum characters shown of a server's message. */
const SAID = 300;

/**
 * Makes LM Studio (0.4 or newer) load a model with this window. Loaded instances are unloaded first: they would
 * answer instead of the new one, and use its memory. https://lmstudio.ai/docs/developer/rest/load
 */
export async function loadIntoLmStudio(
  address: ServerAddress,
  model: string,
  window: number,
  signal: AbortSignal,
): Promise<LoadResult> {
  const root = rootOf(address.baseUrl);
  const { body: listed } = await getJson(address, `${root}/api/v1/models`, signal);
  const { key, instances } = findModel(listed, model);
  for (const instance of instances) {
    await getJson(address, `${root}/api/v1/models/unload`, signal, { instance_id: instance }, UNLOAD);
  }
  const wanted = { model: key, context_length: window, echo_load_config: true };
  const { status, body } = await getJson(address, `${root}/api/v1/models/load`, signal, wanted, LOAD);
  if (status !== 200) return { type: 'failed', said: saidIn(body) };
  const loaded = tokenCount(field(field(body, 'load_config'), 'context_length'));
  return { type: 'loaded', ...(loaded !== undefined && { window: loaded }) };
}

function findModel(
  listed: unknown,
  model: string,
): { readonly key: string; readonly instances: readonly string[] } {
  const models = field(listed, 'models');
  for (const each of Array.isArray(models) ? (models as readonly unknown[]) : []) {
    const loaded = field(each, 'loaded_instances');
    const ids = (Array.isArray(loaded) ? (loaded as readonly unknown[]) : [])
      .map((instance) => field(instance, 'id'))
      .filter((id) => typeof id === 'string');
    const key = field(each, 'key');
    if (typeof key === 'string' && (key === model || ids.includes(model))) return { key, instances: ids };
  }
  return { key: model, instances: [] };
}

/** `{ "error": { "message": "…" } }` or `{ "error": "…" }`. */
function saidIn(body: unknown): string {
  const error = field(body, 'error');
  const said = typeof error === 'string' ? error : field(error, 'message');
  return typeof said === 'string' ? said.slice(0, SAID) : '';
}

/** Windows to offer: doubled from 8,192 on, those larger than the current one, up to the trained window. */
export function windowsToOffer(window: number | undefined, trained: number | undefined): readonly number[] {
  const most = trained ?? 131_072;
  const sizes: number[] = [];
  for (let size = 8_192; size < most; size *= 2) sizes.push(size);
  return [...sizes, most].filter((size) => size > (window ?? 0));
}
