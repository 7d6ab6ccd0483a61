import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';
import { commandHelp, keyHelp } from './command-help';

/** What can be written and pressed in the message box. */
export function HelpPanel(): JSX.Element | null {
  const chat = useChat();
  const panel = useRef<HTMLElement>(null);
  const isOpen = chat.isHelpOpen.value;
  useLayoutEffect(() => {
    if (isOpen) panel.current?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  const close = (): void => {
    chat.isHelpOpen.value = false;
    chat.requestFocus();
  };
  const rows = [
    ...commandHelp().map(({ command, detail }) => ({ name: `/${command}`, detail })),
    { name: t('/name of a skill'), detail: t('Send the rest of the message with the skill') },
    ...keyHelp().map(({ keys, detail }) => ({ name: keys, detail })),
  ];
  return (
    <section
      class="help-panel"
      aria-label={t('Commands and keys')}
      tabIndex={-1}
      ref={panel}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <button
        type="button"
        class="icon-button help-close"
        aria-label={t('Close help')}
        title={t('Close help')}
        onClick={close}
      >
        <Icon name="close" />
      </button>
      <dl class="help-rows">
        {rows.map(({ name, detail }) => (
          <div class="help-row" key={name}>
            <dt>{name}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
