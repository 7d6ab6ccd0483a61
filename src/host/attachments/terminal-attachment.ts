import * as vscode from 'vscode';
import type { Attachment } from '../../core/attachment';
import { limits } from '../../policy/limits';
import { cleanOutput } from '../../tools/clean-output';
import { lastBytes } from '../../node/cut-text';
import type { TerminalCommand, TerminalTails } from './terminal-tails';

/** The last command of the active terminal, and what it has printed last. */
export function terminalAttachment(tails: Pick<TerminalTails, 'of'>): Attachment {
  const label = '@terminal';
  const terminal = vscode.window.activeTerminal;
  if (!terminal) {
    return {
      type: 'missing',
      label,
      problem: vscode.l10n.t('No terminal is open. Open one and run the command there.'),
    };
  }
  const last = tails.of(terminal);
  if (last) return { type: 'text', source: 'terminal', label: 'Terminal', text: commandText(last) };
  const problem = terminal.shellIntegration
    ? vscode.l10n.t('No command has run in the active terminal since Parley was started. Run it again.')
    : vscode.l10n.t(
        'VS Code cannot tell what the active terminal shows: its shell has no shell integration. Paste the text instead.',
      );
  return { type: 'missing', label, problem };
}

/** As it looked in the terminal, the end of it. */
export function commandText({ command, output, isCut, exitCode, isRunning }: TerminalCommand): string {
  const clean = cleanOutput(output).trimEnd().replace(/^\n+/, '');
  const end = lastBytes(clean, limits.attachedTerminalBytes);
  const lines = [
    `$ ${cleanOutput(command)}`,
    ...(isCut || end !== clean ? ['[The beginning of the output is left out.]'] : []),
    ...(end === '' ? [] : [end]),
    isRunning
      ? '[It is still running.]'
      : `[It has ended${exitCode === undefined ? '' : ` with code ${exitCode}`}.]`,
  ];
  return lines.join('\n');
}
