import { isJsonList, isJsonObject, type Json } from '../../base/json';
import { limits } from '../../base/limits';
import { wellFormedSchema, type JsonSchema } from './schema';
import { withoutReferences } from './schema-references';
import { resolvedSchema } from './schema-types';

export type ToolSchema =
  | { readonly ok: true; readonly schema: JsonSchema }
  /** In one sentence. */
  | { readonly ok: false; readonly problem: string };

/**
 * The schema of the arguments of a tool that another program or a file describes. Parts that are only unusual are left
 * out (`wellFormedSchema`); what cannot be read as a schema is a problem.
 */
export function toolSchema(given: unknown): ToolSchema {
  if (given === undefined || given === null) return { ok: true, schema: {} };
  if (!isJsonObject(given)) return { ok: false, problem: 'The schema of its arguments is not an object.' };
  const problem = problemIn(given, '', 0);
  if (problem !== undefined) return { ok: false, problem };
  const schema = wellFormedSchema(given);
  return { ok: true, schema: resolvedSchema(schema, schema) };
}

/** The same with references resolved in place, as those of MCP's tools are, for servers that know no references. */
export function clientToolSchema(given: unknown): ToolSchema {
  const read = toolSchema(given);
  if (!read.ok) return read;
  // SAFETY: a schema is JSON.
  const inPlace = withoutReferences(
    read.schema as unknown as Parameters<typeof withoutReferences>[0],
    limits,
  );
  // One that is too large in place keeps its references.
  return inPlace ? { ok: true, schema: wellFormedSchema(inPlace) } : read;
}

/** Deeper parts are not looked at. */
const DEEPEST = 32;

const LISTS = ['anyOf', 'oneOf', 'allOf'];
const BY_NAME = ['properties', '$defs', 'definitions'];

function problemIn(schema: Json, at: string, depth: number): string | undefined {
  if (!isJsonObject(schema) || depth > DEEPEST) return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const where = `${at}/${keyword}`;
    if (!isReadable(keyword, value)) return `The schema of its arguments cannot be read at "${where}".`;
    const inner =
      (BY_NAME.includes(keyword) || LISTS.includes(keyword)) && typeof value === 'object' && value !== null;
    const parts: readonly (readonly [string, Json])[] = inner
      ? Object.entries(value).map(([name, part]: [string, Json]) => [`${where}/${name}`, part])
      : keyword === 'items'
        ? [[where, value]]
        : [];
    for (const [path, part] of parts) {
      const problem = problemIn(part, path, depth + 1);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function isReadable(keyword: string, value: Json): boolean {
  const isEmpty = value === null || (isJsonList(value) && value.length === 0);
  if (keyword === '$ref') return typeof value === 'string';
  if (keyword === 'type')
    return (
      isEmpty ||
      typeof value === 'string' ||
      (isJsonList(value) && value.every((each) => typeof each === 'string'))
    );
  if (BY_NAME.includes(keyword)) return isEmpty || isJsonObject(value);
  return !LISTS.includes(keyword) || isEmpty || isJsonList(value);
}
