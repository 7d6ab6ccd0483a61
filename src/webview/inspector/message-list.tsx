import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { InspectedMessage } from '../../contract/inspector';
import { CappedText } from '../shared/capped-text';
import { Fold } from '../shared/fold';
import { t } from '../shared/l10n';
import { sizeOf } from '../shared/text-size';

/** Messages as the model gets them, each folded. */
export function MessageList({ messages }: { readonly messages: readonly InspectedMessage[] }): JSX.Element {
  return (
    <ol class="messages">
      {messages.map(({ role, text, more }, index) => (
        <li key={index}>
          <Fold summary={role} detail={detailOf(text === '' ? (more ?? '') : text)}>
            {text !== '' && (
              <CappedText label={t('Message {0}: {1}', index + 1, role)} text={text} lines={200} />
            )}
            {more !== undefined && (
              <CappedText label={t('Message {0}: what goes along', index + 1)} text={more} lines={60} />
            )}
          </Fold>
        </li>
      ))}
    </ol>
  );
}

const HEAD = 80;

/** How it begins, and how long it is. */
function detailOf(text: string): string {
  if (text === '') return '';
  const head = visibleText(text.slice(0, HEAD)).replace(/\s+/g, ' ').trim();
  return `${sizeOf(text)} · ${head}${text.length > HEAD ? '…' : ''}`;
}
