import type { Json, JsonObject } from '../../../src/base/json';
import type { JsonSchema } from '../../../src/core/words/schema';
import type { ToolSpec } from '../../../src/core/words/tool';

/** Makes tools that accept the arguments of these calls. */
export function toolsForCalls(
  calls: readonly { readonly name: string; readonly arguments: unknown }[],
): readonly ToolSpec[] {
  const tools = new Map<string, Record<string, JsonSchema>>();
  for (const { name, arguments: given } of calls) {
    // SAFETY: arguments are an object.
    tools.set(name, { ...tools.get(name), ...propertiesOf(given as JsonObject) });
  }
  return [...tools].map(([name, properties]) => ({
    name,
    description: '',
    parameters: { type: 'object', properties },
  }));
}

function propertiesOf(given: JsonObject): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, schemaOf(value)]));
}

function schemaOf(value: Json): JsonSchema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: { anyOf: value.map(schemaOf) } };
  if (typeof value === 'object') return { type: 'object', properties: propertiesOf(value as JsonObject) };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
}
