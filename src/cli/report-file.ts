import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { VERSION, type DoctorReport } from '../doctor/report';
import { tasks } from '../doctor/tasks';
import { UsageError } from './command-line';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const steps = z.enum(['one', 'many']);
/** How to work. */
const way = {
  protocol: z.string(),
  steps,
  tools: z.enum(['few', 'all']),
  temperature: z.number().optional(),
};

const Report = z.object({
  version: z.literal(VERSION),
  model: z.string(),
  endpoint: z.string(),
  server: z.string(),
  parley: z.string(),
  time: z.string(),
  seed: z.number(),
  window: z.number().optional(),
  speed: z.object({ prompt: z.number().optional(), output: z.number().optional() }),
  rows: z.array(
    z.object({
      protocol: z.string(),
      task: z.enum(tasks.map(({ id }) => id)),
      ...{ n: count, clean: count, repaired: count, recovered: count, malformed: count, none: count },
      ...{ right: count, interval: z.tuple([share, share]), tokens: count, skipped: count.optional() },
    }),
  ),
  recommended: z.string().optional(),
  why: z.string(),
  settings: z.object({
    protocol: z.string().optional(),
    forcedForm: z.literal('on').optional(),
    prompt: z.enum(['short', 'example']).optional(),
    temperature: z.number().optional(),
    steps: steps.optional(),
    contextWindow: z.number().optional(),
    timeouts: z.object({ firstEvent: z.number() }).optional(),
    reasoning: z.enum(['echo', 'drop']).optional(),
  }),
  work: z
    .array(
      z.object({
        ...way,
        job: z.string(),
        outcome: z.enum(['solved', 'wrong', 'no-call']),
        ...{ requests: count, tokens: count, seconds: count },
      }),
    )
    .optional(),
  way: z.object(way).optional(),
});

/** A report of the doctor. Throws `UsageError`. */
export function readReport(file: string): DoctorReport {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${why}. Check the path, and that it is JSON.`);
  }
  const read = Report.safeParse(given);
  if (!read.success)
    throw new UsageError(`${file} is not a report of the doctor: ${z.prettifyError(read.error)}`);
  // SAFETY: optional fields are left out; JSON has no `undefined`.
  return read.data as DoctorReport;
}
