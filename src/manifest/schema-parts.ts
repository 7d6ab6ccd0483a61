import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

/** With a description for the editor, and more JSON Schema keywords that only the editor uses. */
export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  more: object = {},
): Schema {
  z.globalRegistry.add(schema, { description, ...more });
  return schema;
}

/** With few stars, so that no pattern is slow to match. */
export const namePattern = z
  .string()
  .check(z.minLength(1), z.maxLength(100), z.regex(/^[^*/\\]*(?:\*[^*/\\]*){0,2}$/));

const english = en().localeError;

/** What is wrong with a value, for a sentence. The small edition of zod has only the messages it is given. */
export const schemaMessage: z.core.$ZodErrorMap = (issue) => {
  const said = english(issue);
  return typeof said === 'string' ? said.replace(/^Invalid input: /, '') : said;
};
