import type { JsonObject } from '../../base/json';

/**
 * What a reply may be, as rules that a server can hold it to. Data: written out as GBNF, matched against a reply, and
 * sampled by tests.
 */
export interface Grammar {
  /** By name; the first one is what a whole reply is. */
  readonly rules: ReadonlyMap<string, Rule>;
}

export type Rule =
  | { readonly type: 'text'; readonly text: string }
  /** One character that is one of these, or none of them. */
  | { readonly type: 'char'; readonly set: CharSet }
  | { readonly type: 'sequence'; readonly parts: readonly Rule[] }
  | { readonly type: 'choice'; readonly of: readonly Rule[] }
  | { readonly type: 'repeat'; readonly rule: Rule; readonly min: number; readonly max?: number }
  | { readonly type: 'rule'; readonly name: string };

/** Single characters and ranges, `a-z` as `['a', 'z']`. Positive ones hold no character beyond ASCII: some servers misread those. */
export interface CharSet {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

export interface GrammarOptions {
  /** Every reply has a call, and nothing stands before it. */
  readonly isNeeded?: boolean;
  /** Thinking may stand first, or the chat template has opened it already, so that the reply begins inside it. */
  readonly thinking?: 'may' | 'opened';
}

/** What a reply that is one JSON object may be. */
export interface FormSchema {
  readonly schema: JsonObject;
  /** It lies in the strict subset of OpenAI. */
  readonly isStrict: boolean;
}

/** What a server is asked to hold a reply to. */
export type HeldForm =
  /** As GBNF (https://github.com/ggml-org/llama.cpp/tree/master/grammars). */
  { readonly type: 'grammar'; readonly gbnf: string } | ({ readonly type: 'schema' } & FormSchema);

/** The form of a reply in the place of one request, for servers that can hold it to that. */
export interface ReplyForm {
  /** As GBNF. `thinking` as `GrammarOptions` has it. */
  grammar(thinking: GrammarOptions['thinking']): string;
  /** Only where the reply is one JSON object. */
  readonly schema?: () => FormSchema;
  /** What the system message says then: without the rules that cannot be broken any more. */
  system(by: HeldForm['type']): string;
  /** Whether a whole reply lies in the grammar. */
  accepts(reply: string): boolean;
}
