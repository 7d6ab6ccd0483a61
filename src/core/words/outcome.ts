export interface ToolCost {
  readonly tool: string;
  readonly tokens: number;
}

/** How a run ended; `message` is one sentence for people. */
export type RunOutcome =
  | { readonly type: 'done' }
  /** It ended with an answer that says nothing, although the model was asked again. */
  | { readonly type: 'done'; readonly code: 'empty-reply'; readonly message: string }
  | { readonly type: 'aborted' }
  /** `canContinue`: the conversation stands where the next request can follow without a word of the user. */
  | {
      readonly type: 'budget';
      readonly message: string;
      readonly canContinue?: true;
      /** It can only go on when the history is put in short first. */
      readonly compactFirst?: true;
      /** Tools that could be left out to make room, and the tokens each takes. */
      readonly dropTools?: readonly ToolCost[];
    }
  | {
      readonly type: 'failed';
      /** The reply repeated itself without an end and was stopped. */
      readonly code?: 'repetition';
      readonly message: string;
      /** The same request may be made again: it is the endpoint that failed. */
      readonly canContinue?: true;
    };

/** A task that a tool hands to an agent of its own. */
export interface SubTask {
  readonly task: string;
  /** Wire names of the tools it may use; without them those that only read. */
  readonly tools?: readonly string[] | undefined;
  readonly maxRounds: number;
}

export interface SubReport {
  readonly outcome: RunOutcome;
  /** What the agent wrote last. */
  readonly text: string;
}
