import { isDeeperThan, isJsonList, isJsonObject, type Json } from '../base/json';
import { visibleText } from '../base/text';
import { PROSE, withoutReferences } from '../core/words/schema-references';
import { wellFormedSchema, type JsonSchema } from '../core/words/schema';
import type { McpLimits } from './ports';

export type ReadSchema =
  | { readonly ok: true; readonly schema: JsonSchema }
  /** In one sentence, for the tree. */
  | { readonly ok: false; readonly problem: string };

/**
 * The schema of a server's tool as protocols, forms and checks need it: within the limits, references resolved in
 * place (only internal ones: none is ever fetched), and without hidden characters.
 */
export function readSchema(
  given: Json,
  limits: Pick<McpLimits, 'mcpSchemaBytes' | 'mcpSchemaDepth' | 'mcpSchemaNodes'>,
): ReadSchema {
  if (!isJsonObject(given)) return { ok: false, problem: 'The schema of its arguments is not an object.' };
  if (isDeeperThan(limits.mcpSchemaDepth, given)) {
    return {
      ok: false,
      problem: `The schema of its arguments is nested more than ${limits.mcpSchemaDepth} levels deep.`,
    };
  }
  if (Buffer.byteLength(JSON.stringify(given)) > limits.mcpSchemaBytes) {
    return {
      ok: false,
      problem: `The schema of its arguments is larger than ${limits.mcpSchemaBytes / 1024} KiB.`,
    };
  }
  const hidden = wordsIn(given).find((word) => visibleText(word) !== word);
  if (hidden !== undefined) {
    return {
      ok: false,
      problem: `The schema of its arguments holds hidden characters: ${visibleText(hidden)}.`,
    };
  }
  const schema = withoutReferences(given, limits);
  if (schema) return { ok: true, schema: wellFormedSchema(schema) };
  const most = (2 * limits.mcpSchemaBytes) / 1024;
  return {
    ok: false,
    problem: `The schema of its arguments is larger than ${most} KiB with all that it refers to.`,
  };
}

/** Every name and text of a schema except prose. */
function wordsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonList(value)) return value.flatMap(wordsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    key,
    ...(PROSE.has(key) && typeof each === 'string' ? [] : wordsIn(each)),
  ]);
}
