import type { JSX } from 'preact';
import { IconButton } from '../shared/icon-button';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

interface Props {
  /** The index of the message. */
  readonly entry: number;
  readonly text: string;
}

/** Goes back to a message: to say it otherwise, to hear another answer, or that of another model or protocol. */
export function AgainButtons({ entry, text }: Props): JSX.Element | null {
  const chat = useChat();
  // One thing at a time: going back further would leave the message out that is being changed.
  if (chat.editing.value) return null;
  // They go away with what is left out.
  const retry = (isChosen?: true): void => {
    chat.post({ type: 'retry', entry, ...(isChosen && { isChosen }) });
    chat.requestFocus();
  };
  const actions = [
    { label: t('Edit message'), icon: 'edit', run: () => chat.edit({ entry, text }) },
    { label: t('Retry'), icon: 'refresh', run: () => retry() },
    {
      label: t('Retry with another model or protocol'),
      icon: 'arrow-swap',
      run: () => retry(true),
    },
  ];
  return (
    <>
      {actions.map(({ label, icon, run }) => (
        <IconButton key={icon} icon={icon} label={label} onClick={run} />
      ))}
    </>
  );
}
