import * as z from 'zod/mini';

/** With what the editor says about it, and further words of JSON Schema that only the editor obeys. */
export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  more: object = {},
): Schema {
  z.globalRegistry.add(schema, { description, ...more });
  return schema;
}
