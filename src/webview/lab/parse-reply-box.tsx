import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../../base/text';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { sizeOf } from '../shared/text/capped-text';
import type { Parse } from './use-parse';

/** A text box lays out all of its text at every key, so longer replies are shown read-only. */
const LONGEST_EDITED = 200_000;

const HEAD = 2_000;

/** Chromium takes minutes to paste thousands of lines into a text box, but sets its value at once. */
const LONGEST_PASTED = 5_000;

/** Box to paste or type a reply, and buttons for other sources. */
export function ReplyBox({ parse }: { readonly parse: Parse }): JSX.Element {
  const { reply, edit } = parse;
  const isLong = reply.text.length > LONGEST_EDITED;
  const note = useId();
  const onPaste = (event: ClipboardEvent & { currentTarget: HTMLTextAreaElement }): void => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    const box = event.currentTarget;
    if (pasted.length <= LONGEST_PASTED && !isLong) return;
    event.preventDefault();
    // Of a long reply, the box has only the beginning; it is replaced as a whole.
    if (isLong) return edit(pasted);
    box.setRangeText(pasted, box.selectionStart, box.selectionEnd, 'end');
    edit(box.value);
  };
  return (
    <div class="reply-box">
      <div class="reply-buttons">
        <button type="button" class="link-button" onClick={() => void parse.openFrom('open-reply')}>
          <Icon name="folder-opened" />
          {t('Open file…')}
        </button>
        <button type="button" class="link-button" onClick={() => void parse.openFrom('pick-reply')}>
          <Icon name="comment-discussion" />
          {t('From the conversation…')}
        </button>
        <button
          type="button"
          class="link-button"
          disabled={reply.text === '' || parse.choices.protocol === 'all'}
          onClick={() => void parse.save()}
        >
          <Icon name="save" />
          {t('Save as case…')}
        </button>
        <button type="button" class="link-button" disabled={reply.text === ''} onClick={parse.clear}>
          <Icon name="clear-all" />
          {t('Clear')}
        </button>
        {reply.opened && <span class="quiet reply-origin">{visibleText(reply.opened.name)}</span>}
      </div>
      <textarea
        class="text-field reply-field"
        aria-label={t('Reply')}
        aria-describedby={isLong ? note : undefined}
        placeholder={t("Paste a model's reply, or the recorded data: lines of a native one.")}
        rows={8}
        spellcheck={false}
        readOnly={isLong}
        value={isLong ? reply.text.slice(0, HEAD) : reply.text}
        onPaste={onPaste}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      {isLong && (
        <p id={note} class="quiet">
          {t(
            'Only the beginning is shown because {0} is too much to edit. The whole reply is parsed.',
            sizeOf(reply.text),
          )}
        </p>
      )}
    </div>
  );
}
