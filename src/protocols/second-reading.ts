import type { Cursor } from './cursor';

/**
 * Reads again what a string or value without an end has swallowed, so that the calls behind it are not lost. Once in a
 * reply, so that no reply costs more than reading it twice.
 */
export class SecondReading {
  private isSpent = false;

  /** Puts the text that was just taken back in front of what is unread; says whether it did. */
  of(text: string, cursor: Cursor): boolean {
    if (this.isSpent) return false;
    this.isSpent = true;
    cursor.putBack(text);
    return true;
  }
}
