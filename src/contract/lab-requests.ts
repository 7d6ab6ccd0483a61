import * as z from 'zod/mini';
import type { Decision } from '../core/words/approval';
import type { ToolCall, ToolResult } from '../core/words/messages';
import type { CacheBreak, ReplyTiming, Usage } from '../core/words/model';
import { requestId } from './calls';
import type { PageProblem, ShownPart, Superseded } from './lab-parse';
import { most } from './most';

const sections = ['request', 'reply', 'calls', 'results'] as const;
export type InspectorSection = (typeof sections)[number];

/** A parse result is named by the number of its request; the host holds it. */
const reading = z.int().check(z.nonnegative());

export const RequestsToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('inspected-reply'), id: requestId }),
  z.strictObject({ type: z.literal('sent-request'), id: requestId }),
  /** Opens the newest reply of the conversation. */
  z.strictObject({ type: z.literal('inspect-last') }),
  z.strictObject({ type: z.literal('copy-section'), id: requestId, section: z.enum(sections) }),
  /** Parses the reply again: as another protocol, or with the user's edits. */
  z.strictObject({
    type: z.literal('parse-again'),
    id: requestId,
    protocol: z.string().check(z.maxLength(most.protocol)),
    /** Absent for the original reply. */
    text: z.optional(z.string().check(z.maxLength(most.editedReply))),
  }),
  /** Continues with that parse result, which must be the last one, in place of the reply. */
  z.strictObject({ type: z.literal('continue-with'), id: requestId, reading }),
  /** Opens the reply in the Parse tab: the original, or the one of that parse result. */
  z.strictObject({ type: z.literal('parse-inspected'), id: requestId, reading: z.optional(reading) }),
]);
export type RequestsToHost = z.infer<typeof RequestsToHost>;

/** Everything in them is without keys. */
export interface RequestsAnswers {
  /** A sentence if no reply is open. */
  readonly 'inspected-reply': InspectedReply | PageProblem;
  readonly 'sent-request': SentRequestPage | undefined;
  /** `false` if the reply is no longer open. */
  readonly 'copy-section': boolean;
  readonly 'parse-again': ReplyReading | PageProblem | Superseded;
  readonly 'continue-with': PageProblem | undefined;
  readonly 'parse-inspected': PageProblem | undefined;
}

/** The content is outdated, or another reply is open. */
export interface HostToRequests {
  readonly type: 'requests-changed';
}

/** The request for the reply with that key. */
interface SentRequestPage {
  readonly key: string;
  readonly request: InspectedRequest;
}

export interface InspectedReply {
  /** A different key means a different reply. */
  readonly key: string;
  /** In the conversation, or in the sub-agent, counted from 1. */
  readonly number: number;
  /** It is from a sub-agent. */
  readonly isInner: boolean;
  readonly model: string;
  /** Id of the protocol it was parsed with. */
  readonly protocol: string;
  readonly protocols: readonly { readonly id: string; readonly label: string }[];
  /** The user edited it. */
  readonly isEdited: boolean;
  /** It is still streaming. */
  readonly isOpen: boolean;
  /** It ended before the model was done. */
  readonly isCutOff: boolean;
  /** Token counts of the server, and times of the reply. */
  readonly usage?: Usage;
  readonly timing?: ReplyTiming;
  readonly cacheBreak?: CacheBreak;
  readonly raw: string;
  /** Input of the native protocol, if not the text: the `data:` lines of its stream. */
  readonly recorded?: string;
  /** Calls, malformed calls and warnings. Offsets are in the raw reply, in UTF-16 units. */
  readonly parsed: readonly ShownPart[];
  readonly states: readonly InspectedCall[];
  readonly results: InspectedResults;
  /** Why it cannot be edited: a sentence. */
  readonly whyNotEditable?: string;
  /** Why the conversation cannot continue with another version of it: a sentence. */
  readonly whyNotGoOn?: string;
}

/** What would be parsed from a reply. */
interface ReplyReading {
  readonly type: 'reading';
  /** Of the request that parsed it. */
  readonly number: number;
  /** Calls, malformed calls and warnings. Offsets are in the raw reply, in UTF-16 units. */
  readonly parts: readonly ShownPart[];
}

/** Outcome of a parsed call. */
export interface InspectedCall {
  readonly id: string;
  readonly state: 'open' | 'waiting' | 'running' | ToolResult['status'];
  /** With the user's changes. */
  readonly edited?: ToolCall['arguments'];
  /** Nothing for a call that did not ask. */
  readonly decision?: Decision;
  readonly durationMs?: number;
  /** Whether it has run or started. */
  readonly hasBegun: boolean;
}

/** `anew`: it was not kept, so it was rebuilt from the session with the current tools and settings. */
export type InspectedRequest =
  | { readonly type: 'none'; readonly why: string }
  | {
      readonly type: 'sent' | 'anew';
      readonly messages: readonly InspectedMessage[];
      readonly tools: readonly { readonly name: string; readonly json: string }[];
      /** The enforced form of the reply, by the fields of the body that contain it. */
      readonly forms: readonly { readonly field: string; readonly text: string }[];
      /** Data sent with these, as JSON. */
      readonly body: string;
    };

export interface InspectedMessage {
  readonly role: string;
  readonly text: string;
  /** Attachments of the text, as JSON. */
  readonly more?: string;
}

/** `sent`: as part of the next request. Otherwise as that would contain them. */
export interface InspectedResults {
  readonly isSent: boolean;
  readonly messages: readonly InspectedMessage[];
}
