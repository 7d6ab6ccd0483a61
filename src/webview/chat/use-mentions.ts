import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { most } from '../../contract/most';
import { draftBefore, type MentionDraft } from '../../core/mentions';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { mentionAt } from './mention-at';
import { mentionOptions } from './mention-options';
import { useSuggestions, type Suggestion, type Suggestions } from './use-suggestions';

/** Milliseconds without a key before the host is asked. */
const QUIET = 60;

/** What the mention that is being written in the message box may become. */
export function useMentions(box: RefObject<HTMLTextAreaElement | null>): Suggestions {
  const chat = useChat();
  const [draft, setDraft] = useState<MentionDraft>();
  /** Where the mention begins whose list the user has closed. */
  const closedAt = useRef<number | undefined>(undefined);
  /** The first question to the host about this mention. */
  const firstAsked = useRef(Infinity);

  const { id, items } = chat.completions.value;
  useLayoutEffect(() => {
    firstAsked.current = Infinity;
  }, [draft?.start, draft?.type]);
  useEffect(() => {
    if (!draft) return undefined;
    const timer = setTimeout(() => {
      const asked = chat.complete(draft.query.slice(0, most.query), draft.type);
      firstAsked.current = Math.min(firstAsked.current, asked);
    }, QUIET);
    return () => clearTimeout(timer);
  }, [draft?.start, draft?.query, draft?.type]);

  // What was found for fewer letters may stay until the next answer, as far as it still fits.
  const { hasResources } = chat.servers.value;
  const found = { items: id >= firstAsked.current ? items : [], hasResources };
  const options = draft ? mentionOptions(draft, found) : [];

  const close = (): void => {
    closedAt.current = draft?.start;
    setDraft(undefined);
  };
  const onCaret = (): void => {
    const area = box.current;
    if (area === null || document.activeElement !== area) return;
    const { selectionStart, selectionEnd, value } = area;
    const found = selectionStart === selectionEnd ? draftBefore(selectionStart, value) : undefined;
    if (found?.start !== closedAt.current) closedAt.current = undefined;
    const next = closedAt.current === undefined ? found : undefined;
    // A new object for the same mention would bring the choice back to the first option.
    if (JSON.stringify(next) !== JSON.stringify(draft)) setDraft(next);
  };
  // Also what was not typed: a message that was sent has taken its mentions with it.
  useLayoutEffect(onCaret, [chat.draft.value]);
  // The box's own `select` says nothing of a caret that only moves.
  useLayoutEffect(() => {
    document.addEventListener('selectionchange', onCaret);
    return () => document.removeEventListener('selectionchange', onCaret);
  });
  const take = ({ text, isWhole }: Suggestion): void => {
    const area = box.current;
    // The caret may have moved since the list was drawn.
    const written = area === null ? undefined : mentionAt(area.selectionStart, area.value, text);
    if (area === null || !written) return;
    const isFollowed = /^\s/.test(area.value.slice(written.end));
    area.setRangeText(isWhole && !isFollowed ? `${text} ` : text, written.start, written.end, 'end');
    if (isWhole && isFollowed) area.selectionStart += 1;
    chat.write(area.value);
  };
  const isBegun = ({ text }: Suggestion): boolean => {
    const area = box.current;
    const written = area === null ? undefined : mentionAt(area.selectionStart, area.value, text);
    return written !== undefined && area?.value.slice(written.start, written.end) !== text;
  };
  return useSuggestions({
    ...{ id: 'mention', label: t('Mentions'), options, isBegun, take, close },
    query: draft ? JSON.stringify(draft) : '',
  });
}
