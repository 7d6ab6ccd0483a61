import type { Json } from '../../base/json';
import type { OutboxState, Unsent, Completion, Pickers } from '../../contract/chat';
import type { EarlierMessage } from '../../core/transcript/references';
import { withLeft } from '../../core/transcript/rewind';
import type { Entry, Transcript } from '../../core/transcript/transcript';
import type { KeptStates } from '../shared/kept';
import type { EntryPlace } from '../shared/use-nearby';

/** State that survives a reload of the page without the host. */
export interface SavedState {
  readonly draft: string;
  /** Messages given to the host and not started, and the number of messages in the conversation then. */
  readonly pending?: { readonly texts: readonly string[]; readonly before: number };
  readonly editing?: Editing;
  readonly changing?: Changing;
  /** How the user left the conversation. */
  readonly conversation?: LeftConversation;
}

interface LeftConversation {
  /** The beginning of its first message, which identifies it. */
  readonly begins: string;
  /** The scroll position; absent at the end. */
  readonly place?: EntryPlace;
  readonly look: SavedLook;
}

/** A queued message that is being edited. */
export interface Changing {
  readonly id: number;
  /** Its text in the queue. */
  readonly was: string;
  readonly text: string;
}

/** An earlier message that is being edited. */
export interface Editing {
  readonly message: EarlierMessage;
  /** The draft that was in the message box before. */
  readonly draft: string;
}

/** Page state that a reload must not lose. */
interface Held extends Pick<SavedState, 'draft'> {
  readonly entries: readonly Entry[];
  readonly outbox: OutboxState;
  readonly editing: Editing | undefined;
  readonly changing: Changing | undefined;
  readonly place: EntryPlace | undefined;
  readonly look: SavedLook;
}

export function savedState({ entries, outbox, place, look, ...held }: Held): SavedState {
  const { draft, editing, changing } = held;
  const { sending, queued } = outbox;
  const texts = [...(sending === undefined ? [] : [sending]), ...queued.map(({ text }) => text)];
  return {
    draft,
    ...(texts.length > 0 && { pending: { texts, before: messagesIn(entries).length } }),
    ...(editing && { editing }),
    ...(changing && { changing }),
    ...((place ?? look.length > 0) && {
      conversation: { begins: beginning(entries), ...(place && { place }), look },
    }),
  };
}

/** Whether the previous page showed this conversation. */
export function isOf(left: SavedState | undefined, entries: readonly Entry[]): boolean {
  return left?.conversation?.begins === beginning(entries);
}

/** Messages given to the host that it does not know: not started, not queued, not returned. */
export function lostMessages(
  left: SavedState | undefined,
  entries: readonly Entry[],
  { outbox, unsent }: { readonly outbox: OutboxState; readonly unsent?: Unsent | undefined },
): readonly string[] {
  const { pending } = left ?? {};
  const begun = messagesIn(entries).slice(pending?.before);
  const known = [outbox.sending, unsent?.text, ...outbox.queued.map(({ text }) => text), ...begun];
  return pending?.texts.filter((text) => !known.includes(text)) ?? [];
}

/** What the user said, including messages they went back from. */
export function messagesIn(entries: readonly Entry[]): readonly string[] {
  return withLeft(entries).flatMap((entry) => (entry.type === 'user' ? [entry.text] : []));
}

/** Tells conversations apart. After going back, an index refers to a different entry. */
function beginning(entries: readonly Entry[]): string {
  return `${countRewinds(entries)} ${messagesIn(entries)[0]?.slice(0, 200) ?? ''}`;
}

function countRewinds(entries: readonly Entry[]): number {
  return entries.reduce(
    (sum, entry) => (entry.type === 'rewind' ? sum + 1 + countRewinds(entry.left) : sum),
    0,
  );
}

/** Milliseconds without scrolling before the position is saved. */
const QUIET = 200;

/** Number of conversations kept, the newest first; longer ones (in characters of JSON) are not kept. */
const MOST = 300;
const LONGEST = 100_000;

type SavedLook = readonly (readonly [string, Json])[];

/** What the user unfolded and typed in a conversation, and the scroll position. */
export class KeptLook implements KeptStates {
  /** The scroll position; absent at the end. */
  place: EntryPlace | undefined;
  private placing: ReturnType<typeof setTimeout> | undefined;
  private states: Map<string, Json>;

  constructor(
    left: LeftConversation | undefined,
    private readonly onChange: () => void,
  ) {
    this.place = left?.place;
    this.states = new Map(left?.look);
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

  /** Remembers the scroll position for the next page. */
  keepPlace(place: EntryPlace | undefined): void {
    if (place?.entry === this.place?.entry && place?.top === this.place?.top) return;
    this.place = place;
    clearTimeout(this.placing);
    this.placing = setTimeout(() => this.onChange(), QUIET);
  }

  /** The conversation continues from an entry, without those after it. */
  dropFrom(entry: number): void {
    this.states = new Map([...this.states].filter(([key]) => (entryOf(key) ?? -1) < entry));
  }

  clear(): void {
    this.place = undefined;
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

/** State reported by the host. */
export interface Shown {
  /** Counts conversations; a new number means another conversation. */
  readonly session: number;
  readonly transcript: Transcript;
  readonly pickers: Pickers;
}

export interface Completions {
  readonly id: number;
  readonly items: readonly Completion[];
}
