import * as z from 'zod/mini';
import type { AgentEvent } from '../core/words/events';
import type { ToolCall, ToolResult } from '../core/words/messages';
import { CallToHost, requestId } from './calls';
import { most } from './most';

export const RunToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('list-runs'), id: requestId }),
  z.strictObject({
    type: z.literal('run-tool'),
    id: requestId,
    /** Wire name or qualified name. */
    tool: z.string().check(z.minLength(1), z.maxLength(most.toolName)),
    /** As JSON. */
    arguments: z.string().check(z.maxLength(most.arguments)),
  }),
  z.strictObject({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('forget-runs') }),
  CallToHost,
]);
export type RunToHost = z.infer<typeof RunToHost>;

export interface RunAnswers {
  readonly 'list-runs': RunsSoFar;
  /** A sentence if it does not start. */
  readonly 'run-tool': { readonly problem?: string };
}

export interface RunsSoFar {
  /** Last runs, newest first. */
  readonly runs: readonly LabRun[];
  /** Events of the current run; empty if there is none. */
  readonly events: readonly AgentEvent[];
}

export type HostToRun =
  /** Events of the current run. A new run replaces the last. */
  | { readonly type: 'run-events'; readonly events: readonly AgentEvent[] }
  /** The list is another one. */
  | { readonly type: 'runs'; readonly runs: readonly LabRun[] }
  /** A run is over, and comes first from now on; of the others those are kept that are named too. */
  | { readonly type: 'run-kept'; readonly run: LabRun; readonly kept: readonly string[] };

/** One call made in the lab, without keys. */
export interface LabRun {
  readonly id: string;
  /** Time of its end, in milliseconds since 1970. */
  readonly time: number;
  /** Wire name. */
  readonly tool: string;
  readonly arguments: ToolCall['arguments'];
  readonly result: ToolResult;
}
