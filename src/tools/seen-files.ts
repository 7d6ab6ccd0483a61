import { ToolError, type Caller } from '../core/tool';
import type { Place } from './workspace';

/**
 * Remembers the text that each caller last saw of each file, so that no edit is made from an older one. What a
 * sub-agent or another session has read, this one has not.
 */
export class SeenFiles {
  private readonly fingerprints = new WeakMap<Caller, Map<string, number>>();

  saw(caller: Caller, place: Place, text: string): void {
    const own = this.fingerprints.get(caller) ?? new Map<string, number>();
    this.fingerprints.set(caller, own.set(place.resolved, fingerprint(text)));
  }

  /** Throws `ToolError` when the file is not as it was last seen. One never seen is for the edit itself to judge. */
  mustBeCurrent(caller: Caller, place: Place, text: string): void {
    const seen = this.fingerprints.get(caller)?.get(place.resolved);
    if (seen === undefined || seen === fingerprint(text)) return;
    throw new ToolError(
      `${place.display} has changed since it was read. Read it again before you change it.`,
    );
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
