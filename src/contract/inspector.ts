import * as z from 'zod/mini';
import type { Decision } from '../core/words/approval';
import type { Diagnostic, ToolCall, ToolResult } from '../core/words/messages';
import type { CacheBreak, ReplyTiming, Usage } from '../core/words/model';
import { most } from './most';
import { requestId } from './calls';

const sections = ['request', 'reply', 'calls', 'results'] as const;
export type InspectorSection = (typeof sections)[number];

/** Page → host. The page names a parse result that the host holds. */
export const InspectorToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('copy'), section: z.enum(sections) }),
  /** Parses the reply again: as another protocol, or with the user's edits. The answer is `reading`. */
  z.strictObject({
    type: z.literal('read'),
    id: requestId,
    protocol: z.string().check(z.maxLength(most.protocol)),
    /** Absent for the original reply. */
    text: z.optional(z.string().check(z.maxLength(most.editedReply))),
  }),
  /** Continues with the parse result of that id, which must be the last one, in place of the reply. */
  z.strictObject({ type: z.literal('go-on'), id: requestId }),
  /** Opens the reply in the lab: the original, or the one of that parse result. */
  z.strictObject({ type: z.literal('open-lab'), id: z.optional(requestId) }),
]);
export type InspectorToHost = z.infer<typeof InspectorToHost>;

/** Host → page. Everything in it is without keys. */
export type HostToInspector =
  | { readonly type: 'reply'; readonly reply: InspectedReply }
  /** Comes after the reply that it belongs to, and where it takes long to make, a while after. */
  | { readonly type: 'request'; readonly request: InspectedRequest }
  | { readonly type: 'reading'; readonly id: number; readonly reading: ReplyReading }
  /** Another session is shown now. */
  | { readonly type: 'gone' }
  /** A sentence about what the user has just done. */
  | { readonly type: 'note'; readonly text: string };

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
  readonly parsed: ReplyReading;
  readonly states: readonly InspectedCall[];
  readonly results: InspectedResults;
  /** Why it cannot be edited: a sentence. */
  readonly whyNotEditable?: string;
  /** Why the conversation cannot continue with another version of it: a sentence. */
  readonly whyNotGoOn?: string;
}

/** What was, or would be, parsed from a reply. */
export interface ReplyReading {
  /** Calls and malformed calls in order. */
  readonly calls: readonly ReadCall[];
  readonly warnings: readonly Diagnostic[];
}

/** A call or malformed call. Offsets are in the raw reply, in UTF-16 units. */
export type ReadCall = Readonly<{ id: string; name: string; start: number; end: number }> &
  (
    | {
        readonly type: 'call';
        readonly arguments: ToolCall['arguments'];
        readonly mark: ToolCall['mark'];
        readonly notes: readonly Diagnostic[];
      }
    | { readonly type: 'malformed'; readonly reason: Diagnostic }
  );

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
