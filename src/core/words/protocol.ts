import type { FormSchema, Grammar, GrammarOptions } from './grammar';
import type { Diagnostic, MalformedCall, ToolCall } from './messages';
import type { Conversation, EndReason, ModelDelta, ModelRequest, PromptForm } from './model';
import type { ToolSpec } from './tool';

/**
 * How tools are described to a model, how past calls and results look to it, and how its reply is read.
 * Pure: the same conversation gives the same request, byte for byte.
 */
export interface Protocol {
  readonly id: string;
  /** For pickers: `VCP`. */
  readonly label: string;
  /** For pickers, in one line. */
  readonly description: string;
  /** Matches in recorded replies of this form. Where several protocols match, the first match in the reply counts. */
  readonly sign?: RegExp;
  readonly suits?: SuitedModels;
  /** What a model sees with a backslash in it where a result or an attachment holds it: `<\/tool_response>`. */
  readonly markers?: readonly string[];
  /** Tools whose definitions come in results are called by `call_tool`, because the API knows those of the beginning only. */
  readonly callsByName?: true;
  /** What the model is told about the tools in text; empty when the API carries them. */
  describeTools(tools: readonly ToolSpec[], form?: PromptForm, held?: Conversation['held']): string;
  /** What one tool adds to that, or to what the API carries: the measure of its cost. */
  describeTool(tool: ToolSpec, form?: PromptForm): string;
  /** What a server can hold a reply to, so that no call of these tools can be malformed; not every protocol has one. */
  grammar?(tools: readonly ToolSpec[], options?: GrammarOptions): Grammar;
  /** The same as a JSON schema, where the reply is one JSON object. */
  schema?(tools: readonly ToolSpec[]): FormSchema;
  /**
   * What every call of a tool has to say and this protocol cannot: the name of an argument, or that of the tool. Nothing
   * where it can be called.
   */
  unsayable?(tool: ToolSpec): string | undefined;
  request(conversation: Conversation): ModelRequest;
  /** A reply as a model would write it: past turns are rendered with it, and the demo model speaks through it. */
  renderReply(parts: readonly RenderedPart[]): readonly ModelDelta[];
  createParser(options: ParserOptions): ReplyParser;
}

/**
 * The models a protocol suits, as patterns for the beginning of their names, in lower case and without the vendor in front
 * of a slash. Where several protocols match, the longest match counts.
 */
interface SuitedModels {
  /** Models that use this protocol from the start, because they were never trained on tools. */
  readonly first?: RegExp;
  /** Models that use it where the API's own tools do not work. */
  readonly fallback?: RegExp;
}

export type RenderedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: Pick<ToolCall, 'id' | 'name' | 'arguments'> };

export interface ParserOptions {
  /** The offered tools. Without them any name is accepted and nothing is bound, renamed or coerced. */
  readonly tools?: readonly ToolSpec[];
  /** A sentence for a tool that exists but is not offered now. */
  readonly whyUnavailable?: (name: string) => string | undefined;
  /** Gives every call an id of its own, the proposed one where that is free. */
  readonly ids: { take(proposed?: string): string };
  /** `repair` if not given. */
  readonly strictness?: Strictness;
  /**
   * Whether a complete call that stands in another protocol's form runs as `recovered`. Only for offered tools. If not,
   * it is text and a warning names the protocol.
   */
  readonly recover?: boolean;
  /**
   * The model is of a family that ends its thinking by calling: such a call counts as `repaired` where the reasoning is
   * never closed. Not if `strict`.
   */
  readonly callsEndThinking?: boolean;
}

/**
 * What is done with a reply that is not quite in form. `strict`: nothing is mended, such a call is rejected. `repair`:
 * what has one reading is mended and marked. `lenient`: also forms that are most likely meant as calls.
 */
export type Strictness = 'strict' | 'repair' | 'lenient';

/**
 * Reads one reply. Where the stream was cut into pieces never shows in the events taken together,
 * apart from the sizes of the text pieces. Never throws; the cost is linear in the reply.
 */
export interface ReplyParser {
  push(delta: ModelDelta): readonly ReplyEvent[];
  /** Flushes held text and closes or rejects what is open. `cut` means that the stream broke off. */
  end(reason: EndReason | 'cut'): readonly ReplyEvent[];
}

/** `index` counts the calls and malformed calls of the reply from 0. */
export type ReplyEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /**
   * All that the reply has brought so far was reasoning, which the prompt had opened: `text` is all of it, its first
   * million characters at most. No call in it runs. Comes once at most.
   */
  | { readonly type: 'reasoning-end'; readonly text: string }
  /** A call has begun; shown, never run. */
  | { readonly type: 'call-start'; readonly index: number; readonly name: string }
  /** A piece of one argument, for display only; `key` is empty while it is not known. */
  | { readonly type: 'call-delta'; readonly index: number; readonly key: string; readonly text: string }
  | { readonly type: 'call-end'; readonly index: number; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly index: number; readonly malformed: MalformedCall }
  /** Belongs to no call: a foreign block, a call inside reasoning. */
  | { readonly type: 'warning'; readonly diagnostic: Diagnostic };
