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

/** What was listed is out of date. */
export interface HostToTools {
  readonly type: 'tools-changed';
}

export interface LabToolset {
  readonly id: string;
  readonly tools: readonly LabTool[];
}

/** A tool as things are now. */
export interface LabTool {
  /** Wire name. */
  readonly name: string;
  readonly qualifiedName?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly effect: Effect;
  readonly isOn: boolean;
  /** Why models are not offered it, whatever its switch says. */
  readonly problem?: string;
  /** For people: whether it is on, what it does, where it comes from, and what it adds to every request. */
  readonly words: {
    readonly state: string;
    readonly effect: string;
    readonly source: string;
    readonly cost: string;
  };
}
