import type { FormSchema, Grammar, GrammarOptions } from './grammar';
import type { Diagnostic, MalformedCall, ToolCall } from './messages';
import type { Conversation, EndReason, ModelDelta, ModelRequest, PromptForm } from './model';
import type { ToolSpec } from './tool';

/**
 * How tools are described to a model, how past calls and results are rendered, and how a reply is parsed. Pure: the
 * same conversation gives the same request, byte for byte.
 */
export interface Protocol {
  readonly id: string;
  /** For pickers: `VCP`. */
  readonly label: string;
  /** For pickers, in one line. */
  readonly description: string;
  /** Matches recorded replies of this form. If several protocols match, the first match in the reply wins. */
  readonly sign?: RegExp;
  readonly suits?: SuitedModels;
  /**
   * The mark that ends every call, if nothing but calls has it. It ends replies of one call, so that no server has to
   * enforce a form for that; as a stop text it does not arrive.
   */
  readonly callEnd?: string;
  /** Markers that are escaped with a backslash when results or attachments contain them: `<\/tool_response>`. */
  readonly markers?: readonly string[];
  /**
   * Tools defined in results are called through `call_tool`, because the API knows only those defined at the beginning.
   */
  readonly callsByName?: true;
  /** The text that describes the tools to the model; empty if the API carries them. */
  describeTools(
    tools: readonly ToolSpec[],
    form?: PromptForm,
    formType?: Conversation['formType'],
    steps?: Conversation['steps'],
  ): string;
  /** What one tool adds to that, or to what the API carries: the measure of its cost. */
  describeTool(tool: ToolSpec, form?: PromptForm): string;
  /** A form that servers can enforce, so that no call of these tools can be malformed; optional. */
  grammar?(tools: readonly ToolSpec[], options?: GrammarOptions): Grammar;
  /** The same as a JSON schema, if the reply is one JSON object. */
  schema?(tools: readonly ToolSpec[], options?: Pick<GrammarOptions, 'steps'>): FormSchema;
  /**
   * Text that every call of a tool needs and this protocol cannot write: an argument's name, or the tool's. `undefined`
   * if the tool can be called.
   */
  unrepresentable?(tool: ToolSpec): string | undefined;
  request(conversation: Conversation): ModelRequest;
  /** A reply as a model would write it: used to render past turns, and by the demo model. */
  renderReply(parts: readonly RenderedPart[]): readonly ModelDelta[];
  createParser(options: ParserOptions): ReplyParser;
}

/**
 * The models a protocol suits, as patterns for the beginning of their names, in lower case and without the vendor
 * before a slash. If several protocols match, the longest match wins.
 */
interface SuitedModels {
  /** Models that use this protocol first, because they were never trained on tools. */
  readonly first?: RegExp;
  /** Models that use it if the API's tools do not work. */
  readonly fallback?: RegExp;
}

export type RenderedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly call: Pick<ToolCall, 'id' | 'name' | 'arguments'> };

export interface ParserOptions {
  /** The offered tools. Without them any name is accepted and nothing is bound, renamed or coerced. */
  readonly tools?: readonly ToolSpec[];
  /** A sentence for an existing tool that is not offered now. */
  readonly whyUnavailable?: (name: string) => string | undefined;
  /** Gives every call a unique id; uses the proposed one if it is free. */
  readonly ids: { take(proposed?: string): string };
  /** `repair` by default. */
  readonly strictness?: Strictness;
  /**
   * Whether a complete call in another protocol's form runs as `recovered`. Only for offered tools. If not, it is text
   * and a warning names the protocol.
   */
  readonly recover?: boolean;
  /**
   * The model's family ends its reasoning by calling a tool: such a call counts as `repaired` if the reasoning is never
   * closed. Not if `strict`.
   */
  readonly callsEndThinking?: boolean;
}

/**
 * How to handle a reply that is slightly malformed. `strict`: reject the call. `repair`: fix and mark what has only one
 * reading. `lenient`: also accept forms that are most likely meant as calls.
 */
export type Strictness = 'strict' | 'repair' | 'lenient';

/**
 * Reads one reply. How the stream was split never affects the joined events, only the sizes of the text pieces. Never
 * throws; the cost is linear in the reply.
 */
export interface ReplyParser {
  push(delta: ModelDelta): readonly ReplyEvent[];
  /** Flushes held text and closes or rejects what is open. `cut` means that the stream broke off. */
  end(reason: EndReason | 'cut'): readonly ReplyEvent[];
}

/** A reply with more calls is certainly a loop: later ones do not run. */
export const CALLS_PER_REPLY = 32;

/** `index` counts the calls and malformed calls of the reply from 0. */
export type ReplyEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /**
   * Everything so far was reasoning, which the prompt had opened: `text` is all of it, up to its first million
   * characters. No call in it runs. At most once.
   */
  | { readonly type: 'reasoning-end'; readonly text: string }
  /** A call has begun; shown, never run. */
  | { readonly type: 'call-start'; readonly index: number; readonly name: string }
  /** A piece of one argument, for display only; `key` is empty until it is known. */
  | { readonly type: 'call-delta'; readonly index: number; readonly key: string; readonly text: string }
  | { readonly type: 'call-end'; readonly index: number; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly index: number; readonly malformed: MalformedCall }
  /** Belongs to no call: a foreign block, a call inside reasoning. */
  | { readonly type: 'warning'; readonly diagnostic: Diagnostic };
