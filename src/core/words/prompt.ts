import type { Steps } from './grammar';
import type { PromptForm } from './model';
import type { Protocol } from './protocol';

/** What a model is told besides the conversation, and how. */
export interface RunPrompt {
  readonly protocol: Protocol;
  readonly instructions: string;
  /** What differs from one conversation to the next. */
  readonly situation?: string;
  readonly promptForm?: PromptForm;
  /** How many calls a reply may have; `many` if not given. */
  readonly steps?: Steps;
  /** The user chose that form: short tool descriptions are not used automatically when the full form does not fit. */
  readonly isFormChosen?: boolean;
  /**
   * Which protocol to suggest to a model that does not follow the current one; `seen` is the form it used. `undefined`
   * suggests nothing.
   */
  readonly suggestProtocol?: (seen: string | undefined) => string | undefined;
}
