import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { never } from '../../../base/never';
import { ToolError } from '../../../core/words/tool';
import { lineChanges } from '../../../tools/edit/line-changes';
import type { Files, Place } from '../../../tools/ports/files';
import { byteSize, utf8Length } from '../../../tools/text/amounts';
import { mustBeWholeCharacters } from '../../../tools/text/lines';
import type { WindowContext } from '../../services/attachments/window-context';
import { resourceAt } from '../../platform/files/virtual-files';
import type { DiffView } from '../../platform/diff-view';
import { noticeText } from '../../../base/text';
import { translated } from '../../platform/translated';
import {
  activeFile,
  fileChoices,
  pickFile,
  refused,
  type ActiveFile,
  type ProposedCode,
} from './file-choices';
import { newText, type NewText } from './new-text';

export interface ApplyParts {
  readonly files: Files;
  readonly diffs: DiffView;
  readonly attachments: Pick<WindowContext, 'complete'>;
}

/**
 * Applies code of a reply to a file. The user picks the file, reviews the change and confirms it; nothing is written
 * before. It is written like a tool would: path policy, encoding and line endings are respected, and one undo reverts
 * it.
 */
export async function applyCode(proposed: ProposedCode, parts: ApplyParts): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    tell(vscode.l10n.t('Parley cannot change files in Restricted Mode. Trust the workspace first.'));
    return;
  }
  // The click refers to what is active and selected now.
  const active = activeFile();
  try {
    const path = await pickFile(await fileChoices(proposed, active, parts.files), parts.attachments);
    if (path !== undefined) await applyTo(path, proposed, { ...parts, active });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    tell(error.message);
  }
}

async function applyTo(
  path: string,
  proposed: ProposedCode,
  { files, diffs, active }: ApplyParts & { readonly active: ActiveFile | undefined },
): Promise<void> {
  const place = await files.resolve(path, 'write');
  const info = await files.stat(place);
  if (info && info.kind !== 'file') {
    tell(vscode.l10n.t('{0} is not a file. Choose another one.', place.display));
    return;
  }
  if (!(await mayBeTouched(place, files))) return;
  const before = info && (await files.readText(place)).text;
  const selected = active && (await isAt(active.path, place, files)) ? active.selected : undefined;
  const made = newText(proposed, { before, selected });
  if (made.type !== 'applied') {
    tell(problemText(made, place.display));
    return;
  }
  mustBeWholeCharacters(made.text, place.display);
  const size = utf8Length(made.text);
  if (size > limits.writeFileBytes) {
    const [most, its] = [byteSize(limits.writeFileBytes), byteSize(size)];
    tell(
      vscode.l10n.t(
        '{0} would have {1}; Parley writes up to {2}. Apply a smaller change.',
        place.display,
        its,
        most,
      ),
    );
    return;
  }
  await diffs.compare({
    path: place.display,
    before: before ?? '',
    after: made.text,
    title: vscode.l10n.t('{0} (code from the reply)', place.display),
  });
  if (!(await isWanted(made.part, place.display, lineChanges(before ?? '', made.text)))) return;
  await files.writeText(place, made.text, before);
  await vscode.window.showTextDocument(resourceAt(place.resolved));
}

async function isAt(path: string, place: Place, files: Files): Promise<boolean> {
  // The active editor may show something that is not a file.
  return (await files.resolve(path, 'write').catch(refused))?.resolved === place.resolved;
}

/** Secret and protected files ask before any of their content is shown. */
async function mayBeTouched(place: Place, files: Files): Promise<boolean> {
  const verdicts = [place.verdict, (await files.resolve(place.resolved, 'read')).verdict];
  const reasons = verdicts.flatMap(({ decision, reason }) => (decision === 'auto' ? [] : [reason]));
  if (reasons.length === 0) return true;
  const show = vscode.l10n.t('Show Change');
  const question = vscode.l10n.t('Change {0} anyway?', noticeText(place.display));
  const options = { modal: true, detail: noticeText([...new Set(reasons)].map(translated).join('\n')) };
  return (await vscode.window.showWarningMessage(question, options, show)) === show;
}

/** Not modal, so that the user can read the change. */
async function isWanted(
  part: Extract<NewText, { type: 'applied' }>['part'],
  display: string,
  { added, removed }: ReturnType<typeof lineChanges>,
): Promise<boolean> {
  const apply = vscode.l10n.t('Apply');
  const counted = vscode.l10n.t('Lines added: {0}, removed: {1}.', added, removed);
  const question = `${partText(part, noticeText(display))} ${counted}`;
  const answer = await vscode.window.showInformationMessage(question, apply, vscode.l10n.t('Cancel'));
  return answer === apply;
}

function partText(part: Extract<NewText, { type: 'applied' }>['part'], display: string): string {
  switch (part) {
    case 'new':
      return vscode.l10n.t('Create the file {0}?', display);
    case 'whole':
      return vscode.l10n.t('Replace the whole text of {0}?', display);
    case 'selection':
      return vscode.l10n.t('Replace the selected text of {0}?', display);
    case 'diff':
      return vscode.l10n.t('Apply this diff to {0}?', display);
    default:
      return never(part);
  }
}

function problemText(made: Exclude<NewText, { type: 'applied' }>, display: string): string {
  switch (made.type) {
    case 'no-place':
      return vscode.l10n.t(
        'The diff does not apply to {0}: the lines of hunk {1} are not in the file. Ask for a new diff, or choose another file.',
        display,
        made.hunk,
      );
    case 'many-places':
      return vscode.l10n.t(
        'The diff does not apply to {0}: the lines of hunk {1} occur more than once. Ask for a diff with more context lines.',
        display,
        made.hunk,
      );
    case 'no-diff-of-one-file':
      return vscode.l10n.t('Only a diff of a single file can be applied. Ask for one diff per file.');
    case 'no-file':
      return vscode.l10n.t(
        'The diff changes an existing file, but {0} does not exist. Choose another file.',
        display,
      );
    case 'too-many-hunks':
      return vscode.l10n.t(
        'Only a diff with up to {0} hunks can be applied. Ask for smaller diffs.',
        limits.appliedHunks,
      );
    case 'left-out':
      return vscode.l10n.t(
        'This code omits parts of {0} ("..."), which would be lost. Select the lines it replaces and apply it again, or ask for the whole file.',
        display,
      );
    case 'no-change':
      return vscode.l10n.t('{0} already contains this change.', display);
    default:
      return never(made);
  }
}

function tell(text: string): void {
  void vscode.window.showInformationMessage(noticeText(text));
}
