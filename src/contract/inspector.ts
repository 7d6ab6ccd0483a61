import * as z from 'zod/mini';
import type { Decision } from '../core/words/approval';
import type { Diagnostic, ToolCall, ToolResult } from '../core/words/messages';
import type { CacheBreak, ReplyTiming, Usage } from '../core/words/model';
import { most } from './most';
import { requestId } from './calls';

const sections = ['request', 'reply', 'calls', 'results'] as const;
export type InspectorSection = (typeof sections)[number];

/** Page → host. What goes on is a reading that the host has made and holds; the page names it. */
export const InspectorToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('copy'), section: z.enum(sections) }),
  /** Reads the reply once more: in the form of a protocol, and as the user has mended it. The answer is `reading`. */
  z.strictObject({
    type: z.literal('read'),
    id: requestId,
    protocol: z.string().check(z.maxLength(most.protocol)),
    /** Without it the reply as it was. */
    text: z.optional(z.string().check(z.maxLength(most.editedReply))),
  }),
  /** Goes on with the reading of that id, which must be the last one, in the place of the reply. */
  z.strictObject({ type: z.literal('go-on'), id: requestId }),
  /** The reply in the lab: as it was, or as the reading of that id has it. */
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
  /** Another key, another reply. */
  readonly key: string;
  /** Of the conversation, or of the sub-agent, counted from 1. */
  readonly number: number;
  /** A sub-agent has said it. */
  readonly isInner: boolean;
  readonly model: string;
  /** The id of the protocol that it was read in. */
  readonly protocol: string;
  readonly protocols: readonly { readonly id: string; readonly label: string }[];
  /** The user has mended it. */
  readonly isEdited: boolean;
  /** It still streams. */
  readonly isOpen: boolean;
  /** It ended before the model was done. */
  readonly isCutOff: boolean;
  /** What the server has counted, and when the reply came. */
  readonly usage?: Usage;
  readonly timing?: ReplyTiming;
  readonly cacheBreak?: CacheBreak;
  readonly raw: string;
  /** What the native protocol reads, where that is not the text: the `data:` lines of its stream. */
  readonly recorded?: string;
  readonly parsed: ReplyReading;
  readonly states: readonly InspectedCall[];
  readonly results: InspectedResults;
  /** Why it cannot be mended: a sentence. */
  readonly whyNotEditable?: string;
  /** Why the conversation cannot go on with another reading of it: a sentence. */
  readonly whyNotGoOn?: string;
}

/** What was, or would be, read out of a reply. */
export interface ReplyReading {
  /** Calls and malformed calls in the order written. */
  readonly calls: readonly ReadCall[];
  readonly warnings: readonly Diagnostic[];
}

/** A call, or what was meant as one. Offsets are in the raw reply, in UTF-16 units. */
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

/** What became of a call that was read. */
export interface InspectedCall {
  readonly id: string;
  readonly state: 'open' | 'waiting' | 'running' | ToolResult['status'];
  /** As the user has changed them. */
  readonly edited?: ToolCall['arguments'];
  /** Nothing for a call that nobody was asked about. */
  readonly decision?: Decision;
  readonly durationMs?: number;
  /** Whether it has run, or begun to. */
  readonly hasBegun: boolean;
}

/** `anew`: nobody has kept it, so it was made from the session with the tools and settings of now. */
export type InspectedRequest =
  | { readonly type: 'none'; readonly why: string }
  | {
      readonly type: 'sent' | 'anew';
      readonly messages: readonly InspectedMessage[];
      readonly tools: readonly { readonly name: string; readonly json: string }[];
      /** What the reply was held to, by the fields of the body that say so. */
      readonly forms: readonly { readonly field: string; readonly text: string }[];
      /** What goes along with these, as JSON. */
      readonly body: string;
    };

export interface InspectedMessage {
  readonly role: string;
  readonly text: string;
  /** What goes along with the text, as JSON. */
  readonly more?: string;
}

/** `sent`: as part of the next request. Otherwise it says how that would hold them. */
export interface InspectedResults {
  readonly isSent: boolean;
  readonly messages: readonly InspectedMessage[];
}
