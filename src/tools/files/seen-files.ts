import { ToolError, type Caller } from '../../core/words/tool';
import type { Place } from '../ports/files';

interface Seen {
  readonly fingerprint: number;
  /** The results that show parts of this text and were not asked for again. */
  readonly shown: Set<string>;
}

/**
 * Remembers the text that each caller last saw of each file, so that no edit is made from an older one. What a
 * sub-agent or another session has read, this one has not.
 */
export class SeenFiles {
  private readonly callers = new WeakMap<Caller, Map<string, Seen>>();

  saw(caller: Caller, place: Place, text: string): void {
    this.look(caller, place, text);
  }

  /**
   * Whether the caller was given the same result before and the text is still the same. True once: who asks again does
   * not have the earlier one in sight any more.
   */
  isRepeat(caller: Caller, place: Place, text: string, result: string): boolean {
    const { shown } = this.look(caller, place, text);
    if (shown.delete(result)) return true;
    shown.add(result);
    return false;
  }

  /** Throws `ToolError` when the file is not as it was last seen. One never seen is for the edit itself to judge. */
  mustBeCurrent(caller: Caller, place: Place, text: string): void {
    const seen = this.lastSeen(caller, place);
    if (seen === undefined || seen === fingerprint(text)) return;
    throw new ToolError(
      `${place.display} has changed since it was read. Read it again before you change it.`,
    );
  }

  /** `changed` where the caller has gone back to before the file became what it is. */
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

/** 53 bits (cyrb53): telling apart what happened to one file needs no more, and tools have no crypto. */
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
