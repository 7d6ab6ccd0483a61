import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Entry } from '../../../core/transcript/transcript';
import { ConversationSearch, firstFrom, matchAt, type Match } from './find-matches';

/** Where the user looks. */
interface SearchedConversation {
  readonly entries: ReadonlySignal<readonly Entry[]>;
  /** Index of the first entry in sight. */
  readonly top: () => number;
}

/** What the user finds in the conversation. */
export class FindState {
  readonly isOpen = signal(false);
  /** Grows when the search box should take the focus. */
  readonly focusRequests = signal(0);
  /** Number of the shown match, from 0. */
  readonly at = signal(0);
  /** Grows whenever a match should be brought into view. */
  readonly moves = signal(0);
  private readonly query = signal('');
  private readonly search = new ConversationSearch();
  readonly found = computed(() =>
    this.search.find(this.isOpen.value ? this.reading.entries.value : [], this.query.value),
  );

  constructor(private readonly reading: SearchedConversation) {}

  /** The match that is shown. */
  get match(): Match | undefined {
    return matchAt(this.found.value, this.at.value);
  }

  open(): void {
    this.isOpen.value = true;
    this.focusRequests.value += 1;
  }

  close(): void {
    this.isOpen.value = false;
  }

  /** Shows the first match from where the user looks. */
  write(query: string): void {
    this.query.value = query;
    this.at.value = firstFrom(this.found.value, this.reading.top());
    this.moves.value += 1;
  }

  /** Shows another match, beyond the last one the first. */
  move(by: 1 | -1): void {
    const { total } = this.found.value;
    if (total === 0) return;
    this.at.value = (this.at.value + by + total) % total;
    this.moves.value += 1;
  }
}
