import { useEffect, useRef, useState } from 'preact/hooks';
import type { InspectedReply } from '../../contract/lab-requests';
import type { ShownPart } from '../../contract/lab-parse';
import { PAUSE_MS, useLab, type LabState } from './lab-state';

/** How the user wants the reply to be parsed. */
export type Draft = {
  readonly protocol: string;
  /** The edited reply; absent if the reply is parsed as it was sent. */
  readonly text?: string;
};

/** State that survives hiding the page and opening another reply: a draft and its reply. */
type SavedDraft = {
  readonly key: string;
  /** Length of that reply: another session may have a reply of the same name. */
  readonly length: number;
  readonly draft: Draft;
};

/** What is parsed from a draft, and the number of the request that parsed it. */
interface DraftReading {
  readonly draft: Draft;
  readonly number: number;
  readonly parts: readonly ShownPart[];
}

export interface DraftEditor {
  /** Present while the reply is parsed in another way. */
  readonly draft: Draft | undefined;
  /** Nothing while the draft is parsed. */
  readonly reading: DraftReading | undefined;
  /** A sentence about what the user has just done. */
  readonly note: string;
  readonly tell: (note: string) => void;
  /** Parses the reply as another protocol. */
  readonly pick: (protocol: string) => void;
  readonly edit: () => void;
  readonly write: (text: string) => void;
  readonly discard: () => void;
}

const KEPT = 'drafts';

/** Number of drafts kept, the newest first. */
const MOST_DRAFTS = 10;

/** Longer drafts do not survive hiding the page, because VS Code writes all page state into one file. */
const LONGEST_KEPT = 100_000;

/** The user's version of a reply. The component that uses it is created anew for another reply. */
export function useDraft(reply: InspectedReply): DraftEditor {
  const lab = useLab();
  const [draft, setDraft] = useState(() => savedDrafts(lab).find((saved) => isOf(saved, reply))?.draft);
  const [reading, setReading] = useState<DraftReading>();
  const [note, setNote] = useState('');
  const latest = useRef(0);

  const ask = async (asked: Draft, turn: number): Promise<void> => {
    const answer = await lab.request<'parse-again'>({ type: 'parse-again', ...asked });
    if (turn !== latest.current) return;
    const value = answer.ok ? answer.value : answer;
    if ('problem' in value) setNote(value.problem);
    else if (value.type === 'reading') setReading({ draft: asked, number: value.number, parts: value.parts });
  };
  useEffect(() => {
    const turn = ++latest.current;
    if (!draft) return undefined;
    const timer = setTimeout(() => void ask(draft, turn), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  const change = (next: Draft | undefined): void => {
    setDraft(next);
    setNote('');
    const others = savedDrafts(lab).filter((saved) => !isOf(saved, reply));
    const isShort = (next?.text ?? '').length <= LONGEST_KEPT;
    const own = next && isShort ? [{ key: reply.key, length: reply.raw.length, draft: next }] : [];
    lab.set(KEPT, [...others, ...own].slice(-MOST_DRAFTS));
  };
  const protocol = draft?.protocol ?? reply.protocol;
  return {
    draft,
    reading: reading?.draft === draft ? reading : undefined,
    note,
    tell: setNote,
    pick: (picked) => change({ ...draft, protocol: picked }),
    edit: () => change({ protocol, text: textFor(protocol, reply) }),
    write: (text) => change({ protocol, text }),
    discard: () => change(undefined),
  };
}

function savedDrafts(lab: LabState): readonly SavedDraft[] {
  // SAFETY: only `useDraft` writes under this name.
  return (lab.get(KEPT) as readonly SavedDraft[] | undefined) ?? [];
}

function isOf({ key, length }: SavedDraft, reply: InspectedReply): boolean {
  return key === reply.key && length === reply.raw.length;
}

/** What that protocol parses from the reply. */
function textFor(protocol: string, { raw, recorded }: InspectedReply): string {
  return protocol === 'native' ? (recorded ?? raw) : raw;
}
