export interface ToolCost {
  readonly tool: string;
  readonly tokens: number;
}

/** How a run ended; `message` is one sentence for people. */
export type RunOutcome =
  | { readonly type: 'done' }
  /** The final answer is empty, although the model was asked again. */
  | { readonly type: 'done'; readonly code: 'empty-reply'; readonly message: string }
  /** The reply holds a call that did not run, although the model was told how to write it. */
  | { readonly type: 'done'; readonly code: 'not-run'; readonly message: string }
  | { readonly type: 'aborted' }
  /** `canContinue`: the next request can follow without a new user message. */
  | {
      readonly type: 'budget';
      readonly message: string;
      readonly canContinue?: true;
      /** It can continue only after the history is summarized. */
      readonly compactFirst?: true;
      /** Tools that could be left out to make room, with their tokens. */
      readonly dropTools?: readonly ToolCost[];
    }
  | {
      readonly type: 'failed';
      /** The reply was stopped because it repeated itself endlessly. */
      readonly code?: 'repetition';
      readonly message: string;
      /** The same request may be sent again: the endpoint failed. */
      readonly canContinue?: true;
    };

/** A task that a tool delegates to a sub-agent. */
export interface SubTask {
  readonly task: string;
  /** Wire names of the tools it may use; by default those that only read. */
  readonly tools?: readonly string[] | undefined;
  readonly maxRounds: number;
}

export interface SubReport {
  readonly outcome: RunOutcome;
  /** The last text of the sub-agent. */
  readonly text: string;
}
