import type { JsonObject } from '../base/json';

/** A model as both OpenAI's and Anthropic's clients read it. */
export function modelEntry(id: string): JsonObject {
  return {
    id,
    ...{ object: 'model', created: 0, owned_by: 'parley' },
    ...{ type: 'model', display_name: id, created_at: '1970-01-01T00:00:00Z' },
  };
}

/**
 * The answer to `GET /v1/models`. Codex, which sends its version, reports an error without `models`. An entry there
 * would replace its instructions and tools for the model, so the list is empty: it then uses its own.
 */
export function modelList(id: string, query: ReadonlyMap<string, string>): JsonObject {
  const list = { object: 'list', data: [modelEntry(id)], has_more: false, first_id: id, last_id: id };
  return query.has('client_version') ? { ...list, models: [] } : list;
}
