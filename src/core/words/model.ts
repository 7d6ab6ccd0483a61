import type { JsonObject } from '../../base/json';
import type { Image } from './attachment';
import type { Carried, CarriedDelta } from './carried';
import type { HeldForm } from './grammar';
import type { Turn } from './messages';
import type { JsonSchema } from './schema';
import type { ToolSpec } from './tool';

/** A message of the OpenAI Chat Completions API, the common denominator of all endpoints. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly images?: readonly Image[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly {
        readonly id: string;
        readonly name: string;
        readonly arguments: string;
        /** As `ToolCall` has it. */
        readonly extra?: JsonObject;
      }[];
      /** Of the reply that this message is. */
      readonly carried?: Carried;
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

interface FunctionDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  /** Only the native protocol uses the API's own tools. */
  readonly tools?: readonly FunctionDefinition[];
  readonly stop?: readonly string[];
  /** The last reply repeated itself without an end: this one is to vary more. */
  readonly isVaried?: true;
  /** What the server is asked to hold the reply to. */
  readonly held?: HeldForm;
  /** What the request was rendered from. Only models inside this process look at it; it is never sent. */
  readonly origin: { readonly protocol: string; readonly conversation: Conversation };
}

/** Why a reply ended, in the words of the API. */
export type EndReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Those of the input that the server knew from an earlier request, where it says so. */
  readonly cachedTokens?: number;
  /** Dollars, where the price is known. */
  readonly cost?: number;
}

/** What a model sends. A stream that closes without `end` or `failure` was cut off. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | ToolCallDelta
  | CarriedDelta
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'end'; readonly reason: EndReason }
  | { readonly type: 'failure'; readonly failure: ModelFailure }
  | RetryDelta
  | ProgressDelta
  | UnforcedDelta;

/** The reply could be held to its form and is not, or was not. Comes once for each model at most. */
export interface UnforcedDelta {
  readonly type: 'unforced';
  /** One sentence for people and what comes of it. */
  readonly message: string;
}

/** What a server does with a request. Nothing of the reply has arrived. */
export interface ProgressDelta {
  readonly type: 'progress';
  /**
   * `loading`: it says that it loads the model. `busy`: it is still at work on the request before. `taken`: it has
   * accepted this one. `reading`: it reads the prompt.
   */
  readonly stage: 'loading' | 'busy' | 'taken' | 'reading';
  /** Of `reading`, where the server says it. */
  readonly prompt?: PromptProgress;
}

/** In tokens. */
export interface PromptProgress {
  /** Read so far, what it knew from before included. */
  readonly read: number;
  readonly all: number;
  /** What it knew from before. */
  readonly cached: number;
}

/** When a reply came, counted from its request, in milliseconds. */
export interface ReplyTiming {
  /** Until something of it was there. */
  readonly firstMs: number;
  readonly totalMs: number;
}

/** Nothing of the reply has arrived, and the request goes out once more after a pause. */
export interface RetryDelta {
  readonly type: 'retry';
  /** The number of the coming try, from 2. */
  readonly attempt: number;
  /** The most tries that are made. */
  readonly of: number;
  readonly waitMs: number;
  /** What happened and what comes now, for people. */
  readonly message: string;
}

/** A piece of a native tool call. Servers leave out or repeat any of these fields. */
export interface ToolCallDelta {
  readonly type: 'tool-call';
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
  /** What came with the call besides, as `ToolCall` has it; may come alone. */
  readonly extra?: JsonObject;
}

/** An endpoint that did not answer as it should. */
export interface ModelFailure {
  readonly code:
    | 'unreachable'
    | 'unauthorized'
    | 'forbidden'
    | 'not-found'
    | 'rejected'
    /** The request is longer than the model's context window. */
    | 'too-long'
    /** The endpoint or the model takes no native tools. */
    | 'no-tools'
    | 'rate-limited'
    | 'server-error'
    | 'not-a-stream'
    | 'cut-off'
    | 'timed-out'
    /** More than a reply may hold. */
    | 'too-large'
    | 'not-configured';
  /** One sentence for people and the next step. Never holds a key. */
  readonly message: string;
  /** Of HTTP, where the endpoint has refused with one. */
  readonly status?: number;
  /** There if the same request may succeed a little later, unless something of the reply has arrived. */
  readonly retry?: RetryHint;
  /** Of `too-long`, in tokens, where the server says them. */
  readonly figures?: TooLongFigures;
}

/** What a server says of a request that is too long for it, in tokens. */
export interface TooLongFigures {
  /** What the request has, sometimes with what it wants for the reply. */
  readonly prompt?: number;
  /** What the server takes in. */
  readonly window?: number;
}

export interface RetryHint {
  /** The beginning of a sentence: what happened. Never holds a key. */
  readonly what: string;
  /** How long the endpoint asks to wait, in milliseconds. */
  readonly afterMs?: number;
  /** The most tries in all, where it is fewer than usual. */
  readonly tries?: number;
  /** The server says that it is not ready yet: it is asked every few seconds, and no try is counted. */
  readonly waiting?: {
    readonly stage: 'loading' | 'busy';
    /** Milliseconds from the first such answer, `Infinity` for ever. */
    readonly withinMs: number;
  };
}

export interface Model {
  /** The name shown to people. */
  readonly name: string;
  /** Expected trouble arrives as a `failure`; a stop through the signal just ends the stream. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}

/**
 * What made a request begin in another way than the one before, so that the server has to read it anew: another protocol,
 * tools described in short, other tools (a toggle), other instructions (rules files, an agent, a setting), a summary or its
 * undoing, older images left out, or other changes of what was said.
 */
export type CacheBreak =
  'protocol' | 'short-prompt' | 'tools' | 'instructions' | 'compaction' | 'images' | 'history';

/** The parts of a request in tokens of the plain estimate, without what was learned. */
export interface RequestParts {
  readonly instructions: number;
  readonly tools: number;
  readonly conversation: number;
  /** The API carries the tools beside the messages. */
  readonly areToolsApart: boolean;
  /** Absent in sessions of earlier versions. */
  readonly shares?: RequestShares;
}

/** What of the tools and of the conversation is what. The rest is the form of calls, and messages. */
export interface RequestShares {
  readonly definitions: number;
  /** The list of the tools whose definitions come on demand. */
  readonly list: number;
  readonly calls: number;
  readonly results: number;
}

/** About how many tokens a request takes. */
export interface RequestSize {
  readonly total: number;
  /** What describes the tools. */
  readonly tools: number;
  /** What no history can make smaller: the instructions and the tools. */
  readonly fixed: number;
  /** The total as it was counted, without what was learned. */
  readonly raw: number;
  /** It holds images, which models count in their own ways. */
  readonly isRough: boolean;
  /** Absent in sessions of earlier versions. */
  readonly parts?: RequestParts;
}

/** Everything a request is rendered from. */
export interface Conversation {
  /** What is the same in all conversations. */
  readonly instructions: string;
  /** What differs from one to the next: it stands behind the instructions and the tools, so that servers know those already. */
  readonly situation?: string;
  readonly turns: readonly Turn[];
  /** The tools that are described. */
  readonly tools: readonly ToolSpec[];
  /** Those whose definitions came in results. */
  readonly loaded?: readonly ToolSpec[];
  /** `full` if not given. */
  readonly promptForm?: PromptForm;
  /** The server holds the reply to its form, so that some rules need not be said. */
  readonly held?: HeldForm['type'];
}

/**
 * How much a model is told about its tools. `short` suits small context windows: no explanations of arguments. `example`
 * is `full` with a whole exchange besides: a call, its result, and the answer.
 */
export type PromptForm = 'full' | 'short' | 'example';
