import * as z from 'zod/mini';

/** With a description for the editor, and more JSON Schema keywords that only the editor uses. */
export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  more: object = {},
): Schema {
  z.globalRegistry.add(schema, { description, ...more });
  return schema;
}
