import * as z from 'zod/mini';
import { requestId } from './request-id';

export const ToolsToHost = z.strictObject({ type: z.literal('list-tools'), id: requestId });
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

export interface LabTool {
  /** Wire name. */
  readonly name: string;
  readonly description: string;
}
