import { foldEvents } from '../core/transcript/fold-events';
import { withLeft } from '../core/transcript/rewind';
import type { SessionStore, SessionSummary } from './session-store';

interface SessionMatch {
  readonly session: SessionSummary;
  /** The text around the first match; nothing if only the title matches. */
  readonly line?: string;
}

/** Characters shown of a line, and how many of them at most before the match. */
const SHOWN = 160;
const BEFORE = 40;

/** Searches the titles of sessions and what was said in them: the user's messages and the answers. */
export class SessionSearch {
  private readonly said = new Map<string, Promise<string>>();

  constructor(private readonly store: Pick<SessionStore, 'list' | 'load'>) {}

  /**
   * The matching sessions, newest first, each as soon as it is found; without words, all sessions. A file is read when
   * it is first needed. Case is ignored.
   */
  async *find(words: string, signal: AbortSignal): AsyncGenerator<SessionMatch, void, undefined> {
    const wanted = words.trim().toLowerCase();
    for (const session of await this.store.list()) {
      if (signal.aborted) return;
      if (wanted === '') {
        yield { session };
        continue;
      }
      const line = lineWith(wanted, await this.textOf(session.id));
      if (line !== undefined) yield { session, line };
      else if (session.title.toLowerCase().includes(wanted)) yield { session };
    }
  }

  private textOf(id: string): Promise<string> {
    const known = this.said.get(id) ?? this.read(id);
    this.said.set(id, known);
    return known;
  }

  private async read(id: string): Promise<string> {
    const stored = await this.store.load(id);
    const said = withLeft(foldEvents(stored?.events ?? []).entries).flatMap((entry) => {
      if (entry.type === 'user') return [entry.text];
      if (entry.type !== 'reply') return [];
      return entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    });
    return said.join('\n');
  }
}

/** The first matching line, or the part of it around the match. */
function lineWith(wanted: string, text: string): string | undefined {
  for (const each of text.split('\n')) {
    const line = each.trim();
    const at = line.toLowerCase().indexOf(wanted);
    if (at < 0) continue;
    const start = at <= BEFORE ? 0 : at - BEFORE;
    const shown = line.slice(start, start + SHOWN);
    return `${start > 0 ? '…' : ''}${shown}${start + SHOWN < line.length ? '…' : ''}`;
  }
  return undefined;
}
