import type { Learned } from '../core/context/known-window';
import type { CallCounts } from '../core/words/call-counts';
import type { LostMarkers } from './form/find-lost-markers';
import type { FormSupports } from './form/form-probe';
import { addressOf, type ModelProfile } from './profiles';
import type { ReasoningRequirements } from './reasoning-requirements';
import type { ServerFacts } from './server-facts';

/** What can be known of one model at one address. Each part of a fact may be missing. */
export interface FactTypes {
  /** What the endpoint requires about reasoning. */
  readonly requirements: Omit<ReasoningRequirements, 'refusesSignatures'>;
  /** The rest of it, which concerns what is in the conversations. */
  readonly signatures: Pick<ReasoningRequirements, 'refusesSignatures'>;
  /** Whether the server can enforce the form of replies. */
  readonly forms: FormSupports;
  /** Which protocols its server makes unusable. */
  readonly lostMarkers: LostMarkers;
  /** The form that its calls were seen in, where the protocol was left to `auto`. */
  readonly spoken: { readonly protocol?: string };
  /** The window, and how the model counts tokens. */
  readonly context: Learned;
  /** How well it called tools, by protocol. */
  readonly counts: Readonly<Record<string, ProtocolCounts>>;
  /** What its server reports. */
  readonly server: { readonly facts?: ServerFacts };
  /** When the server was asked, in monotonic milliseconds; missing if its report may be outdated. */
  readonly probe: { readonly askedAt?: number };
}

export type FactName = keyof FactTypes;

export interface ProtocolCounts {
  readonly before: CallCounts;
  /** The last ones, at most a batch. */
  readonly last: CallCounts;
}

/** How long each fact holds: until the window or the command ends, until another version of the server, for good. */
export const HOLDS: Readonly<Record<FactName, 'window' | 'server-version' | 'always'>> = {
  requirements: 'always',
  // Most refusals of signatures are about one conversation.
  signatures: 'window',
  forms: 'server-version',
  lostMarkers: 'server-version',
  spoken: 'always',
  context: 'always',
  counts: 'always',
  server: 'window',
  probe: 'window',
};

/** The facts that outlive a window. */
export interface StoredFacts extends Partial<Omit<FactTypes, 'signatures' | 'server' | 'probe'>> {
  /** The server for which those that hold for a version were found, if it was known. */
  readonly version?: string;
}

/** Under which a model's facts are stored. */
export function modelKey(profile: Pick<ModelProfile, 'provider' | 'baseUrl' | 'model'>): string {
  const { provider, model = '' } = profile;
  return JSON.stringify([provider, addressOf(profile) ?? '', model]);
}

/** The software of a server. */
export function versionOf({ kind, version }: ServerFacts): string | undefined {
  return kind === undefined && version === undefined ? undefined : `${kind ?? ''} ${version ?? ''}`;
}
