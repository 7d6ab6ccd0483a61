import type { AgentEvent } from '../words/events';

const LONGEST = 200;

/** Gives every call of a conversation a unique id, and keeps the model's id if it is unique. */
export class CallIds {
  private readonly used = new Set<string>();
  private count = 0;

  constructor(used: Iterable<string> = []) {
    for (const id of used) this.used.add(id);
  }

  take(proposed = ''): string {
    // Ids are opaque, but overlong ones or lone surrogates would break those who store or send them.
    let id = proposed.length <= LONGEST && !/\p{Surrogate}/u.test(proposed) ? proposed : '';
    while (id === '' || this.used.has(id)) id = `c${++this.count}`;
    this.used.add(id);
    return id;
  }
}

/** All call ids in these events, including those of sub-agents. */
export function callIdsIn(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'sub-agent') return callIdsIn([event.event]);
    if (event.type === 'call-end') return [event.call.id];
    return event.type === 'malformed' ? [event.malformed.id] : [];
  });
}
