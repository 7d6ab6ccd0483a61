import * as z from 'zod/mini';
import { requestId } from './calls';

const number = z.int().check(z.nonnegative());

export const DoctorToHost = z.discriminatedUnion('type', [
  /** Whether the user wants the tab: asked once, when the page comes. */
  z.strictObject({ type: z.literal('doctor-wish'), id: requestId }),
  z.strictObject({ type: z.literal('doctor-state'), id: requestId }),
  /** Begins, or goes on where it was stopped. */
  z.strictObject({
    type: z.literal('start-doctor'),
    mostRequests: z.int().check(z.positive(), z.maximum(100_000)),
  }),
  z.strictObject({ type: z.literal('stop-doctor') }),
  /** Forgets what was found, to begin anew. */
  z.strictObject({ type: z.literal('restart-doctor') }),
  /** A reply to an exam, to be looked into in the tab Parse. */
  z.strictObject({ type: z.literal('parse-exam'), id: requestId, exam: number, reply: number }),
  z.strictObject({ type: z.literal('use-protocol') }),
  z.strictObject({ type: z.literal('save-report') }),
  /** How calls came in the chat so far: into a file, or forgotten for all models. */
  z.strictObject({ type: z.literal('save-counts') }),
  z.strictObject({ type: z.literal('forget-counts') }),
]);
export type DoctorToHost = z.infer<typeof DoctorToHost>;

export interface DoctorAnswers {
  readonly 'doctor-wish': boolean;
  readonly 'doctor-state': DoctorPage;
  /** `false` where the reply is not kept any more. */
  readonly 'parse-exam': boolean;
}

export type HostToDoctor =
  /** What was told is out of date. */
  | { readonly type: 'doctor-changed' }
  /** The user wants this tab. */
  | { readonly type: 'doctor-wanted' };

/** All that the tab shows. */
export interface DoctorPage {
  /** The name of the model that is examined. */
  readonly model: string;
  /** Why it cannot be: one sentence, and the next step. */
  readonly problem?: string;
  readonly state: 'ready' | 'running' | 'stopped' | 'over';
  /** What it takes; one round for all, and all rounds for all. */
  readonly cost: { readonly least: DoctorCost; readonly most: DoctorCost };
  /** So far. */
  readonly used: DoctorCost;
  /** Milliseconds that all requests took so far. */
  readonly usedMs: number;
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
  /** In the order in which they take exams. */
  readonly rows: readonly DoctorRow[];
  /** The last exams that went wrong, newest first. */
  readonly faults: readonly DoctorFault[];
  /** How it ended, or stands, in one sentence. */
  readonly why?: string;
  /** The protocol that is recommended, and what *Use this* writes. */
  readonly recommended?: { readonly id: string; readonly isUsed: boolean };
  /** How calls of this model came in the chat so far. */
  readonly counts: readonly DoctorCounts[];
  /** Replies with thoughts, of all. */
  readonly thinking: { readonly replies: number; readonly of: number };
  /** Tokens a second. */
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
  /** Dollars, where the profile has prices. */
  readonly dollars?: number;
}

/** A protocol, with its form forced or not. */
export interface DoctorRow {
  readonly id: string;
  readonly right: number;
  readonly n: number;
  /** Shares between which the true one lies with 95 %. */
  readonly interval: readonly [low: number, high: number];
  /** The same for three exams that are all right. */
  readonly threeInARow: readonly [low: number, high: number];
  /** Calls without a fault, and all calls, by exams. */
  readonly clean: number;
  readonly called: number;
  /** It cannot win any more. */
  readonly isOut: boolean;
  /** In the order of the tasks. */
  readonly cells: readonly { readonly right: number; readonly n: number; readonly skipped: number }[];
}

export interface DoctorFault {
  /** Names it in `parse-exam`. */
  readonly exam: number;
  readonly contestant: string;
  readonly task: string;
  /** What was wrong, for people. */
  readonly fault: string;
  readonly replies: number;
}
