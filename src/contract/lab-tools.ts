import * as z from 'zod/mini';
import type { JsonSchema } from '../core/words/schema';
import type { Effect } from '../core/words/tool';
import { requestId } from './calls';

export const ToolsToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('list-tools'), id: requestId }),
]);
export type ToolsToHost = z.infer<typeof ToolsToHost>;

export interface ToolsAnswers {
  readonly 'list-tools': readonly LabToolset[];
}

/** The list is outdated. */
export interface HostToTools {
  readonly type: 'tools-changed';
}

export interface LabToolset {
  readonly id: string;
  readonly tools: readonly LabTool[];
}

/** Current state of a tool. */
export interface LabTool {
  /** Wire name. */
  readonly name: string;
  readonly qualifiedName?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly effect: Effect;
  readonly isOn: boolean;
  /** Why it is not offered to models despite its toggle. */
  readonly problem?: string;
  /** For the user: whether it is on, what it does, its source, and its cost per request. */
  readonly words: {
    readonly state: string;
    readonly effect: string;
    readonly source: string;
    readonly cost: string;
  };
}
