import * as z from 'zod/mini';

/** With few stars, so that no pattern is slow to match. */
export const namePattern = z
  .string()
  .check(z.minLength(1), z.maxLength(100), z.regex(/^[^*/\\]*(?:\*[^*/\\]*){0,2}$/));
