import * as z from 'zod/mini';
import type { ToolSpec } from '../../../core/words/tool';
import { readPacked } from '../../../node/packed-file';
import type { CaseReading } from './parse-job';

/** A model's reply and its expected parse result: one entry of `test/fixtures/replies/<protocol>.yaml`. */
export const ReplyCase = z.strictObject({
  /** Describes what it shows: `reads a closing tag inside a string as data`. */
  name: z.string(),
  /** Its source: a row of the specification, or who saved it. */
  from: z.string(),
  /** By default from the file name. */
  protocol: z.optional(z.string()),
  reply: z.string(),
  /** `none` (the default) binds nothing; else names of tools. */
  tools: z._default(z.union([z.literal('none'), z.array(z.string())]), 'none'),
  strictness: z._default(z.enum(['strict', 'repair', 'lenient']), 'repair'),
  recover: z._default(z.boolean(), false),
  /** As `core/run/parse-reply.ts` writes it. */
  expect: z.string(),
});
export type ReplyCase = z.infer<typeof ReplyCase>;

export const ReplyCases = z.array(ReplyCase);

/** The cases that every protocol is tested with, packed into one file by `esbuild.mjs`. */
export interface ShippedCases {
  /** Tools that cases name. */
  readonly tools: Readonly<Record<string, Omit<ToolSpec, 'name'>>>;
  readonly cases: readonly ShippedCase[];
}

type ShippedCase = ReplyCase & { readonly protocol: string };

export async function readShippedCases(file: string): Promise<ShippedCases> {
  // SAFETY: the file is built from cases that the tests have checked, and shipped beside this one.
  return JSON.parse((await readPacked(file)).toString()) as ShippedCases;
}

/** Parse options of a case. */
export function caseReading(number: number, each: ShippedCase, known: ShippedCases['tools']): CaseReading {
  const { protocol, reply, tools, strictness, recover, expect } = each;
  const specs = tools === 'none' ? [] : tools.flatMap((name) => shippedSpec(name, known) ?? []);
  return { number, reading: { reply, protocol, chunk: 0, tools: specs, strictness, recover }, expect };
}

export function shippedSpec(name: string, known: ShippedCases['tools']): ToolSpec | undefined {
  const tool = Object.hasOwn(known, name) ? known[name] : undefined;
  return tool && { name, ...tool };
}
