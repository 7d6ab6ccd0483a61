import type { ContextFacts } from '../core/context/known-window';
import type { CallCounts } from '../core/words/call-counts';
import type { ResponseFormat, Steps } from '../core/words/grammar';
import type { ServerFacts } from './server-facts';

/** Something known of a model at its endpoint. Where it is kept depends on who opens the model. */
export interface Fact<T> {
  read(): T;
  write(value: T): void;
}

/** What can be known of one model at one address. Each part of a fact may be missing. */
export interface FactTypes {
  /** What the endpoint requires about reasoning. */
  readonly requirements: Omit<ReasoningRequirements, 'refusesSignatures'>;
  /** The rest of it, which concerns what is in the conversations. */
  readonly signatures: Pick<ReasoningRequirements, 'refusesSignatures'>;
  /** What the endpoint refuses in requests. */
  readonly quirks: Quirks;
  /** Whether the server can enforce the form of replies. */
  readonly forms: FormSupports;
  /** Which protocols its server makes unusable. */
  readonly lostMarkers: LostMarkers;
  /** The form that its calls were seen in, where the protocol was left to `auto`. */
  readonly spoken: { readonly protocol?: string };
  /** The window, and how the model counts tokens. */
  readonly context: ContextFacts;
  /** How well it called tools, by protocol. */
  readonly counts: Readonly<Record<string, ProtocolCounts>>;
  /** What small jobs showed: the first steps of *Add Model*, or the doctor's work exam. */
  readonly work: WorkFacts;
  /** What its server reports. */
  readonly server: { readonly facts?: ServerFacts };
  /** When the server was asked, in monotonic milliseconds; missing if its report may be outdated. */
  readonly probe: { readonly askedAt?: number };
}

export type FactName = keyof FactTypes;

/** Protocols, by id, that a model cannot speak here: its server drops a marker that is a control token. */
export interface LostMarkers {
  readonly protocols?: readonly string[];
}

/** What an endpoint refuses in requests, learned from its answers. */
export interface Quirks {
  /** Fields of the body that are left out; a limit of tokens is renamed first. */
  readonly fields?: readonly string[];
  /** Names of the rules for messages that apply. */
  readonly rules?: readonly string[];
  /** Maximum tokens of a reply, for APIs that require a limit. */
  readonly outputLimit?: number;
  /** An endpoint of the Messages API takes the key as a bearer token. */
  readonly isBearer?: true;
}

/** What an endpoint requires about reasoning in a history, learned from a 400. */
export interface ReasoningRequirements {
  /** Every message of the model needs its reasoning, even if empty. */
  readonly needsReasoning?: true;
  readonly refusesReasoning?: true;
  /** Calls need a signature, and there is one for foreign calls. */
  readonly needsSignatures?: true;
  /** It no longer accepts the reasoning it has sent. */
  readonly refusesSignatures?: true;
}

/**
 * Whether a server can enforce the form of a model's replies. `works`: it does. `works-opened`: it does, if the
 * grammar includes the reasoning that the chat template opens. `refused`: it responds with an error. `ignored`: the
 * form is not enforced. `leaks`: the reasoning is constrained, and no answer comes. `endless`: the reasoning never
 * ends. `schemas-only`: no grammar support.
 */
export type FormSupport = Enforced | 'refused' | 'ignored' | 'leaks' | 'endless' | 'schemas-only';

export type Enforced = 'works' | 'works-opened';

/** Whether a server can enforce a grammar, and a schema, as far as tested. */
export type FormSupports = { readonly [Type in ResponseFormat['type']]?: FormSupport };

export interface ProtocolCounts {
  readonly before: CallCounts;
  /** The last ones, at most a batch. */
  readonly last: CallCounts;
}

export interface WorkFacts {
  /** Jobs that the model did, of those that it was given. */
  readonly solved?: number;
  readonly of?: number;
  /** The steps that the doctor recommends. */
  readonly steps?: Steps;
  /** Tokens a second: reading what is new, and writing. */
  readonly speed?: { readonly prompt?: number; readonly output?: number };
}

/** How long each fact holds: until the window or the command ends, until another version of the server, for good. */
export const HOLDS: Readonly<Record<FactName, 'window' | 'server-version' | 'always'>> = {
  requirements: 'always',
  // Most refusals of signatures are about one conversation.
  signatures: 'window',
  quirks: 'server-version',
  forms: 'server-version',
  lostMarkers: 'server-version',
  spoken: 'always',
  context: 'always',
  counts: 'always',
  work: 'always',
  server: 'window',
  probe: 'window',
};

/** What requests have taught about an endpoint or model; the rest is counted, or reported by the server. */
export const LEARNED: readonly FactName[] = [
  ...(['requirements', 'signatures', 'quirks', 'forms', 'lostMarkers', 'spoken', 'context'] as const),
];

/** The facts that outlive a window. */
export interface StoredFacts extends Partial<Omit<FactTypes, 'signatures' | 'server' | 'probe'>> {
  /** The server for which those that hold for a version were found, if it was known. */
  readonly version?: string;
}

/** The software of a server. */
export function versionOf({ kind, version }: ServerFacts): string | undefined {
  return kind === undefined && version === undefined ? undefined : `${kind ?? ''} ${version ?? ''}`;
}

/** Protocols, by id, that a model cannot speak here: its server drops a marker that is a control token. */
export interface LostMarkers {
  readonly protocols?: readonly string[];
}
