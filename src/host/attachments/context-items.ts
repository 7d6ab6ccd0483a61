import * as vscode from 'vscode';
import type { ContextItem } from '../../contract/chat';
import type { RulesFile } from '../../core/prompt';
import { findRules, type FoundRules, type IgnoredRules } from '../../node/rules-files';
import { byteSize, utf8Length } from '../../tools/amounts';
import { windowPlaces, type PlaceParts } from '../files/window-places';
import { translated } from '../translated';
import { lookAtEditor, type EditorLook, type SelectedText } from './editor-look';
import { windowFiles } from '../files/window-files';

/** What the project asks of agents. */
export async function rulesOf(parts: PlaceParts): Promise<FoundRules> {
  return findRules({ ...windowPlaces(parts), isTrusted: () => vscode.workspace.isTrusted });
}

/** What would go along with a message that is sent now, for people. */
export async function contextItems(
  parts: PlaceParts,
  { withEditor }: { readonly withEditor: boolean },
): Promise<readonly ContextItem[]> {
  const rules = await rulesOf(parts);
  const { files } = windowFiles(parts);
  const { isTrusted } = vscode.workspace;
  const look = withEditor ? await lookAtEditor(files, { isTrusted }) : undefined;
  return [
    ...rules.files.map(rulesItem),
    ...rules.ignored.map(ignoredItem),
    ...(look && look.open.length > 0 ? [editorItem(look)] : []),
    ...(look?.selection ? [selectionItem(look.selection)] : []),
  ];
}

function rulesItem({ name, folder, text, isCut }: RulesFile): ContextItem {
  const size = byteSize(utf8Length(text));
  const title = isCut
    ? vscode.l10n.t(
        '{0} of {1} is part of the instructions; it is too long, so only {2} of it.',
        name,
        folder,
        size,
      )
    : vscode.l10n.t('{0} of {1} is part of the instructions ({2}).', name, folder, size);
  return { source: 'rules', label: name, title };
}

function ignoredItem({ name, folder, problem }: IgnoredRules): ContextItem {
  const title = vscode.l10n.t('{0} of {1} is left out: {2}.', name, folder, translated(problem));
  return { source: 'rules', label: name, title, isProblem: true };
}

function editorItem({ editor, open }: EditorLook): ContextItem {
  const [first = ''] = open;
  const name = first.slice(first.lastIndexOf('/') + 1);
  return {
    source: 'editor',
    label: open.length === 1 ? name : vscode.l10n.t('{0} and {1} more', name, open.length - 1),
    title: vscode.l10n.t('The names of open files go along: {0}', editor.text),
  };
}

function selectionItem({ label }: Pick<SelectedText, 'label'>): ContextItem {
  return {
    source: 'selection',
    label: label.slice(label.lastIndexOf('/') + 1),
    title: vscode.l10n.t('The selected text goes along: {0}', label),
  };
}
