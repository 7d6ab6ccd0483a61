import type { AgentEvent } from '../words/events';

const LONGEST = 200;

/** Gives every call of a conversation an id of its own, keeping the model's own where it is unique. */
export class CallIds {
  private readonly used = new Set<string>();
  private count = 0;

  constructor(used: Iterable<string> = []) {
    for (const id of used) this.used.add(id);
  }

  take(proposed = ''): string {
    // Ids are opaque, but one that is no name at all would break whoever has to carry it.
    let id = proposed.length <= LONGEST && !/\p{Surrogate}/u.test(proposed) ? proposed : '';
    while (id === '' || this.used.has(id)) id = `c${++this.count}`;
    this.used.add(id);
    return id;
  }
}

/** Every id that stands in these events, also in those of sub-agents. */
export function callIdsIn(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'sub-agent') return callIdsIn([event.event]);
    if (event.type === 'call-end') return [event.call.id];
    return event.type === 'malformed' ? [event.malformed.id] : [];
  });
}
