import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Position } from '../../../core/transcript/step-folds';
import type { Entry } from '../../../core/transcript/transcript';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import { entryScope } from '../saved-state';
import { patternOf, type Match } from './find-matches';
import { callIn, matchesIn, mark } from './mark-matches';

interface FindParts {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly entries: readonly Entry[];
  /** Leaves the end of the conversation. */
  readonly stay: () => void;
  /** Opens the fold that contains a part. */
  readonly unfold: (at: Position) => void;
}

interface Revealed {
  readonly entry: number;
  /** The move that led to it. */
  readonly move: number;
  /** What it hides was unfolded, so it is drawn anew. */
  readonly isUnfolded: boolean;
}

/** Brings the shown match into view, and marks all that are drawn. Returns the key for an entry. */
export function useFind({ scroller, entries, stay, unfold }: FindParts): (index: number) => string {
  const { find, look } = useChat();
  const match = find.isOpen.value ? find.match : undefined;
  const move = find.moves.value;
  const [revealed, setRevealed] = useState<Revealed>();
  const shown = useRef(0);

  useLayoutEffect(() => {
    if (!match || move === 0) return;
    stay();
    unfold(match);
    const keys = foldedAt(entries[match.entry], match);
    for (const key of keys) look.set(key, true);
    setRevealed({ entry: match.entry, move, isUnfolded: keys.length > 0 });
  }, [move]);

  useLayoutEffect(() => {
    const pattern = find.isOpen.value ? patternOf(find.found.value.query) : undefined;
    const log = scroller.current;
    if (!log || !pattern) return mark([], undefined);
    const drawn = [...log.querySelectorAll<HTMLElement>('.entry')];
    const ranges = new Map(drawn.map((entry) => [Number(entry.dataset['entry']), matchesIn(entry, pattern)]));
    const range = match && currentRange(ranges.get(match.entry) ?? [], match, entries[match.entry]);
    mark([...ranges.values()].flat(), range);
    if (!range || revealed?.move !== move || shown.current === move) return;
    shown.current = move;
    bringIntoView(log, range);
  });

  return (index) =>
    revealed?.entry === index && revealed.isUnfolded ? `${index} ${revealed.move}` : String(index);
}

/** The states that unfold the part of a match. */
function foldedAt(entry: Entry | undefined, { entry: index, part }: Match): readonly string[] {
  const found = entry?.type === 'reply' ? entry.parts[part] : undefined;
  if (!found || found.type === 'text') return [];
  if (found.type === 'reasoning') return [`${entryScope(index)}/reasoning-${part}/thoughts`];
  const scope = `${entryScope(index)}/call-${found.index}/`;
  const [result, values] = [t('Result'), t('Arguments')];
  return ['call', values, `${result}/whole ${result}`].map((name) => scope + name);
}

/** The range of a match among those of its entry. A call shows some texts twice; the last one is the most whole. */
function currentRange(
  ranges: readonly Range[],
  { part, inPart }: Match,
  entry: Entry | undefined,
): Range | undefined {
  const parts = entry?.type === 'reply' ? entry.parts : [];
  const isCall = parts[part]?.type === 'call';
  const calls = parts.slice(0, part).filter(({ type }) => type === 'call').length;
  const ofKind = ranges.filter((range) => callIn(range) === (isCall ? calls : undefined));
  const ofPart = isCall ? ofKind : ofKind.filter((range) => textsBefore(range) === part - calls);
  const candidates = ofPart.length > 0 ? ofPart : ofKind;
  return candidates[Math.min(inPart, candidates.length - 1)] ?? ranges[0];
}

/** Number of texts and thoughts of the entry before the one with this range. */
function textsBefore(range: Range): number {
  const text = range.startContainer.parentElement?.closest('.reply > *');
  const siblings = [...(text?.parentElement?.children ?? [])].filter((each) =>
    each.matches('.markdown, .reasoning'),
  );
  return text ? siblings.indexOf(text) : -1;
}

function bringIntoView(log: HTMLElement, range: Range): void {
  // A box that scrolls first.
  range.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  const [box, at] = [log.getBoundingClientRect(), range.getBoundingClientRect()];
  log.scrollTop += at.top - box.top - box.height / 3;
}
