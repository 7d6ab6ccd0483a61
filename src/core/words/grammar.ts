import type { JsonObject } from '../../base/json';
import type { WorkspaceFacts } from './workspace-facts';

/**
 * The allowed forms of a reply, as rules that a server can enforce. Plain data: written as GBNF, matched against
 * replies, and sampled by tests.
 */
export interface Grammar {
  /** By name; the first rule is a whole reply. */
  readonly rules: ReadonlyMap<string, Rule>;
}

export type Rule =
  | { readonly type: 'text'; readonly text: string }
  /** One character of the set, or one outside it. */
  | { readonly type: 'char'; readonly set: CharSet }
  | { readonly type: 'sequence'; readonly parts: readonly Rule[] }
  | { readonly type: 'choice'; readonly of: readonly Rule[] }
  | { readonly type: 'repeat'; readonly rule: Rule; readonly min: number; readonly max?: number }
  | { readonly type: 'rule'; readonly name: string };

/**
 * Single characters and ranges: `a-z` is `['a', 'z']`. Positive sets contain ASCII only, because some servers misread
 * others.
 */
export interface CharSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/**
 * How a model works. `one`: a reply is a thought and one call, or the answer. `many`: any number of calls a reply.
 */
export type Steps = 'one' | 'many';

export interface GrammarOptions {
  /** Every reply has a call, and nothing before it. */
  readonly isNeeded?: boolean;
  /**
   * `may`: the reply may begin with reasoning. `opened`: the chat template already opened it, so the reply begins
   * inside it.
   */
  readonly thinking?: 'may' | 'opened';
  /** With `one` the reply ends behind its first call; `many` by default. */
  readonly steps?: Steps;
  /** The answer is one line: it only says what was done. */
  readonly isAnswerShort?: boolean;
  /** Arguments that name something of the workspace can only name what is there. */
  readonly facts?: WorkspaceFacts;
}

/** The allowed forms of a reply that is one JSON object. */
export interface FormSchema {
  readonly schema: JsonObject;
  /** Whether it is in OpenAI's strict subset. */
  readonly isStrict: boolean;
}

/** The form that a server is asked to enforce. */
export type ResponseFormat =
  /** As GBNF (https://github.com/ggml-org/llama.cpp/tree/master/grammars). */
  { readonly type: 'grammar'; readonly gbnf: string } | ({ readonly type: 'schema' } & FormSchema);

/** The form of the reply to one request, for servers that can enforce it. */
export interface ReplyForm {
  /** As GBNF. `thinking` as in `GrammarOptions`. */
  grammar(thinking: GrammarOptions['thinking']): string;
  /** Only if the reply is one JSON object. */
  readonly schema?: () => FormSchema;
  /** The system message for an enforced form: without the rules that can no longer be broken. */
  system(by: ResponseFormat['type']): string;
  /** Whether a whole reply matches the grammar. */
  accepts(reply: string): boolean;
}
