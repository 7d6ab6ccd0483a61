import * as z from 'zod/mini';

/** A number that the page gives a request; the answer carries the same. */
export const requestId = z.int().check(z.nonnegative());
