import { createContext, type ComponentType } from 'preact';
import { useContext } from 'preact/hooks';
import type { Pause } from '../../../core/pause';
import type { Entry } from '../../../core/transcript';

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
  if (!view) throw new Error('This component stands outside a conversation.');
  return view;
}
