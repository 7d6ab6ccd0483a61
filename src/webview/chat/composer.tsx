import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PickerId, Pickers } from '../../contract/chat';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { ContextBar } from './context-bar';
import { isComposing } from './is-composing';
import { MentionList } from './mention-list';
import { PickerSelect } from './picker-select';
import { SendButton } from './send-button';
import { useInsertions } from './use-insertions';
import { useMentions } from './use-mentions';

/** The most that the contract lets through. */
const LONGEST = 1_000_000;

interface Props {
  readonly running: boolean;
  readonly pickers: Pickers;
}

/** Where the user writes, and chooses who answers and how. */
export function Composer({ running, pickers }: Props): JSX.Element {
  const chat = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = chat.draft.value;
  const canSend = !running && chat.sending.value === undefined && draft.trim() !== '';
  const mentions = useMentions(box);
  useInsertions(box);

  const requests = chat.focusRequests.value;
  useLayoutEffect(() => {
    if (requests > 0) box.current?.focus();
  }, [requests]);

  const send = (): void => {
    if (!canSend) return;
    chat.send(draft);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event) || mentions.onKeyDown(event)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <div class="composer">
      <MentionList mentions={mentions} />
      <div class="composer-box">
        <ContextBar />
        <textarea
          class="message"
          ref={box}
          aria-label={t('Message')}
          placeholder={t('Ask for a change, a search, a command…')}
          rows={1}
          maxLength={LONGEST}
          value={draft}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={mentions.isOpen ? mentions.listId : undefined}
          aria-activedescendant={mentions.isOpen ? mentions.optionId(mentions.active) : undefined}
          onInput={(event) => chat.write(event.currentTarget.value)}
          onBlur={mentions.close}
          onKeyDown={onKeyDown}
        />
        <div class="composer-bar">
          <div class="pickers">
            {pickersInOrder().map(({ id, label, icon }) => (
              <PickerSelect
                key={id}
                label={label}
                icon={icon}
                picker={pickers[id]}
                onOpen={() => chat.post({ type: 'open-picker', picker: id })}
                onPick={(value) => chat.post({ type: 'pick', picker: id, value })}
              />
            ))}
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label={t('New session')}
            title={t('New session')}
            onClick={() => chat.post({ type: 'new-session' })}
          >
            <Icon name="add" />
          </button>
          <SendButton
            running={running}
            canSend={canSend}
            onSend={send}
            onStop={() => chat.post({ type: 'stop' })}
          />
        </div>
      </div>
    </div>
  );
}

function pickersInOrder(): readonly {
  readonly id: PickerId;
  readonly label: string;
  readonly icon: string;
}[] {
  return [
    { id: 'agent', label: t('Agent'), icon: 'robot' },
    { id: 'model', label: t('Model'), icon: 'chip' },
    { id: 'protocol', label: t('Protocol'), icon: 'plug' },
    { id: 'mode', label: t('Mode'), icon: 'settings' },
  ];
}
