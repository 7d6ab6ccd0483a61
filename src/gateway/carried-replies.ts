import type { ToolCall, Turn } from '../core/words/messages';
import type { ProviderMetadata } from '../core/words/provider-metadata';

/** Replies that are remembered; only those of the current task are needed. */
const MOST = 256;
/** Characters of what came with one reply. */
const CHARACTERS = 256 * 1024;

/**
 * What came with the last replies in the form of their API, such as signed thinking. Clients of another API cannot send
 * it back, so it is added to the reply with the same call when that comes back. Models check themselves whether the
 * reply is still the same.
 */
export class CarriedReplies {
  /** By the id of the first call; services never repeat these ids. */
  private readonly known = new Map<string, ProviderMetadata>();

  add([first]: readonly ToolCall[], carried: ProviderMetadata | undefined): void {
    if (!first || !carried?.output || JSON.stringify(carried.output).length > CHARACTERS) return;
    this.known.delete(first.id);
    this.known.set(first.id, carried);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest);
  }

  /** The conversation with what is known of its replies. */
  addTo(turns: readonly Turn[]): readonly Turn[] {
    return turns.map((turn) => {
      if (turn.type !== 'reply' || turn.carried) return turn;
      const first = turn.parts.find((part) => part.type === 'call');
      const carried = first && this.known.get(first.call.id);
      return carried ? { ...turn, carried } : turn;
    });
  }
}
