import type { Turn } from './messages';
import type { ToolSpec } from './tool';

/** Everything a request is rendered from. */
export interface Conversation {
  readonly instructions: string;
  readonly turns: readonly Turn[];
  /** The tools offered in this round. */
  readonly tools: readonly ToolSpec[];
  /** `full` if not given. */
  readonly promptForm?: PromptForm;
}

/** How much a model is told about its tools. `short` suits small context windows: no explanations of arguments. */
export type PromptForm = 'full' | 'short';
