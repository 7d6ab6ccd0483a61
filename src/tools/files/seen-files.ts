import { ToolError, type Caller } from '../../core/words/tool';
import type { Place } from '../ports/files';

interface Seen {
  readonly fingerprint: number;
  /** Results that showed parts of this text and were not requested again. */
  readonly shown: Set<string>;
}

/**
 * Remembers which text of each file a caller last saw, so that no edit is based on an older one. What a sub-agent or
 * another session read does not count.
 */
export class SeenFiles {
  private readonly callers = new WeakMap<Caller, Map<string, Seen>>();

  saw(caller: Caller, place: Place, text: string): void {
    this.look(caller, place, text);
  }

  /**
   * Whether the caller already got the same result and the text has not changed. True once: a caller that asks again
   * may no longer see the earlier result.
   */
  isRepeat(caller: Caller, place: Place, text: string, result: string): boolean {
    const { shown } = this.look(caller, place, text);
    if (shown.delete(result)) return true;
    shown.add(result);
    return false;
  }

  /** Throws `ToolError` if the file changed since the caller saw it. A file never seen is left to the edit. */
  mustBeCurrent(caller: Caller, place: Place, text: string): void {
    const seen = this.lastSeen(caller, place);
    if (seen === undefined || seen === fingerprint(text)) return;
    throw new ToolError(
      `${place.display} has changed since it was read. Read it again before you change it.`,
    );
  }

  /** `changed` if the conversation was rewound to before the file got its present text. */
  private lastSeen(caller: Caller, place: Place): number | 'changed' | undefined {
    const own = this.callers.get(caller)?.get(place.resolved);
    if (own) return own.fingerprint;
    if (caller.changed?.has(place.resolved)) return 'changed';
    return caller.before && this.lastSeen(caller.before, place);
  }

  private look(caller: Caller, place: Place, text: string): Seen {
    const own = this.callers.get(caller) ?? new Map<string, Seen>();
    this.callers.set(caller, own);
    const known = own.get(place.resolved);
    const now = fingerprint(text);
    if (known?.fingerprint === now) return known;
    const seen: Seen = { fingerprint: now, shown: new Set() };
    own.set(place.resolved, seen);
    return seen;
  }
}

/** 53 bits (cyrb53): enough to tell versions of one file apart; tools have no crypto. */
function fingerprint(text: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}
