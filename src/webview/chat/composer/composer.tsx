import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import type { Pickers } from '../../../contract/chat';
import { most } from '../../../contract/most';
import { slashCommandOf } from '../../../core/slash-commands';
import { isComposing } from '../../shared/focus';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { memo } from '../../shared/memo';
import { useChat } from '../chat-context';
import { AttachMenu } from './attach-menu';
import { ContextBar, ImageChips } from './context-bar';
import { ContextMeter } from './context-meter';
import { HelpPanel } from './help-panel';
import { PickerChips } from './picker-chips';
import { QueueList } from './queue-list';
import { SuggestionList } from './suggestions';
import { useCommands } from './use-commands';
import { useFiles } from './use-files';
import { useInsertions } from './use-insertions';
import { useMentions } from './use-mentions';
import { useRecall } from './use-recall';

interface ComposerProps {
  /** A run is in progress. */
  readonly running: boolean;
  readonly pickers: Pickers;
}

/** The message box and the pickers. A streaming answer does not redraw it. */
export const Composer = memo(({ running, pickers }: ComposerProps): JSX.Element => {
  const chat = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = chat.draft.value;
  const isEditing = chat.editing.value !== undefined;
  const isBusy = running || chat.outbox.value.sending !== undefined;
  // A message that replaces an earlier one cannot wait for the messages it removes.
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
  /** Clearing by a button, which disappears when the box is empty. */
  const sendAndStay = (interrupts: boolean): void => {
    send(interrupts);
    chat.requestFocus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event) || suggestions.onKeyDown(event) || recall(event)) return;
    if (event.key === 'Escape' && isEditing) return chat.stopEditing();
    // Escape in a waiting call leads here, and Escape here leads back.
    if (event.key === 'Escape') document.querySelector<HTMLElement>('.call-waiting')?.focus();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    // A key that is held down was meant for a call that has just been answered.
    if (!event.repeat) send(event.ctrlKey || event.metaKey);
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
        <div class="composer-line">
          <AttachMenu />
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
          <SendButton
            isBusy={isBusy}
            canSend={canSend}
            onSend={() => send()}
            onStop={() => chat.post({ type: 'stop' })}
          />
        </div>
        <p class="composer-note" aria-live="polite">
          {visibleText(chat.note.value)}
        </p>
        <div class="composer-bar">
          <PickerChips pickers={pickers} />
          <div class="composer-actions">
            {isBusy && canSend && (
              <BusyButtons
                onQueue={() => sendAndStay(false)}
                onInterrupt={running ? () => sendAndStay(true) : undefined}
              />
            )}
            <button
              type="button"
              class="icon-button"
              aria-label={t('Tools')}
              title={t('Show and switch tools')}
              onClick={() => chat.post({ type: 'run-command', command: 'tools' })}
            >
              <Icon name="tools" />
            </button>
          </div>
        </div>
      </div>
      <ContextMeter />
    </div>
  );
});

interface SendButtonProps {
  /** A message is being sent or a run is in progress, so there is something to stop. */
  readonly isBusy: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

/** One button for both, so that the focus stays on Stop after pressing Send. */
function SendButton({ isBusy, canSend, onSend, onStop }: SendButtonProps): JSX.Element {
  const label = isBusy ? t('Stop') : t('Send');
  const onClick = (event: MouseEvent): void => {
    // The second click of a double click on Send would stop the new run.
    if (event.detail > 1) return;
    if (isBusy) onStop();
    else onSend();
  };
  return (
    <button
      type="button"
      class={`icon-button ${isBusy ? 'stop' : 'send'}`}
      aria-label={label}
      title={label}
      // Not `disabled`, which would lose the focus.
      aria-disabled={!isBusy && !canSend}
      onClick={onClick}
    >
      <Icon name={isBusy ? 'debug-stop' : 'send'} />
    </button>
  );
}

interface BusyButtonsProps {
  readonly onQueue: () => void;
  /** Nothing while there is no run that could be interrupted. */
  readonly onInterrupt: (() => void) | undefined;
}

/** Actions on a message while another is being sent or a run is in progress. */
function BusyButtons({ onQueue, onInterrupt }: BusyButtonsProps): JSX.Element {
  return (
    <>
      {onInterrupt && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('Interrupt and send')}
          title={t('Interrupt and send (Ctrl+Enter)')}
          onClick={onInterrupt}
        >
          <Icon name="debug-restart" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Queue message')}
        title={t('Queue message (Enter)')}
        onClick={onQueue}
      >
        <Icon name="list-ordered" />
      </button>
    </>
  );
}

/** Shows that the message box contains an earlier message, and what sending it does. */
function EditingBar(): JSX.Element | null {
  const chat = useChat();
  if (!chat.editing.value) return null;
  return (
    <div class="editing-bar" role="status">
      <Icon name="edit" />
      <span class="editing-text">
        {t(
          'You are editing an earlier message. Sending it removes all later messages from the conversation.',
        )}
      </span>
      <button type="button" class="link-button" onClick={() => chat.stopEditing()}>
        {t('Cancel editing')}
      </button>
    </div>
  );
}
