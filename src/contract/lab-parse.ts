import * as z from 'zod/mini';
import type { CharSet } from '../core/words/grammar';
import type { Diagnostic, MalformedCall, ToolCall } from '../core/words/messages';
import type { Strictness } from '../core/words/protocol';
import { most } from './most';
import { requestId } from './calls';

const strictness = z.enum(['strict', 'repair', 'lenient']);
const recovery = z.enum(['run', 'ask', 'text']);

/** A reply, and how it is to be read. */
const reading = {
  reply: z.string().check(z.maxLength(most.reply)),
  /** An id, `auto` or, to compare them, `all`. */
  protocol: z.string(),
  /** So many characters arrive at once; 0 for all. */
  chunk: z.int().check(z.nonnegative()),
  /** The ones the model is offered in this window, none (then nothing is bound), or those of a case, by name. */
  tools: z.union([z.enum(['enabled', 'none']), z.array(z.string())]),
  strictness,
  recovery,
  /** The reply of the conversation that this one was taken from, if it was not changed since. */
  source: z.optional(z.int()),
};

const caseNumber = z.int().check(z.nonnegative());

export const ParseToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('parse-settings'), id: requestId }),
  /** Takes the place of what was asked before: that is given up. */
  z.strictObject({ type: z.literal('parse-reply'), id: requestId, ...reading }),
  z.strictObject({ type: z.literal('open-reply'), id: requestId }),
  z.strictObject({ type: z.literal('pick-reply'), id: requestId }),
  /** Asks for the one that another part of the window wants looked into, if there is one. */
  z.strictObject({ type: z.literal('take-reply'), id: requestId }),
  z.strictObject({ type: z.literal('list-cases'), id: requestId }),
  z.strictObject({ type: z.literal('run-cases'), id: requestId, cases: z.array(caseNumber) }),
  z.strictObject({ type: z.literal('open-case'), id: requestId, case: caseNumber }),
  z.strictObject({ type: z.literal('save-case'), id: requestId, ...reading }),
]);
export type ParseToHost = z.infer<typeof ParseToHost>;

/** There is a reply to be taken. */
export interface HostToParse {
  readonly type: 'reply-handed';
}

/** What was asked for cannot be done; one sentence for people, and what they can do. */
export interface PageProblem {
  readonly problem: string;
}

export interface ParseAnswers {
  readonly 'parse-settings': ParseSettings;
  readonly 'parse-reply': ReplyAnswer | ProtocolComparison | PageProblem | Superseded;
  /** Nothing where the user has picked nothing. */
  readonly 'open-reply': OpenedReply | PageProblem | undefined;
  readonly 'pick-reply': OpenedReply | PageProblem | undefined;
  readonly 'take-reply': OpenedReply | undefined;
  readonly 'list-cases': readonly CaseItem[];
  readonly 'run-cases': readonly CaseOutcome[] | PageProblem;
  readonly 'open-case': OpenedReply | PageProblem;
  /** The name of the file; nothing where the user has picked none. */
  readonly 'save-case': { readonly saved: string } | PageProblem | undefined;
}

/** A later request has taken its place. */
interface Superseded {
  readonly type: 'superseded';
}

export interface ParseSettings {
  readonly protocols: readonly { readonly id: string; readonly label: string }[];
  /** As set for the model of this window. */
  readonly strictness: Strictness;
  readonly recovery: 'run' | 'ask' | 'text';
}

export interface ReplyAnswer {
  readonly type: 'reply';
  /** The one that it was read by. */
  readonly protocol: string;
  /** What positions count in, where that is not the reply itself: what the recorded lines carry. */
  readonly raw?: string;
  readonly parts: readonly ShownPart[];
  /** Whether these pieces all gave the same; not asked of long replies. */
  readonly cuts?: { readonly sizes: readonly number[]; readonly isSame: boolean };
  /** As cases are compared by (`core/run/parse-reply.ts`); not given of long replies. */
  readonly summary?: string;
  /** What the model is told about the tools. */
  readonly prompt: string;
  /** What the model is sent after the reply: the reply as the history has it, and the results. */
  readonly followUp: readonly SentMessage[];
  /** The results are those of the conversation, not made up. */
  readonly hasRealResults: boolean;
  readonly form: ReplyForm;
}

/** What a server can hold replies to, and whether this one is such a reply. */
export type ReplyForm =
  /** The API carries the calls, or there are no tools to call. */
  | { readonly type: 'none'; readonly why: 'native' | 'no-tools' }
  | {
      readonly type: 'form';
      /** As GBNF. */
      readonly grammar: string;
      /** As JSON, where the reply is one JSON object. */
      readonly schema?: string;
      readonly match: FormMatch;
    };

export type FormMatch =
  | { readonly type: 'whole' }
  /** A continuation would be in the form; or no continuation of what stands in front of the place is as the reply goes on. */
  | { readonly type: 'unfinished' | 'left'; readonly place: FormPlace }
  /** Only so many characters were followed. */
  | { readonly type: 'stopped'; readonly at: number };

export interface FormPlace {
  /** Offset in UTF-16 units. */
  readonly at: number;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The end of what stands in front of it. */
  readonly before: string;
  /** The character that stands there; empty at the end. */
  readonly found: string;
  readonly allowed: AllowedNext;
}

/** What may come next. */
export interface AllowedNext {
  /** Each up to the next choice, with what of it is written already. */
  readonly texts: readonly { readonly written: string; readonly rest: string }[];
  /** How many more of them there are. */
  readonly more: number;
  /** Single characters, also those that begin a text. */
  readonly chars?: CharSet;
  readonly mayEnd: boolean;
}

export type ShownPart =
  | ({ readonly type: 'text' | 'reasoning' } & ShownText)
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly malformed: MalformedCall }
  | { readonly type: 'warning'; readonly diagnostic: Diagnostic };

/** Where it stands in the raw text, or itself where it does not stand there as it is. */
type ShownText = { readonly start: number; readonly end: number } | { readonly text: string };

export interface SentMessage {
  readonly role: 'assistant' | 'user' | 'tool' | 'system';
  readonly text: string;
  /** How many characters were left out at the end. */
  readonly left: number;
}

export interface ProtocolComparison {
  readonly type: 'comparison';
  /** The id that `auto` stands for. */
  readonly detected: string;
  readonly protocols: readonly ProtocolResult[];
}

interface ProtocolResult {
  readonly id: string;
  readonly calls: readonly string[];
  readonly malformed: number;
  readonly warnings: number;
  /** Characters of text that a user would see. */
  readonly text: number;
}

/** What the tab is filled with. */
export interface OpenedReply {
  /** Where it comes from, for people. */
  readonly name: string;
  readonly reply: string;
  /** An id or `auto`. */
  readonly protocol: string;
  readonly source?: number;
  /** How the case it is wants to be read, and what it is to be read as. */
  readonly case?: {
    readonly tools: 'none' | readonly string[];
    readonly strictness: Strictness;
    readonly recover: boolean;
    readonly expect: string;
  };
}

export interface CaseItem {
  readonly number: number;
  readonly protocol: string;
  /** Says what happens. */
  readonly name: string;
}

export interface CaseOutcome {
  readonly number: number;
  readonly expected: string;
  readonly actual: string;
}
