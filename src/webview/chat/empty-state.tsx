import type { JSX } from 'preact';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

/** Requests that work at once, also on the demo model. They are typed as they stand, so they are not translated. */
const EXAMPLES = ['read notes.txt', 'list', "replace 'a' with 'b' in notes.txt"];

export function EmptyState(): JSX.Element {
  const chat = useChat();
  const fill = (example: string): void => {
    chat.write(example);
    chat.requestFocus();
  };
  return (
    <div class="empty-state">
      <p class="empty-state-lead">{t('A coding agent for any model.')}</p>
      <p>{t('You choose how it calls tools, see every call it makes and decide what runs.')}</p>
      <p>{t('Type @ to take along files, folders, problems or what the terminal shows.')}</p>
      <div class="examples" role="group" aria-label={t('Examples')}>
        {EXAMPLES.map((example) => (
          <button key={example} type="button" class="example" onClick={() => fill(example)}>
            <Icon name="arrow-small-right" />
            {example}
          </button>
        ))}
      </div>
    </div>
  );
}
