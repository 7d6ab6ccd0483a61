import * as z from 'zod/mini';
import type { CharSet } from '../core/words/grammar';
import type { Diagnostic, MalformedCall, ToolCall } from '../core/words/messages';
import type { Strictness } from '../core/words/protocol';
import { most } from './most';
import { requestId } from './calls';

const strictness = z.enum(['strict', 'repair', 'lenient']);
const recovery = z.enum(['run', 'ask', 'text']);

/** A reply and its parse options. */
const reading = {
  reply: z.string().check(z.maxLength(most.reply)),
  /** An id, `auto` or, to compare them, `all`. */
  protocol: z.string(),
  /** Characters per chunk; 0 for all at once. */
  chunk: z.int().check(z.nonnegative()),
  /** The tools offered to the model in this window, none (then nothing is bound), or those of a case, by name. */
  tools: z.union([z.enum(['enabled', 'none']), z.array(z.string())]),
  strictness,
  recovery,
  /** The reply of the conversation that it is, if unchanged. */
  source: z.optional(z.int()),
};

const caseNumber = z.int().check(z.nonnegative());

export const ParseToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('parse-settings'), id: requestId }),
  /** Replaces the previous request, which is cancelled. */
  z.strictObject({ type: z.literal('parse-reply'), id: requestId, ...reading }),
  z.strictObject({ type: z.literal('open-reply'), id: requestId }),
  z.strictObject({ type: z.literal('pick-reply'), id: requestId }),
  z.strictObject({ type: z.literal('list-cases'), id: requestId }),
  z.strictObject({ type: z.literal('run-cases'), id: requestId, cases: z.array(caseNumber) }),
  z.strictObject({ type: z.literal('open-case'), id: requestId, case: caseNumber }),
  z.strictObject({ type: z.literal('save-case'), id: requestId, ...reading }),
]);
export type ParseToHost = z.infer<typeof ParseToHost>;

/** The request cannot be fulfilled; one sentence for the user, with the next step. */
export interface PageProblem {
  readonly problem: string;
}

export interface ParseAnswers {
  readonly 'parse-settings': ParseSettings;
  readonly 'parse-reply': ReplyAnswer | ProtocolComparison | PageProblem | Superseded;
  /** Nothing if the user cancelled. */
  readonly 'open-reply': OpenedReply | PageProblem | undefined;
  readonly 'pick-reply': OpenedReply | PageProblem | undefined;
  readonly 'list-cases': readonly CaseItem[];
  readonly 'run-cases': readonly CaseOutcome[] | PageProblem;
  readonly 'open-case': OpenedReply | PageProblem;
  /** Name of the file; nothing if the user cancelled. */
  readonly 'save-case': { readonly saved: string } | PageProblem | undefined;
}

/** A later request has replaced it. */
export interface Superseded {
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
  /** The protocol it was parsed with. */
  readonly protocol: string;
  /** The text that positions refer to, if not the reply itself: the content of the recorded lines. */
  readonly raw?: string;
  readonly parts: readonly ShownPart[];
  /** Whether these chunk sizes all gave the same result; not checked for long replies. */
  readonly cuts?: { readonly sizes: readonly number[]; readonly isSame: boolean };
  /** In the format that cases are compared by (`core/run/parse-reply.ts`); absent for long replies. */
  readonly summary?: string;
  /** Tool descriptions for the model. */
  readonly prompt: string;
  /** Messages to the model after the reply: the reply as the history contains it, and the results. */
  readonly followUp: readonly SentMessage[];
  /** The results are from the conversation, not samples. */
  readonly hasRealResults: boolean;
  readonly form: ReplyForm;
}

/** The form that a server can enforce, and whether this reply matches it. */
export type ReplyForm =
  /** Native calls have no form, and neither do replies without tools. */
  | { readonly type: 'none'; readonly why: 'native' | 'no-tools' }
  | {
      readonly type: 'form';
      /** As GBNF. */
      readonly grammar: string;
      /** As JSON, if the reply is one JSON object. */
      readonly schema?: string;
      readonly match: FormMatch;
    };

export type FormMatch =
  | { readonly type: 'whole' }
  /** The reply ends too early, or its text at the position violates the form. */
  | { readonly type: 'unfinished' | 'left'; readonly place: FormPlace }
  /** Only so many characters were followed. */
  | { readonly type: 'stopped'; readonly at: number };

export interface FormPlace {
  /** Offset in UTF-16 units. */
  readonly at: number;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** The end of the text before it. */
  readonly before: string;
  /** The character at it; empty at the end. */
  readonly found: string;
  readonly allowed: AllowedNext;
}

/** What may come next. */
export interface AllowedNext {
  /** Texts up to the next choice; each with the part that is written already. */
  readonly texts: readonly { readonly written: string; readonly rest: string }[];
  /** Number of further choices. */
  readonly more: number;
  /** Single characters, including those that begin a text. */
  readonly chars?: CharSet;
  readonly mayEnd: boolean;
}

export type ShownPart =
  | ({ readonly type: 'text' | 'reasoning' } & ShownText)
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'malformed'; readonly malformed: MalformedCall }
  | { readonly type: 'warning'; readonly diagnostic: Diagnostic };

/** Position in the raw text, or the text itself if it does not occur there. */
type ShownText = { readonly start: number; readonly end: number } | { readonly text: string };

export interface SentMessage {
  readonly role: 'assistant' | 'user' | 'tool' | 'system';
  readonly text: string;
  /** Number of characters omitted at the end. */
  readonly left: number;
}

export interface ProtocolComparison {
  readonly type: 'comparison';
  /** The protocol that `auto` chose. */
  readonly detected: string;
  readonly protocols: readonly ProtocolResult[];
}

interface ProtocolResult {
  readonly id: string;
  readonly calls: readonly string[];
  readonly malformed: number;
  readonly warnings: number;
  /** Characters of text a user would see. */
  readonly text: number;
}

/** Initial content of the tab. */
export interface OpenedReply {
  /** Its source, for the user. */
  readonly name: string;
  readonly reply: string;
  /** An id or `auto`. */
  readonly protocol: string;
  readonly source?: number;
  /** Parse options and expected result of the case. */
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
  /** Describes the case. */
  readonly name: string;
}

export interface CaseOutcome {
  readonly number: number;
  readonly expected: string;
  readonly actual: string;
}
