/** A state of an automaton that looks for texts. */
export interface State {
  /** What was read of the texts that may be complete soon. */
  readonly path: string;
  readonly next: Map<string, State>;
  /** Whether a text is complete. */
  isEnd: boolean;
  fallback?: State;
}

/** Transitions that do not lead back to the root; a character that would complete a text has none. */
export type Transitions = ReadonlyMap<string, State | undefined>;

/** Finds any of some texts, wherever they are (Aho and Corasick). */
export class Automaton {
  readonly root: State = newState('');
  private readonly known = new Map<State, Transitions>();
  private readonly starts: readonly State[];

  /** `begins`: for each start, texts that count only there; `blanks` may precede them. */
  constructor(tokens: readonly string[], begins: readonly (readonly string[])[] = [], blanks = '') {
    for (const token of tokens) put(this.root, token);
    this.starts = begins.map((texts, at) => {
      const start = newState(`^${at}`);
      for (const text of texts) put(start, text);
      start.fallback = this.root;
      return start;
    });
    const queue = [...this.root.next.values(), ...this.starts];
    for (let state = queue.shift(); state; state = queue.shift()) {
      for (const [char, next] of state.next) {
        next.fallback = this.step(state.fallback ?? this.root, char);
        next.isEnd ||= next.fallback.isEnd;
        queue.push(next);
      }
    }
    for (const start of this.starts) for (const char of blanks) start.next.set(char, start);
  }

  /** The state behind a text. */
  behind(text: string): State {
    return Array.from(text).reduce((state, char) => this.step(state, char), this.root);
  }

  start(at: number): State {
    return this.starts[at] ?? this.root;
  }

  step(from: State, char: string): State {
    for (let state: State | undefined = from; state; state = this.fallbackOf(state)) {
      const next = state.next.get(char);
      if (next) return next;
    }
    return this.root;
  }

  transitions(from: State): Transitions {
    const known = this.known.get(from) ?? this.transitionsOf(from);
    this.known.set(from, known);
    return known;
  }

  private transitionsOf(from: State): Transitions {
    const chars = new Set<string>();
    for (let state: State | undefined = from; state; state = this.fallbackOf(state))
      for (const char of state.next.keys()) chars.add(char);
    return new Map(
      [...chars].map((char) => {
        const next = this.step(from, char);
        return [char, next.isEnd ? undefined : next] as const;
      }),
    );
  }

  /** The first of the states that cannot be told apart, for each of them; `kind` tells more of them apart. */
  same(kind: (state: State) => string): ReadonlyMap<State, State> {
    const all = this.live();
    const steps = all.map((state) => this.transitions(state));
    const kinds = all.map(kind);
    let classes = new Map<State, number>(all.map((state) => [state, 0]));
    for (let count = 0; ;) {
      const known = new Map<string, number>();
      const next = new Map<State, number>();
      for (const [at, state] of all.entries()) {
        const ways = [...(steps[at] ?? [])].map(([char, to]) => [char, to ? (classes.get(to) ?? -1) : -1]);
        // Characters that lead to the root are like all others.
        const own = ways.filter(([, to]) => to !== classes.get(this.root));
        const sign = `${kinds[at] ?? ''} ${classes.get(state) ?? ''} ${own.map(String).toSorted().join(' ')}`;
        const known1 = known.get(sign) ?? known.size;
        known.set(sign, known1);
        next.set(state, known1);
      }
      classes = next;
      if (known.size === count) break;
      count = known.size;
    }
    const firsts = new Map<number, State>();
    for (const state of all) {
      const each = classes.get(state) ?? -1;
      if (!firsts.has(each)) firsts.set(each, state);
    }
    return new Map(all.map((state) => [state, firsts.get(classes.get(state) ?? -1) ?? state]));
  }

  private live(): readonly State[] {
    const found = new Set<State>([this.root, ...this.starts]);
    for (const state of found) for (const next of state.next.values()) if (!next.isEnd) found.add(next);
    return [...found];
  }

  private fallbackOf(state: State): State | undefined {
    return state === this.root ? undefined : (state.fallback ?? this.root);
  }
}

function newState(path: string): State {
  return { path, next: new Map(), isEnd: false };
}

function put(from: State, text: string): void {
  let state = from;
  for (const char of text) {
    const next = state.next.get(char) ?? newState(state.path + char);
    state.next.set(char, next);
    state = next;
  }
  state.isEnd = true;
}
