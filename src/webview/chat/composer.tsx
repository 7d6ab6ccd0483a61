import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { PickerId, Pickers } from '../../contract/chat';
import { most } from '../../contract/most';
import { slashCommandOf } from '../../core/slash-commands';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { isComposing } from '../shared/is-composing';
import { memo } from '../shared/memo';
import { useChat } from './chat-context';
import { BusyButtons } from './busy-buttons';
import { ContextBar } from './context-bar';
import { ContextMeter } from './context-meter';
import { EditingBar } from './editing-bar';
import { HelpPanel } from './help-panel';
import { ImageChips } from './image-chips';
import { PickerSelect } from './picker-select';
import { QueueList } from './queue-list';
import { SendButton } from './send-button';
import { useInsertions } from './use-insertions';
import { SuggestionList } from './suggestion-list';
import { useCommands } from './use-commands';
import { useFiles } from './use-files';
import { useMentions } from './use-mentions';
import { useRecall } from './use-recall';

interface Props {
  /** A run goes on. */
  readonly running: boolean;
  readonly pickers: Pickers;
}

/** Where the user writes, and chooses who answers and how. An answer that streams in does not draw it again. */
export const Composer = memo(({ running, pickers }: Props): JSX.Element => {
  const chat = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = chat.draft.value;
  const isEditing = chat.editing.value !== undefined;
  const isBusy = running || chat.outbox.value.sending !== undefined;
  // What goes back to an earlier message cannot wait for what is left out by that.
  const canSend = draft.trim() !== '' && !(isEditing && isBusy);
  const mentions = useMentions(box);
  useInsertions(box);
  const commands = useCommands(box);
  const suggestions = commands.isOpen ? commands : mentions;
  const recall = useRecall(box);
  const files = useFiles();

  const requests = chat.focusRequests.value;
  useLayoutEffect(() => {
    if (requests > 0) box.current?.focus();
  }, [requests]);

  const send = (interrupts = false): void => {
    const command = isEditing ? undefined : slashCommandOf(draft);
    if (command !== undefined) chat.run(command);
    else if (canSend) chat.send(draft, { interrupts: interrupts && running });
  };
  /** By a button that goes away when nothing is written. */
  const sendAndStay = (interrupts: boolean): void => {
    send(interrupts);
    chat.requestFocus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event) || suggestions.onKeyDown(event) || recall(event)) return;
    if (event.key === 'Escape' && isEditing) return chat.stopEditing();
    // There and back: Escape in a call that waits leads here.
    if (event.key === 'Escape') document.querySelector<HTMLElement>('.call-waiting')?.focus();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send(event.ctrlKey || event.metaKey);
  };
  return (
    <div class="composer" onDragOver={files.onDragOver} onDrop={files.onDrop}>
      <QueueList />
      <HelpPanel />
      <div class="composer-box">
        <SuggestionList suggestions={suggestions} />
        <EditingBar />
        <ContextBar />
        <ImageChips />
        <textarea
          class="message"
          ref={box}
          aria-label={t('Message')}
          placeholder={t('Ask for a change, a search, a command…')}
          rows={1}
          maxLength={most.message}
          value={draft}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={suggestions.isOpen ? suggestions.listId : undefined}
          aria-activedescendant={suggestions.isOpen ? suggestions.optionId(suggestions.active) : undefined}
          onInput={(event) => chat.write(event.currentTarget.value)}
          onBlur={suggestions.close}
          onPaste={files.onPaste}
          onKeyDown={onKeyDown}
        />
        <p class="composer-note" aria-live="polite">
          {visibleText(chat.note.value)}
        </p>
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
          {isBusy && canSend && (
            <BusyButtons
              onQueue={() => sendAndStay(false)}
              onInterrupt={running ? () => sendAndStay(true) : undefined}
            />
          )}
          <SendButton
            isBusy={isBusy}
            canSend={canSend}
            onSend={() => send()}
            onStop={() => chat.post({ type: 'stop' })}
          />
        </div>
      </div>
      <ContextMeter />
    </div>
  );
});

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
