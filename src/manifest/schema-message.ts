import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

const english = en().localeError;

/** What is wrong with a value, for a sentence. The small edition of zod has only the messages it is given. */
export const schemaMessage: z.core.$ZodErrorMap = (issue) => {
  const said = english(issue);
  return typeof said === 'string' ? said.replace(/^Invalid input: /, '') : said;
};
