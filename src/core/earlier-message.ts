import type { Entry } from './transcript';

/** One of the user's messages, as whoever goes back to it has seen it. */
export interface EarlierMessage {
  /** Its index in the conversation. */
  readonly entry: number;
  readonly text: string;
}

/** Whether it is one of these: another conversation may be shown by now. */
export function isAmong({ entry, text }: EarlierMessage, entries: readonly Entry[]): boolean {
  const said = entries[entry];
  return said?.type === 'user' && said.text === text;
}
