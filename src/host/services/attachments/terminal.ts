import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { limits } from '../../../base/limits';
import type { Attachment } from '../../../core/words/attachment';
import { lastBytes } from '../../../node/files/text-encoding';
import { cleanOutput } from '../../../tools/commands';

/** Characters of output kept per terminal, including color codes. */
const KEPT = 64 * 1024;

/** The last command of a terminal. */
interface TerminalCommand {
  readonly command: string;
  /** Its last output, as the terminal gets it. */
  readonly output: string;
  readonly isCut: boolean;
  /** `undefined` while it runs, or if the shell did not report it. */
  readonly exitCode: number | undefined;
  readonly isRunning: boolean;
}

/**
 * Remembers the output of the last command of each terminal, in memory and for this window: VS Code reports it only
 * to listeners from the start of the command.
 */
export class TerminalTails implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly last = new WeakMap<vscode.Terminal, Following>();

  constructor() {
    this.store.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.last.set(terminal, new Following(execution));
      }),
    );
    this.store.add(
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        this.last.get(terminal)?.end(execution, exitCode);
      }),
    );
  }

  of(terminal: vscode.Terminal): TerminalCommand | undefined {
    return this.last.get(terminal)?.command;
  }

  dispose(): void {
    this.store.dispose();
  }
}

class Following {
  private output = '';
  private isCut = false;
  private ended: { readonly exitCode: number | undefined } | undefined;

  constructor(private readonly execution: vscode.TerminalShellExecution) {
    void this.follow();
  }

  get command(): TerminalCommand {
    return {
      // The shell may correct it until the command has ended.
      command: this.execution.commandLine.value,
      output: this.output.slice(-KEPT),
      isCut: this.isCut || this.output.length > KEPT,
      exitCode: this.ended?.exitCode,
      isRunning: this.ended === undefined,
    };
  }

  end(execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    if (execution === this.execution) this.ended = { exitCode };
  }

  private async follow(): Promise<void> {
    for await (const data of this.execution.read()) {
      this.output += data;
      // Trimmed now and then, because trimming copies the text and appending does not.
      if (this.output.length <= 2 * KEPT) continue;
      this.output = this.output.slice(-KEPT);
      this.isCut = true;
    }
  }
}

/** The last command of the active terminal, and its last output. */
export function terminalAttachment(tails: Pick<TerminalTails, 'of'>): Attachment {
  const label = '@terminal';
  const terminal = vscode.window.activeTerminal;
  if (!terminal) {
    return {
      type: 'missing',
      label,
      problem: vscode.l10n.t('No terminal is open. Open one and run a command there.'),
    };
  }
  const last = tails.of(terminal);
  if (last) return { type: 'text', source: 'terminal', label: 'Terminal', text: commandText(last) };
  const problem = terminal.shellIntegration
    ? vscode.l10n.t('No command has run in the active terminal since Parley started. Run it again.')
    : vscode.l10n.t(
        'The active terminal has no shell integration, so its output cannot be read. Paste the text instead.',
      );
  return { type: 'missing', label, problem };
}

/** The last lines, as they looked in the terminal. */
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
