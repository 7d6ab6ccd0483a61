import type { ReadonlySignal } from '@preact/signals';
import { createContext, type ComponentType } from 'preact';
import { useContext } from 'preact/hooks';
import type { CallAnswer } from '../../../contract/calls';
import type { Pause } from '../../../core/transcript/history';
import type { EntryLayout, StepFold } from '../../../core/transcript/step-folds';
import type { Entry } from '../../../core/transcript/transcript';
import type { SeenRequests } from './seen-requests';

/** What call cards need from their page. */
export interface CallHost {
  /** Grows with every answer to a waiting call, because content below it moves. */
  readonly answers: ReadonlySignal<number>;
  readonly seen: SeenRequests;
  decide(callId: string, answer: CallAnswer): void;
  answer(callId: string, text: string): void;
  /** Opens the change of a waiting call in the editor. */
  showDiff(callId: string): void;
  /** The page opens the paths that texts name. */
  readonly opensPaths?: true;
  /** Absent if the page has no diffs. */
  readonly sandboxOffer?: SandboxOfferHost;
  /** The user is done with the cards, so the focus moves to the message box. */
  requestFocus(): void;
  /** Whether the focus moves there too after the last waiting call was answered. */
  readonly movesOn: boolean;
}

interface SandboxOfferHost {
  /** The call whose card shows the offer; none after it was answered. */
  readonly callId: ReadonlySignal<string | undefined>;
  choose(choice: 'set-up' | 'decline'): void;
}

export const CallHostContext = createContext<CallHost | undefined>(undefined);

export function useCallHost(): CallHost {
  const host = useContext(CallHostContext);
  if (!host) throw new Error('This component is used on a page without calls.');
  return host;
}

export interface EntryProps {
  readonly entry: Entry;
  readonly isLast: boolean;
  /** It is the last entry of a run in progress. */
  readonly running: boolean;
  /** It is the point where the conversation has paused. */
  readonly pause?: Pause | undefined;
  /** Its index, if files can be restored to before it. */
  readonly checkpoint?: number | undefined;
  /** Its index, if it is a message that can be sent again in another way. */
  readonly again?: number | undefined;
  /** The entries before and after it. */
  readonly before?: Entry | undefined;
  readonly after?: Entry | undefined;
  /** What it shows, if steps are folded in it. */
  readonly layout?: EntryLayout | undefined;
  /** Opens or closes folded steps. */
  readonly onFold?: (fold: StepFold) => void;
  /** It answers without the use of a tool, though the message names something to look at. */
  readonly isUnlooked?: boolean;
  /** The same advice was given before. */
  readonly isAdvised?: boolean;
}

/** Draws an entry. Passed down because a call inside an entry may contain a nested conversation. */
export const EntryContext = createContext<ComponentType<EntryProps> | undefined>(undefined);

/** The call whose sub-agent wrote the drawn entries; none for the conversation itself. */
export const SubAgentContext = createContext<string | undefined>(undefined);

export function useEntryView(): ComponentType<EntryProps> {
  const view = useContext(EntryContext);
  if (!view) throw new Error('This component is used outside a conversation.');
  return view;
}
