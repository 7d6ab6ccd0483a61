import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import { MOST_MATCHES, type Found } from './find-matches';

/** Finds a text in the conversation: what to find, which match is shown, and the next one. */
export function FindBar(): JSX.Element | null {
  const chat = useChat();
  const { find } = chat;
  const isOpen = find.isOpen.value;
  const box = useRef<HTMLInputElement>(null);
  const requests = find.focusRequests.value;
  useLayoutEffect(() => {
    if (!isOpen) return;
    box.current?.focus();
    box.current?.select();
  }, [isOpen, requests]);
  useEffect(() => {
    // VS Code would give the key to the editor: it does not know that a page of a view has the focus.
    const onKey = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isFind || event.key.toLowerCase() !== 'f') return;
      event.preventDefault();
      event.stopPropagation();
      find.open();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [find]);
  if (!isOpen) return null;
  const close = (): void => {
    find.close();
    chat.requestFocus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') find.move(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const found = find.found.value;
  return (
    <search class="find-bar">
      <input
        type="search"
        aria-label={t('Find in chat')}
        placeholder={t('Find in chat')}
        value={found.query}
        ref={box}
        onInput={(event) => find.write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span class="find-count" role="status">
        {countText(found, find.at.value)}
      </span>
      <IconButton icon="arrow-up" label={t('Previous match')} onClick={() => find.move(-1)} />
      <IconButton icon="arrow-down" label={t('Next match')} onClick={() => find.move(1)} />
      <IconButton icon="close" label={t('Close find')} onClick={close} />
    </search>
  );
}

function countText({ query, total }: Found, at: number): string {
  if (query === '') return '';
  if (total === 0) return t('No matches');
  const count = total.toLocaleString();
  return t('{0} of {1}', (at + 1).toLocaleString(), total === MOST_MATCHES ? `${count}+` : count);
}
