import type { JSX } from 'preact';
import type { ReplyEntry } from '../../core/transcript';
import { t, translated } from '../shared/l10n';
import { useChat } from './chat-context';
import { Notice } from '../shared/notice';

interface Props {
  readonly advice: NonNullable<ReplyEntry['advice']>;
}

/** Another protocol would suit the model better; one click takes it for what comes next. */
export function ProtocolAdvice({ advice }: Props): JSX.Element {
  const chat = useChat();
  const { protocol, message } = advice;
  const picker = chat.shown.value?.pickers.protocol;
  const label = picker?.options.find(({ value }) => value === protocol)?.label ?? protocol;
  const isChosen = picker?.value === protocol;
  return (
    <Notice icon="lightbulb" text={translated(message)}>
      <button
        type="button"
        class="button button-secondary"
        disabled={isChosen}
        onClick={() => chat.post({ type: 'pick', picker: 'protocol', value: protocol })}
      >
        {isChosen ? t('Using {0}', label) : t('Use {0}', label)}
      </button>
    </Notice>
  );
}
