import type { JSX } from 'preact';
import { visibleText } from '../../../base/text';
import type { ContextItem } from '../../../contract/chat';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import type { RequestParts } from '../../../core/words/model';

/** Context sent automatically with the next message, and the toggle for editor context. */
export function ContextBar(): JSX.Element | null {
  const chat = useChat();
  const { items, withEditor } = chat.context.value;
  // Without automatic context there is nothing to decide.
  if (items.length === 0 && withEditor) return null;
  const label = t('Include editor context');
  return (
    <div class="context-bar">
      <button
        type="button"
        class="icon-button"
        aria-label={label}
        aria-pressed={withEditor}
        title={
          withEditor
            ? t('The names of open files and the selection are sent with the message. Click to exclude them.')
            : t('Editor context is not sent. Click to include it.')
        }
        onClick={() => chat.post({ type: 'with-editor', isOn: !withEditor })}
      >
        <Icon name={withEditor ? 'eye' : 'eye-closed'} />
      </button>
      {items.length > 0 && (
        <ul class="context-items" role="list" aria-label={t('Sent with the message')}>
          {items.map((item, index) => (
            <li key={index} class="context-item" title={visibleText(item.title)}>
              <Icon name={iconOf(item)} />
              <span class="context-label">{visibleText(item.label)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function iconOf({ source, isProblem }: ContextItem): string {
  if (isProblem) return 'warning';
  switch (source) {
    case 'rules':
      return 'book';
    case 'editor':
      return 'layout';
    case 'selection':
      return 'selection';
  }
}

/** Images attached to the message. Images of a draft wait while an earlier message is edited. */
export function ImageChips(): JSX.Element | null {
  const chat = useChat();
  const isEditing = chat.editing.value !== undefined;
  const images = chat.images.value.filter(({ isForEarlier }) => isForEarlier ?? !isEditing);
  if (images.length === 0) return null;
  const remove = (id: number): void => {
    chat.post({ type: 'remove-image', id });
    chat.requestFocus();
  };
  return (
    <ul class="image-chips" role="list" aria-label={t('Images')}>
      {images.map(({ id, label, url }) => (
        <li key={id} class="image-chip">
          <img class="image-thumbnail" src={url} alt={visibleText(label)} title={visibleText(label)} />
          <button
            type="button"
            class="icon-button image-remove"
            aria-label={t('Remove {0}', visibleText(label))}
            title={t('Remove {0}', visibleText(label))}
            onClick={() => remove(id)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Token counts that add up to the tools and the conversation. */
export interface Shares {
  readonly definitions: number;
  readonly list: number;
  readonly form: number;
  /** Includes the last answer. */
  readonly messages: number;
  readonly calls: number;
  readonly results: number;
}

/** Scales our estimate of each part to the total. */
export function sharesOf(parts: RequestParts, counted: TokenCounts): Shares | undefined {
  const { shares, areToolsApart } = parts;
  if (!shares) return undefined;
  const { tools, conversation, sent } = counted;
  const [definitions, list] = divided(tools, parts.tools, [shares.definitions, shares.list]);
  const [calls, results] = divided(sent, parts.conversation, [shares.calls, shares.results]);
  const messages = conversation - calls - results;
  // The API has a native form.
  if (areToolsApart) return { definitions: tools - list, list, form: 0, messages, calls, results };
  return { definitions, list, form: tools - definitions - list, messages, calls, results };
}

/** Token counts as they are shown. */
interface TokenCounts {
  readonly tools: number;
  readonly conversation: number;
  /** The conversation without the last answer. */
  readonly sent: number;
}

/** Two shares of a number of tokens, which never exceed it together. */
function divided(
  tokens: number,
  estimated: number,
  [one, other]: readonly [number, number],
): readonly [number, number] {
  const all = Math.max(estimated, one + other, 1);
  return [Math.floor((tokens * one) / all), Math.floor((tokens * other) / all)];
}

/** The same as sentences. */
export function sharesTexts({
  definitions,
  list,
  form,
  messages,
  calls,
  results,
}: Shares): readonly string[] {
  const ofTools = t(
    'Tools: definitions {0}, list of on-demand tools {1}, call format {2}.',
    ...[definitions, list, form].map((tokens) => tokens.toLocaleString()),
  );
  const ofConversation = t(
    'Conversation: messages {0}, calls {1}, results {2}.',
    ...[messages, calls, results].map((tokens) => tokens.toLocaleString()),
  );
  return [...(definitions + list + form > 0 ? [ofTools] : []), ofConversation];
}
