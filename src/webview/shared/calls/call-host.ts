import type { ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { CallAnswer } from '../../../contract/calls';

/** What the cards of calls need from the page they stand on. */
export interface CallHost {
  /** Grows with every answer to a waiting call: what is below it moves. */
  readonly answers: ReadonlySignal<number>;
  decide(callId: string, answer: CallAnswer): void;
  answer(callId: string, text: string): void;
  /** Opens the change of a waiting call in the editor. */
  showDiff(callId: string): void;
  /** The user is done with the cards: the focus goes to where they write. */
  requestFocus(): void;
}

export const CallHostContext = createContext<CallHost | undefined>(undefined);

export function useCallHost(): CallHost {
  const host = useContext(CallHostContext);
  if (!host) throw new Error('This component stands on no page with calls.');
  return host;
}
