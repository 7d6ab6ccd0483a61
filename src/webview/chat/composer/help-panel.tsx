import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SlashCommand } from '../../../core/slash-commands';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import { DocsButton } from '../docs-button';

/** What can be typed and pressed in the message box. */
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
    { name: t('/skill-name'), detail: t('Send the message with this skill') },
    ...keyHelp().map(({ keys, detail }) => ({ name: keys, detail })),
  ];
  return (
    <section
      class="help-panel"
      aria-label={t('Commands and keyboard shortcuts')}
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
      <p class="help-docs">
        <DocsButton page="chat" label={t('More about the chat')} />
        <DocsButton page="README" label={t('All documentation')} />
      </p>
    </section>
  );
}

/** Our commands and what they do. */
export function commandHelp(): readonly { readonly command: SlashCommand; readonly detail: string }[] {
  const details: Readonly<Record<SlashCommand, string>> = {
    new: t('Start a new session'),
    compact: t('Summarize older messages'),
    model: t('Choose the model'),
    protocol: t('Choose the tool-calling protocol'),
    agent: t('Choose the agent'),
    tools: t('Show and switch tools'),
    export: t('Export this session'),
    sandbox: t('Show and change what sandboxed commands may do'),
    help: t('Show commands and keyboard shortcuts'),
  };
  // SAFETY: the keys are those of the record above.
  return Object.entries(details).map(([command, detail]) => ({ command: command as SlashCommand, detail }));
}

/** Keys of the message box and what they do. */
function keyHelp(): readonly { readonly keys: string; readonly detail: string }[] {
  return [
    { keys: 'Enter', detail: t('Send, or queue during a run') },
    { keys: 'Ctrl+Enter', detail: t('Interrupt the run and send') },
    { keys: 'Shift+Enter', detail: t('New line') },
    { keys: '↑ ↓', detail: t('Previous messages, if the message box is empty') },
    { keys: 'Escape', detail: t('Go to the waiting call and back') },
    { keys: '@', detail: t('Attach a file, a folder, problems or terminal output') },
    { keys: t('Paste, drop'), detail: t('Attach an image; hold Shift to drop a file from the Explorer') },
  ];
}
