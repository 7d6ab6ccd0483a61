import { useCallback, useRef } from 'preact/hooks';
import {
  contains,
  entryLayouts,
  isSameLayout,
  stepFolds,
  toggled,
  type EntryLayout,
  type Position,
  type StepFold,
  type StepHead,
  type Unfolded,
} from '../../../core/transcript/step-folds';
import type { Entry, Transcript } from '../../../core/transcript/transcript';
import { useKept } from '../../shared/kept';

interface StepFolds {
  /** Of the entries that folds touch, by index. */
  readonly layouts: ReadonlyMap<number, EntryLayout>;
  /** Opens or closes a fold. Always the same function. */
  readonly onFold: (fold: StepFold) => void;
  /** Opens the fold that contains a part, if one does. */
  readonly unfold: (at: Position) => void;
}

interface Computed extends Pick<Transcript, 'entries' | 'running'> {
  readonly unfolded: Unfolded;
  readonly layouts: ReadonlyMap<number, EntryLayout>;
}

/** Folds of the conversation. What they are in earlier runs is not computed again while the last one goes on. */
export function useStepFolds({ entries, running }: Transcript): StepFolds {
  const [unfolded, setUnfolded] = useKept<string[]>('unfolded', []);
  const computed = useRef<Computed>(undefined);
  const latest = useRef(unfolded);
  latest.current = unfolded;
  const onFold = useCallback((fold: StepFold) => setUnfolded([...toggled(fold, latest.current)]), []);
  const before = computed.current;
  if (before?.entries !== entries || before.running !== running || before.unfolded !== unfolded) {
    const from = before?.unfolded === unfolded ? firstChange(before, entries) : 0;
    const layouts = new Map(entryLayouts(entries, stepFolds(entries, running, from), unfolded));
    for (const [index, earlier] of before?.layouts ?? []) {
      const layout = layouts.get(index);
      // What has not changed is not drawn again.
      if (index < from || (layout && isSameLayout(earlier, layout))) layouts.set(index, earlier);
    }
    computed.current = { entries, running, unfolded, layouts };
  }
  const layouts = computed.current?.layouts ?? new Map<number, EntryLayout>();
  const unfold = (at: Position): void => {
    const head = headsOf(layouts).find(({ fold }) => contains(fold, at));
    if (head && !head.isOpen) onFold(head.fold);
  };
  return { layouts, onFold, unfold };
}

function headsOf(layouts: ReadonlyMap<number, EntryLayout>): readonly StepHead[] {
  return [...layouts.values()].flatMap(({ items }) =>
    items.filter((item): item is StepHead => typeof item !== 'number'),
  );
}

/** Index at which the first run begins that may have changed. The last one before may have ended. */
function firstChange({ entries: before }: Computed, entries: readonly Entry[]): number {
  const changed = before.findIndex((entry, at) => entry !== entries[at]);
  const at = changed < 0 ? before.length - 1 : changed;
  return Math.max(
    0,
    entries.findLastIndex((entry, index) => index <= at && entry.type === 'user'),
  );
}
