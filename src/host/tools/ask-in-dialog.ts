import * as vscode from 'vscode';
import { visibleText } from '../../base/visible-text';
import type { ApprovalRequest, Decision } from '../../core/approval';
import type { Preview } from '../../core/tool';
import { limits } from '../../policy/limits';
import type { DiffView } from '../diff-view';
import { noticeText } from '../notice-text';
import { translated, translatedTitle } from '../translated';

type Diffs = Pick<DiffView, 'compare'>;

/**
 * Asks about a call that no chat shows: in a dialog with all of what would happen, for a change of a file after a look
 * at the diff. What a dialog cannot show whole is refused, because nobody could see what they allow.
 */
export async function askInDialog(
  request: ApprovalRequest,
  reason: string,
  diffs: Diffs,
  signal: AbortSignal,
): Promise<Decision> {
  const { title, preview } = request;
  const told = visibleText(detailOf(request, reason));
  const refusal = whyNotShown(told);
  if (refusal !== undefined) {
    return { type: 'reject', by: 'policy', reason: `${refusal}; ask for it in the chat of Parley` };
  }
  const run = vscode.l10n.t('Run');
  const question = vscode.l10n.t('Another agent asks Parley: {0}', noticeText(translatedTitle(title)));
  const ask = (action: string): Promise<string | undefined> =>
    unlessStopped(vscode.window.showWarningMessage(question, { modal: true, detail: told }, action), signal);
  const isAllowed =
    preview?.type === 'diff'
      ? (await ask(vscode.l10n.t('Show Changes'))) !== undefined &&
        (await askBesideDiff(question, preview, diffs, signal))
      : (await ask(run)) === run;
  return { type: isAllowed ? 'run' : 'reject', by: 'user', reason: '' };
}

/** A change is run after it was shown, never before; and what asks stays until it is answered. */
async function askBesideDiff(
  question: string,
  { path, before, after }: Extract<Preview, { readonly type: 'diff' }>,
  diffs: Diffs,
  signal: AbortSignal,
): Promise<boolean> {
  const title = vscode.l10n.t('{0} (proposed by another agent)', path);
  await diffs.compare({ path, before, after, title });
  const run = { label: vscode.l10n.t('Run') };
  const reject = { label: vscode.l10n.t('Reject') };
  const options = { title: question, ignoreFocusOut: true };
  const answer = await unlessStopped(vscode.window.showQuickPick([run, reject], options), signal);
  return answer === run;
}

/** Why somebody who reads the dialog would not see all of it. */
function whyNotShown(told: string): string | undefined {
  if (told.length > limits.dialogCharacters || told.split('\n').length > limits.dialogLines)
    return 'it is too long to be shown whole in a dialog';
  return PADDING.test(told)
    ? 'it is padded with blanks, behind which something may be out of sight'
    : undefined;
}

const PADDING = /[^\S\n]{24}/;

function detailOf({ accesses, preview, call }: ApprovalRequest, reason: string): string {
  const why = vscode.l10n.t('Parley asks because: {0}', translated(reason));
  if (preview?.type === 'command') return [...commandLines(preview), '', why].join('\n');
  const touched = accesses.map(({ target, notes }) =>
    notes === undefined ? target : `${target} (${notes.map(translated).join('; ')})`,
  );
  const shown = touched.length > 0 ? touched : [JSON.stringify(call.arguments, undefined, 2)];
  const runsCode = preview?.runsCode
    ? [vscode.l10n.t('The file decides what builds, tests or scripts run.')]
    : [];
  return [...shown, ...runsCode, '', why].join('\n');
}

function commandLines({
  command,
  cwd,
  commands,
}: Extract<Preview, { readonly type: 'command' }>): readonly string[] {
  const where = vscode.l10n.t('In the folder {0}', cwd);
  if (commands.length <= 1) return [command, '', where];
  return [
    command,
    '',
    where,
    vscode.l10n.t('Runs {0} commands:', commands.length),
    ...commands.map((words) => `- ${words.join(' ')}`),
  ];
}

/** VS Code cannot take a dialog back; an answer that comes after the stop no longer counts. */
function unlessStopped<T>(answer: Thenable<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('Stopped while waiting for an answer.'));
    signal.addEventListener('abort', stop, { once: true });
    void answer.then(resolve, reject).then(() => signal.removeEventListener('abort', stop));
  });
}
