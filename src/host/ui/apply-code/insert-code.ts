import * as vscode from 'vscode';

/** Inserts code at the cursor, replacing the selection; one undo reverts it. */
export async function insertCode(code: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    const sentence = vscode.l10n.t(
      'No editor is open. Open a file and put the cursor where the code belongs.',
    );
    void vscode.window.showInformationMessage(sentence);
    return;
  }
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, code);
  });
  if (!isDone) {
    const sentence = vscode.l10n.t('The code could not be inserted. Check whether the file is read-only.');
    void vscode.window.showWarningMessage(sentence);
    return;
  }
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}
