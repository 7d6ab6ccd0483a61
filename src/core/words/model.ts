import type { JsonObject } from '../../base/json';
import type { Image } from './attachment';
import type { ProviderMetadata, ProviderMetadataDelta } from './provider-metadata';
import type { ResponseFormat, Steps } from './grammar';
import type { Turn } from './messages';
import type { JsonSchema } from './schema';
import type { ToolSpec } from './tool';
import type { WorkspaceFacts } from './workspace-facts';

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
        /** As in `ToolCall`. */
        readonly extra?: JsonObject;
      }[];
      /** From the reply that this message holds. */
      readonly carried?: ProviderMetadata;
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

interface FunctionDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  /** Only the native protocol uses the API's tools. */
  readonly tools?: readonly FunctionDefinition[];
  readonly stop?: readonly string[];
  /** The last reply repeated itself endlessly, so this one should vary more. */
  readonly isVaried?: true;
  /** The form that the server is asked to enforce. */
  readonly responseFormat?: ResponseFormat;
  /** What the request was rendered from. Only models inside this process read it; it is never sent. */
  readonly origin: { readonly protocol: string; readonly conversation: Conversation };
}

/** Why a reply ended, in the API's terms. */
export type EndReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that the server had cached, if it reports them. */
  readonly cachedTokens?: number;
  /** Input tokens that the server has put into its cache for this request, if it reports them. */
  readonly cacheWriteTokens?: number;
  /** Dollars, if the price is known. */
  readonly cost?: number;
}

/** What a model sends. A stream that closes without `end` or `failure` was cut off. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | ToolCallDelta
  | ProviderMetadataDelta
  | { readonly type: 'usage'; readonly usage: Usage }
  | EndDelta
  | { readonly type: 'failure'; readonly failure: ModelFailure }
  | RetryDelta
  | ProgressDelta
  | UnforcedDelta
  | NoticeDelta;

export interface EndDelta {
  readonly type: 'end';
  readonly reason: EndReason;
  /**
   * Set if the stream was closed properly but does not say that the reply is whole: a sentence for people. It is an end
   * only if the reply proves to be whole.
   */
  readonly unclear?: string;
}

/** Something unusual about a reply that changes nothing of it. */
export interface NoticeDelta {
  readonly type: 'notice';
  /** As in `Diagnostic`. */
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
}

/** The reply's form is not enforced although it could be, or was not. At most once per model. */
export interface UnforcedDelta {
  readonly type: 'unforced';
  /** One sentence for people, with the consequence. */
  readonly message: string;
}

/** What a server does with a request. Nothing of the reply has arrived. */
export interface ProgressDelta {
  readonly type: 'progress';
  /**
   * `loading`: it reports that it loads the model. `busy`: it still works on the previous request. `taken`: it has
   * accepted this one. `reading`: it reads the prompt.
   */
  readonly stage: 'loading' | 'busy' | 'taken' | 'reading';
  /** With `reading`, if the server reports it. */
  readonly prompt?: PromptProgress;
}

/** In tokens. */
export interface PromptProgress {
  /** Read so far, including cached tokens. */
  readonly read: number;
  readonly all: number;
  /** Cached from before. */
  readonly cached: number;
}

/** When a reply arrived, in milliseconds since its request. */
export interface ReplyTiming {
  /** Until its first piece. */
  readonly firstMs: number;
  readonly totalMs: number;
}

/** Nothing of the reply has arrived, and the request is sent again after a pause. */
export interface RetryDelta {
  readonly type: 'retry';
  /** The number of the next attempt, from 2. */
  readonly attempt: number;
  /** The maximum number of attempts. */
  readonly of: number;
  readonly waitMs: number;
  /** What happened and what comes next, for people. */
  readonly message: string;
}

/** A piece of a native tool call. Servers leave out or repeat any of these fields. */
export interface ToolCallDelta {
  readonly type: 'tool-call';
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
  /** Other fields of the call, as in `ToolCall`; may come alone. */
  readonly extra?: JsonObject;
}

/** An error of an endpoint. */
export interface ModelFailure {
  readonly code:
    | 'unreachable'
    | 'unauthorized'
    | 'forbidden'
    | 'not-found'
    | 'rejected'
    /** The request is longer than the model's context window. */
    | 'too-long'
    /** The endpoint or the model does not accept native tools. */
    | 'no-tools'
    | 'rate-limited'
    | 'server-error'
    | 'not-a-stream'
    | 'cut-off'
    | 'timed-out'
    /** The reply is larger than allowed. */
    | 'too-large'
    | 'not-configured';
  /** One sentence for people and the next step. Never holds a key. */
  readonly message: string;
  /** The endpoint's own words, whole, to recognize what it refuses. Never holds a key. */
  readonly said?: string;
  /** HTTP status, if the endpoint refused with one. */
  readonly status?: number;
  /** Set if the same request may succeed a little later; unused once something of the reply has arrived. */
  readonly retry?: RetryHint;
  /** With `too-long`, in tokens, if the server reports them. */
  readonly figures?: TooLongFigures;
}

/** What a server reports about a request that is too long for it, in tokens. */
export interface TooLongFigures {
  /** Size of the request, sometimes including the requested reply. */
  readonly prompt?: number;
  /** The server's limit. */
  readonly window?: number;
}

export interface RetryHint {
  /** The beginning of a sentence: what happened. Never holds a key. */
  readonly what: string;
  /** How long the endpoint asks to wait, in milliseconds. */
  readonly afterMs?: number;
  /** The maximum number of attempts, if lower than usual. */
  readonly tries?: number;
  /**
   * The server reports that it is not ready yet: it is polled every few seconds, and polls do not count as attempts.
   */
  readonly waiting?: {
    readonly stage: 'loading' | 'busy';
    /** Milliseconds from the first such answer; `Infinity` for no limit. */
    readonly withinMs: number;
  };
}

export interface Model {
  /** The name shown to people. */
  readonly name: string;
  /** Expected errors arrive as a `failure`; a stop through the signal just ends the stream. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}

/**
 * Why a request does not begin like the previous one, so that the server has to read it again: another protocol, short
 * tool descriptions, other tools (a toggle), other instructions (rules files, an agent, a setting), a summary or its
 * undoing, older images left out, or other changes of the history.
 */
export type CacheBreak =
  'protocol' | 'short-prompt' | 'tools' | 'instructions' | 'compaction' | 'images' | 'history';

/** The parts of a request in tokens of the plain estimate, without learned factors. */
export interface RequestParts {
  readonly instructions: number;
  readonly tools: number;
  readonly conversation: number;
  /** The API carries the tools beside the messages. */
  readonly areToolsApart: boolean;
  /** Absent in sessions of earlier versions. */
  readonly shares?: RequestShares;
}

/** Shares of the tools and the conversation. The rest is the call format, and messages. */
export interface RequestShares {
  readonly definitions: number;
  /** The list of the tools that are loaded on demand. */
  readonly list: number;
  readonly calls: number;
  readonly results: number;
}

/** Estimated tokens of a request. */
export interface RequestSize {
  readonly total: number;
  /** The tool descriptions. */
  readonly tools: number;
  /** What a shorter history cannot reduce: the instructions and the tools. */
  readonly fixed: number;
  /** The total of the plain estimate, without learned factors. */
  readonly raw: number;
  /** It contains images, which models count differently. */
  readonly isRough: boolean;
  /** Absent in sessions of earlier versions. */
  readonly parts?: RequestParts;
}

/** Everything a request is rendered from. */
export interface Conversation {
  /** The same in all conversations. */
  readonly instructions: string;
  /**
   * What differs between conversations: it follows the instructions and the tools, so that servers have those cached.
   */
  readonly situation?: string;
  readonly turns: readonly Turn[];
  /** The tools that are described. */
  readonly tools: readonly ToolSpec[];
  /** Tools whose definitions came in results. */
  readonly loaded?: readonly ToolSpec[];
  /** `full` by default. */
  readonly promptForm?: PromptForm;
  /** How many calls the reply may have; `many` by default. */
  readonly steps?: Steps;
  /** The reply must be a call, because the message cannot be answered without a look. */
  readonly isCallNeeded?: true;
  /** The message asks for work, so an answer only says what was done. */
  readonly isAnswerShort?: true;
  /** Described tools that the reply cannot call; `all`: it can only answer. */
  readonly leftOut?: readonly string[] | 'all';
  /** What the form of the reply may know of the workspace. */
  readonly facts?: WorkspaceFacts;
  /** The server enforces the reply's form, so that some rules can be left out. */
  readonly formType?: ResponseFormat['type'];
}

/**
 * How much a model is told about its tools. `short` suits small context windows: no explanations of arguments.
 * `example` is `full` plus a complete exchange: a call, its result, and the answer.
 */
export type PromptForm = 'full' | 'short' | 'example';
