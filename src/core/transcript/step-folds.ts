import type { CallPart, Entry, EntryPart, ReplyEntry } from './transcript';

/** A part of a reply of the conversation. */
export interface Position {
  /** Index of the entry. */
  readonly entry: number;
  /** Index of the part in its reply. */
  readonly part: number;
}

/** Finished work that one line stands for until the user unfolds it: everything from one part to another. */
export interface StepFold {
  readonly start: Position;
  /** Inclusive. */
  readonly end: Position;
  /** At least two. */
  readonly calls: readonly CallPart[];
  /** Their permanent names in the conversation. */
  readonly names: readonly string[];
  /** The run has its answer, so what the model wrote on the way is folded as well. */
  readonly isRun: boolean;
}

interface Step {
  readonly at: Position;
  readonly part: EntryPart;
  readonly reply: ReplyEntry;
}

/**
 * Folds the finished calls from an entry on, which begins a run. Calls that follow each other are one fold. Those that
 * failed, were rejected, wait, run or asked the user are never inside; neither is anything that the user has to read.
 */
export function stepFolds(entries: readonly Entry[], running: boolean, from = 0): readonly StepFold[] {
  const folds: StepFold[] = [];
  for (let start = from; start < entries.length;) {
    const next = entries.findIndex((entry, at) => at > start && entry.type === 'user');
    const end = next < 0 ? entries.length : next;
    const isRun = !(running && next < 0) && hasAnswer(entries, start, end);
    for (const steps of stretches(entries, start, end, isRun)) {
      const fold = foldOf(steps, isRun);
      if (fold) folds.push(fold);
    }
    start = end;
  }
  return folds;
}

/** Whether a run has ended with a reply that only answers. */
function hasAnswer(entries: readonly Entry[], start: number, end: number): boolean {
  const last = entries.findLast((entry, at) => at >= start && at < end && entry.type !== 'compaction');
  return last?.type === 'reply' && isAnswer(last);
}

function isAnswer({ parts }: ReplyEntry): boolean {
  return parts.some(isWritten) && parts.every(({ type }) => type !== 'call');
}

function isWritten(part: EntryPart): boolean {
  return part.type === 'text' && part.text.trim() !== '';
}

/** Stretches of parts that may be folded together, in order. */
function* stretches(
  entries: readonly Entry[],
  start: number,
  end: number,
  isRun: boolean,
): Generator<readonly Step[]> {
  let steps: Step[] = [];
  const cut = (): readonly Step[] => {
    const before = steps;
    steps = [];
    return before;
  };
  for (let entry = start; entry < end; entry += 1) {
    const reply = entries[entry];
    if (reply?.type !== 'reply' || (isRun && isAnswer(reply))) {
      yield cut();
      continue;
    }
    for (const [index, part] of reply.parts.entries()) {
      if (isOutside(part, isRun)) yield cut();
      else steps.push({ at: { entry, part: index }, part, reply });
    }
    if (hasRemark(reply)) yield cut();
  }
  yield cut();
}

function isOutside(part: EntryPart, isRun: boolean): boolean {
  if (part.type === 'call') return !isFoldable(part);
  return !isRun && isWritten(part);
}

function isFoldable({ state }: CallPart): boolean {
  if (state.type !== 'ended' || state.result.status !== 'success' || state.answered) return false;
  return state.call.mark === 'clean' || state.call.mark === 'repaired';
}

/** Shown below the parts of a reply, and to be read. */
function hasRemark({ advice, warnings, ended }: ReplyEntry): boolean {
  const isCut = ended !== undefined && ended !== 'stop' && ended !== 'tool-calls';
  return isCut || advice !== undefined || warnings.some(({ level }) => level !== 'info');
}

/** What follows the last call leads to what comes next, so it stays outside. */
function foldOf(steps: readonly Step[], isRun: boolean): StepFold | undefined {
  const first = isRun ? 0 : steps.findIndex(({ part }) => part.type === 'call');
  const last = steps.findLastIndex(({ part }) => part.type === 'call');
  const inside = steps.slice(first, last + 1);
  const calls = inside.flatMap(({ part }) => (part.type === 'call' ? [part] : []));
  const names = inside.flatMap(({ part, reply, at }) =>
    part.type === 'call' ? [`${reply.number}.${at.part}`] : [],
  );
  const [start, end] = [inside[0], inside.at(-1)];
  if (calls.length < 2 || !start || !end) return undefined;
  return { start: start.at, end: end.at, calls, names, isRun };
}

/** Part of what an entry shows: one of its parts, or the line of a fold. */
export type EntryItem = number | StepHead;

/** The line that stands for a fold. */
export interface StepHead {
  readonly fold: StepFold;
  readonly isOpen: boolean;
}

/** What an entry shows if folds begin or lie in it. */
export interface EntryLayout {
  readonly items: readonly EntryItem[];
  /** Whether what belongs to the whole reply is shown below. */
  readonly hasTail: boolean;
}

/** The calls whose folds the user has opened, by their permanent names. */
export type Unfolded = readonly string[];

/** A fold is open if it contains a call that was unfolded; so it stays open when it grows. */
export function isUnfolded({ names }: StepFold, unfolded: Unfolded): boolean {
  return unfolded.some((name) => names.includes(name));
}

/** The user opens or closes a fold. */
export function toggled(fold: StepFold, unfolded: Unfolded): Unfolded {
  const others = unfolded.filter((name) => !fold.names.includes(name));
  return isUnfolded(fold, unfolded) ? others : [...others, ...fold.names.slice(0, 1)];
}

function nameOf({ entry, part }: Position): string {
  return `${entry}.${part}`;
}

export function contains({ start, end }: StepFold, at: Position): boolean {
  return order(start, at) <= 0 && order(at, end) <= 0;
}

function order(one: Position, other: Position): number {
  return one.entry - other.entry || one.part - other.part;
}

/** The layouts of the entries that folds touch, by index. */
export function entryLayouts(
  entries: readonly Entry[],
  folds: readonly StepFold[],
  unfolded: Unfolded,
): ReadonlyMap<number, EntryLayout> {
  const layouts = new Map<number, { items: EntryItem[]; hasTail: boolean }>();
  const heads = new Map<string, StepHead>();
  const inside = new Set<string>();
  for (const fold of folds) {
    const isOpen = isUnfolded(fold, unfolded);
    heads.set(nameOf(fold.start), { fold, isOpen });
    for (let entry = fold.start.entry; entry <= fold.end.entry; entry += 1) {
      const count = partsOf(entries[entry]);
      for (let part = 0; part < count; part += 1)
        if (!isOpen && contains(fold, { entry, part })) inside.add(nameOf({ entry, part }));
      const isWithin = entry < fold.end.entry || fold.end.part === count - 1;
      const before = layouts.get(entry);
      layouts.set(entry, { items: [], hasTail: (before?.hasTail ?? true) && (isOpen || !isWithin) });
    }
  }
  for (const [entry, layout] of layouts) {
    const count = partsOf(entries[entry]);
    for (let part = 0; part < count; part += 1) {
      const name = nameOf({ entry, part });
      const head = heads.get(name);
      if (head) layout.items.push(head);
      if (!inside.has(name)) layout.items.push(part);
    }
    const reply = entries[entry];
    if (reply?.type === 'reply' && hasRemark(reply)) layout.hasTail = true;
  }
  return layouts;
}

function partsOf(entry: Entry | undefined): number {
  return entry?.type === 'reply' ? entry.parts.length : 0;
}

/** Whether both show the same. */
export function isSameLayout(one: EntryLayout, other: EntryLayout): boolean {
  return (
    one.hasTail === other.hasTail &&
    one.items.length === other.items.length &&
    one.items.every((item, at) => isSameItem(item, other.items[at]))
  );
}

function isSameItem(one: EntryItem, other: EntryItem | undefined): boolean {
  if (typeof one === 'number' || typeof other === 'number' || !other) return one === other;
  const [before, now] = [one.fold, other.fold];
  return (
    one.isOpen === other.isOpen &&
    before.isRun === now.isRun &&
    before.calls.length === now.calls.length &&
    before.calls.every((call, at) => call === now.calls[at])
  );
}
