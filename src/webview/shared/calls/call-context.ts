import type { ReadonlySignal } from '@preact/signals';
import { createContext, type ComponentType } from 'preact';
import { useContext } from 'preact/hooks';
import type { CallAnswer } from '../../../contract/calls';
import type { Pause } from '../../../core/transcript/history';
import type { Entry } from '../../../core/transcript/transcript';

/** What the cards of calls need from the page they stand on. */
export interface CallHost {
  /** Grows with every answer to a waiting call: what is below it moves. */
  readonly answers: ReadonlySignal<number>;
  decide(callId: string, answer: CallAnswer): void;
  answer(callId: string, text: string): void;
  /** Opens the change of a waiting call in the editor. */
  showDiff(callId: string): void;
  /** Absent where none is made. */
  readonly sandboxOffer?: SandboxOfferHost;
  /** The user is done with the cards: the focus goes to where they write. */
  requestFocus(): void;
}

interface SandboxOfferHost {
  /** The call whose card has the offer; none once it was answered. */
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
  /** It is the last one of a run that goes on. */
  readonly running: boolean;
  /** Where it is what the conversation has paused at. */
  readonly pause?: Pause | undefined;
  /** Its index, where files can be put back to what they were before it. */
  readonly checkpoint?: number | undefined;
  /** Its index, where it is a message that can be sent again in another way. */
  readonly again?: number | undefined;
}

/** Draws an entry. Handed down, because a call inside an entry may hold a conversation of its own. */
export const EntryContext = createContext<ComponentType<EntryProps> | undefined>(undefined);

/** The call whose sub-agent has said what is drawn; none for what stands in the conversation itself. */
export const SubAgentContext = createContext<string | undefined>(undefined);

export function useEntryView(): ComponentType<EntryProps> {
  const view = useContext(EntryContext);
  if (!view) throw new Error('This component is used outside a conversation.');
  return view;
}
