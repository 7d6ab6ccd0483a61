import * as vscode from 'vscode';
import { visibleText } from '../base/visible-text';
import type { ApprovalRequest, Decision } from '../core/approval';
import { limits } from '../policy/limits';
import type { DiffView } from './diff-view';

/**
 * Asks about a call that no chat shows: in a dialog with all of what would happen, for a change of a file after a look
 * at the diff. What is too long for a dialog is refused, because nobody could see what they allow.
 */
export async function askInDialog(
  request: ApprovalRequest,
  reason: string,
  diffs: Pick<DiffView, 'compare'>,
  signal: AbortSignal,
): Promise<Decision> {
  const { title, preview } = request;
  const told = visibleText(detailOf(request, reason));
  if (told.length > limits.dialogCharacters || told.split('\n').length > limits.dialogLines) {
    const why = 'it is too long to be shown whole in a dialog; ask for it in the chat of Parley';
    return { type: 'reject', by: 'policy', reason: why };
  }
  const run = vscode.l10n.t('Run');
  const show = vscode.l10n.t('Show Changes');
  const question = vscode.l10n.t('Another agent asks Parley: {0}', visibleText(title));
  const options = { modal: true, detail: told };
  // A change is run after it was shown, never before.
  const first = preview?.type === 'diff' ? show : run;
  let answer = await stopped(vscode.window.showWarningMessage(question, options, first), signal);
  if (answer === show && preview?.type === 'diff') {
    const { path, before, after } = preview;
    await diffs.compare({
      path,
      before,
      after,
      title: vscode.l10n.t('{0} (proposed by another agent)', path),
    });
    const reject = vscode.l10n.t('Reject');
    answer = await stopped(vscode.window.showWarningMessage(question, run, reject), signal);
  }
  return answer === run
    ? { type: 'run', by: 'user', reason: '' }
    : { type: 'reject', by: 'user', reason: '' };
}

function detailOf({ accesses, preview, call }: ApprovalRequest, reason: string): string {
  const why = vscode.l10n.t('Parley asks because: {0}', reason);
  if (preview?.type === 'command') {
    return [preview.command, '', vscode.l10n.t('In the folder {0}', preview.cwd), why].join('\n');
  }
  const touched = accesses.map(({ target, note }) => (note === undefined ? target : `${target} (${note})`));
  const shown = touched.length > 0 ? touched : [JSON.stringify(call.arguments, undefined, 2)];
  return [...shown, '', why].join('\n');
}

/** VS Code cannot take a dialog back; an answer that comes after the stop no longer counts. */
function stopped<T>(answer: Thenable<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('Stopped while waiting for an answer.'));
    signal.addEventListener('abort', stop, { once: true });
    void answer.then(resolve, reject).then(() => signal.removeEventListener('abort', stop));
  });
}
