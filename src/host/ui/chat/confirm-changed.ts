import * as vscode from 'vscode';
import { noticeText, visibleText } from '../../../base/text';
import type { WaitingCall } from '../../../core/transcript/waiting-call';
import { shownDefinition } from '../../services/mcp/shown-definition';
import { askBesideEditor, askInDialog, detailOf, whyNotShown } from '../../services/tools/ask-in-dialog';
import type { DiffView } from '../../platform/diff-view';
import { translatedTitle } from '../../platform/translated';

/**
 * Confirms a call whose arguments come from a page, outside of the page: in a dialog, for a file change beside its
 * diff, and beside an editor if a dialog cannot show all of it.
 */
export async function confirmChanged(
  { request, reason }: WaitingCall,
  diffs: Pick<DiffView, 'compare' | 'open'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { call, title, preview, edited } = request;
  const name = noticeText(translatedTitle(title));
  const text = vscode.l10n.t('Run the call with your changes? {0}', name);
  const otherwise = vscode.l10n.t("Don't Run");
  const detail = detailOf(request, reason);
  const whole = `${detail}\n\n${JSON.stringify(edited ?? call.arguments, undefined, 2)}`;
  const shown = visibleText(preview?.type === 'diff' ? detail : whole);
  if (whyNotShown(shown) === undefined) {
    const diffTitle = (path: string): string => vscode.l10n.t('{0} (changed by you)', path);
    return askInDialog({ text, detail: shown, diffTitle, otherwise }, preview, diffs, signal);
  }
  // Without an extension, which would highlight it.
  await diffs.open({ path: call.name, text: shownDefinition(whole) });
  return askBesideEditor({ text, otherwise }, signal);
}
