import * as z from 'zod/mini';
import { requestId } from './calls';

const number = z.int().check(z.nonnegative());

export const DoctorToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('doctor-state'), id: requestId }),
  /** Starts, or resumes after a stop; a quick look has only small jobs and ends after ten minutes. */
  z.strictObject({
    type: z.literal('start-doctor'),
    mostRequests: z.int().check(z.positive(), z.maximum(100_000)),
    isQuick: z.optional(z.boolean()),
  }),
  z.strictObject({ type: z.literal('stop-doctor') }),
  /** Drops the results to start over. */
  z.strictObject({ type: z.literal('restart-doctor') }),
  /** Opens a reply to an exam in the Parse tab. */
  z.strictObject({ type: z.literal('parse-exam'), id: requestId, exam: number, reply: number }),
  z.strictObject({ type: z.literal('use-protocol') }),
  z.strictObject({ type: z.literal('save-report') }),
  /** Counts of calls in the chat so far: saved to a file, or deleted for all models. */
  z.strictObject({ type: z.literal('save-counts') }),
  z.strictObject({ type: z.literal('forget-counts') }),
]);
export type DoctorToHost = z.infer<typeof DoctorToHost>;

export interface DoctorAnswers {
  readonly 'doctor-state': DoctorPage;
  /** `false` if the reply is no longer kept. */
  readonly 'parse-exam': boolean;
}

/** The content is outdated. */
export interface HostToDoctor {
  readonly type: 'doctor-changed';
}

/** Content of the tab. */
export interface DoctorPage {
  /** Name of the examined model. */
  readonly model: string;
  /** Why it cannot be examined: one sentence with the next step. */
  readonly problem?: string;
  readonly state: 'ready' | 'running' | 'stopped' | 'over';
  /** Cost estimate: one round for all protocols, and all rounds for all. */
  readonly cost: { readonly least: DoctorCost; readonly most: DoctorCost };
  /** Minutes at the measured speed, if it is known: the same, and a quick look. */
  readonly minutes?: { readonly least: number; readonly most: number; readonly quick: number };
  /** The last examination was a quick look. */
  readonly isQuick?: boolean;
  /** Small jobs in each way to work; absent before the first. */
  readonly work?: DoctorWork;
  /** Cost so far. */
  readonly used: DoctorCost;
  /** Milliseconds that all requests took so far. */
  readonly usedMs: number;
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
  /** In the order in which they take exams. */
  readonly rows: readonly DoctorRow[];
  /** Last failed exams, newest first. */
  readonly faults: readonly DoctorFault[];
  /** Its state or result, in one sentence. */
  readonly why?: string;
  /** The recommended protocol, and what *Use this* writes. */
  readonly recommended?: { readonly id: string; readonly isUsed: boolean };
  /** Counts of calls of this model in the chat so far. */
  readonly counts: readonly DoctorCounts[];
  /** Replies with reasoning, and all replies. */
  readonly thinking: { readonly replies: number; readonly of: number };
  /** Tokens per second. */
  readonly speed: { readonly prompt?: number; readonly output?: number };
}

export interface DoctorCounts {
  readonly protocol: string;
  readonly clean: number;
  readonly repaired: number;
  readonly recovered: number;
  readonly malformed: number;
}

export interface DoctorCost {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Dollars, if the profile has prices. */
  readonly dollars?: number;
}

/** Results of small jobs. */
export interface DoctorWork {
  readonly jobs: readonly { readonly name: string; readonly title: string }[];
  readonly ways: readonly DoctorWay[];
}

/** A way to work: what is recommended together, and its jobs. */
export interface DoctorWay {
  readonly id: string;
  /** With an enforced form: `plain+forced`. */
  readonly protocol: string;
  readonly steps: 'one' | 'many';
  readonly tools: 'few' | 'all';
  readonly temperature?: number;
  readonly solved: number;
  readonly n: number;
  /** In the order of the jobs; absent ones were not begun. */
  readonly cells: readonly (DoctorJob | null)[];
}

export interface DoctorJob {
  readonly outcome: 'solved' | 'wrong' | 'no-call';
  /** What is wrong, for the user. */
  readonly fault?: string;
  readonly ms: number;
}

/** Why exams of a task were not right. */
export interface DoctorFaults {
  /** Readable, but not what was asked for. */
  readonly wrong: number;
  readonly noCall: number;
  readonly malformed: number;
}

/** A protocol, with or without an enforced form. */
export interface DoctorRow {
  readonly id: string;
  readonly right: number;
  readonly n: number;
  /** Bounds of the 95 % interval of the true share. */
  readonly interval: readonly [low: number, high: number];
  /** The same for three exams that are all right. */
  readonly threeInARow: readonly [low: number, high: number];
  /** Clean calls, and all calls, by exam. */
  readonly clean: number;
  readonly called: number;
  /** It cannot win any more. */
  readonly isOut: boolean;
  /** In the order of the tasks. */
  readonly cells: readonly DoctorCell[];
}

export interface DoctorCell {
  readonly right: number;
  readonly n: number;
  readonly skipped: number;
  /** Absent if all are right. */
  readonly faults?: DoctorFaults;
}

export interface DoctorFault {
  /** Its id in `parse-exam`. */
  readonly exam: number;
  readonly contestant: string;
  readonly task: string;
  /** What went wrong, for the user. */
  readonly fault: string;
  readonly replies: number;
}
