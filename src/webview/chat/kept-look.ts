import type { Json } from '../../base/json';
import type { KeptStates } from '../shared/kept';

/** So many are kept, the newest; a longer one (in characters of JSON) is not. */
const MOST = 300;
const LONGEST = 100_000;

export type SavedLook = readonly (readonly [string, Json])[];

/** What the user has unfolded and half written in a conversation. */
export class KeptLook implements KeptStates {
  private states: Map<string, Json>;

  constructor(
    saved: SavedLook,
    private readonly onChange: () => void,
  ) {
    this.states = new Map(saved);
  }

  get saved(): SavedLook {
    return [...this.states].filter(([, value]) => JSON.stringify(value).length <= LONGEST).slice(-MOST);
  }

  get(key: string): Json | undefined {
    return this.states.get(key);
  }

  set(key: string, value: Json | undefined): void {
    this.states.delete(key);
    if (value !== undefined) this.states.set(key, value);
    this.onChange();
  }

  /** The conversation goes on anew from an entry. */
  dropFrom(entry: number): void {
    this.states = new Map([...this.states].filter(([key]) => (entryOf(key) ?? -1) < entry));
  }

  clear(): void {
    this.states = new Map();
  }
}

/** The scope of an entry of the conversation. */
export function entryScope(index: number): string {
  return `entry-${index}`;
}

function entryOf(key: string): number | undefined {
  const index = /^entry-(\d+)\//.exec(key)?.[1];
  return index === undefined ? undefined : Number(index);
}
