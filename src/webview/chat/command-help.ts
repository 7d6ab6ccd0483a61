import type { SlashCommand } from '../../core/slash-commands';
import { t } from '../shared/l10n';

/** Every command of ours and what it does. */
export function commandHelp(): readonly { readonly command: SlashCommand; readonly detail: string }[] {
  const details: Readonly<Record<SlashCommand, string>> = {
    new: t('Start a new session'),
    compact: t('Summarize older messages'),
    model: t('Choose the model'),
    protocol: t('Choose the tool-calling protocol'),
    agent: t('Choose the agent'),
    export: t('Export this session'),
    help: t('Show commands and keys'),
  };
  // SAFETY: the keys are those of the record above.
  return Object.entries(details).map(([command, detail]) => ({ command: command as SlashCommand, detail }));
}

/** The keys of the message box and what they do. */
export function keyHelp(): readonly { readonly keys: string; readonly detail: string }[] {
  return [
    { keys: 'Enter', detail: t('Send; while a run goes on, queue') },
    { keys: 'Ctrl+Enter', detail: t('Interrupt the run and send') },
    { keys: 'Shift+Enter', detail: t('New line') },
    { keys: '↑ ↓', detail: t('Earlier messages, from an empty box') },
    { keys: 'Escape', detail: t('To the call that waits for you, and back') },
    { keys: '@', detail: t('Take along a file, a folder, problems or the terminal') },
    { keys: t('Paste, drop'), detail: t('Take along an image; from the explorer a file, with Shift') },
  ];
}
