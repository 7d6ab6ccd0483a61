import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import type { ApprovalRequest } from '../../../core/words/approval';
import type { Preview, SandboxBounds } from '../../../core/words/tool';
import type { DiffView } from '../../platform/diff-view';
import { translated } from '../../platform/translated';

export type DialogDiffs = Pick<DiffView, 'compare'>;

interface DialogQuestion {
  readonly text: string;
  /** Everything that would happen. */
  readonly detail: string;
  readonly diffTitle: (path: string) => string;
  /** Button beside Run, if an editor shows it. */
  readonly otherwise: string;
}

/** Asks about a call in a VS Code dialog, for a file change after showing the diff. */
export async function askInDialog(
  { text, detail, diffTitle, otherwise }: DialogQuestion,
  preview: Preview | undefined,
  diffs: DialogDiffs,
  signal: AbortSignal,
): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  const ask = (action: string): Promise<string | undefined> =>
    unlessStopped(vscode.window.showWarningMessage(text, { modal: true, detail }, action), signal);
  if (preview?.type !== 'diff') return (await ask(run)) === run;
  if ((await ask(vscode.l10n.t('Show Changes'))) === undefined) return false;
  const { path, before, after } = preview;
  await diffs.compare({ path, before, after, title: diffTitle(path) });
  return askBesideEditor({ text, otherwise }, signal);
}

/** The question stays until it is answered, beside its subject. */
export async function askBesideEditor(
  { text, otherwise }: Pick<DialogQuestion, 'text' | 'otherwise'>,
  signal: AbortSignal,
): Promise<boolean> {
  const run = { label: vscode.l10n.t('Run') };
  const options = { title: text, ignoreFocusOut: true };
  const answer = vscode.window.showQuickPick([run, { label: otherwise }], options);
  return (await unlessStopped(answer, signal)) === run;
}

/** Why a dialog would not show all of it. */
export function whyNotShown(detail: string): string | undefined {
  if (detail.length > limits.dialogCharacters || detail.split('\n').length > limits.dialogLines)
    return 'it is too long to be shown whole in a dialog';
  return PADDING.test(detail)
    ? 'it is padded with blanks, behind which something may be out of sight'
    : undefined;
}

const PADDING = /[^\S\n]{24}/;

/** Everything a call would do, and why it asks. */
export function detailOf({ accesses, preview, call, edited }: ApprovalRequest, reason: string): string {
  const why = vscode.l10n.t('Parley asks because: {0}', translated(reason));
  if (preview?.type === 'command') return [...commandLines(preview), '', why].join('\n');
  const touched = accesses.map(({ target, notes }) =>
    notes === undefined ? target : `${target} (${notes.map(translated).join('; ')})`,
  );
  const shown = touched.length > 0 ? touched : [JSON.stringify(edited ?? call.arguments, undefined, 2)];
  const runsCode = preview?.runsCode ? [vscode.l10n.t('Builds, tests or scripts may run this file.')] : [];
  return [...shown, ...runsCode, '', why].join('\n');
}

function commandLines({
  command,
  cwd,
  commands,
  setup,
  sandbox,
}: Extract<Preview, { readonly type: 'command' }>): readonly string[] {
  const first = setup === undefined ? [] : [vscode.l10n.t('After the line of your settings: {0}', setup)];
  const where = [vscode.l10n.t('In folder {0}', cwd), ...first, ...(sandbox ? [boundsOf(sandbox)] : [])];
  if (commands.length <= 1) return [command, '', ...where];
  return [
    command,
    '',
    ...where,
    vscode.l10n.t('Runs {0} commands:', commands.length),
    ...commands.map((words) => `- ${words.join(' ')}`),
  ];
}

function boundsOf({ sites }: SandboxBounds): string {
  return sites.length === 0
    ? vscode.l10n.t('Runs in the sandbox: no network, can write only to this folder.')
    : vscode.l10n.t(
        'Runs in the sandbox: can reach only {0}, can write only to this folder.',
        sites.join(', '),
      );
}

/** VS Code cannot close a dialog; an answer after the stop is ignored. */
function unlessStopped<T>(answer: Thenable<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('Stopped while waiting for an answer.'));
    signal.addEventListener('abort', stop, { once: true });
    void answer.then(resolve, reject).then(() => signal.removeEventListener('abort', stop));
  });
}
