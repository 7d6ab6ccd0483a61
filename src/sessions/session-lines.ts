import { VERSION } from './record';
import { redacted } from './redacted';
import type { StoredSession } from './session-store';

/**
 * A session as JSON Lines: a header, then its events, each a line. A file of them is a session file for `parley replay`.
 * They bear no check sums, because whoever looks through them may want to take something out.
 */
export function sessionLines(
  { header: { id, workspace, title, created }, events }: Pick<StoredSession, 'header' | 'events'>,
  redact: (text: string) => string,
): string {
  const header = { version: VERSION, id, workspace, title, created };
  const records = [{ header }, ...events.map((event) => ({ event }))];
  return records.map((record) => `${JSON.stringify(redacted(record, redact))}\n`).join('');
}
