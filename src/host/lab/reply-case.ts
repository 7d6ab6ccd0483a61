import * as z from 'zod/mini';

/** A reply of a model, and what it must be read as: one entry of `test/fixtures/replies/<protocol>.yaml`. */
export const ReplyCase = z.strictObject({
  /** Says what happens: `reads a closing tag inside a string as data`. */
  name: z.string(),
  /** Where it comes from: the row of the specification it stands for, or who saved it. */
  from: z.string(),
  /** That of the file's name if not given. */
  protocol: z.optional(z.string()),
  reply: z.string(),
  /** `none` (the usual) binds nothing; else names of tools. */
  tools: z._default(z.union([z.literal('none'), z.array(z.string())]), 'none'),
  strictness: z._default(z.enum(['strict', 'repair', 'lenient']), 'repair'),
  recover: z._default(z.boolean(), false),
  /** As `core/reply-summary.ts` writes it. */
  expect: z.string(),
});
export type ReplyCase = z.infer<typeof ReplyCase>;

export const ReplyCases = z.array(ReplyCase);
