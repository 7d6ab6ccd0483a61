import * as vscode from 'vscode';

/** As the document has it. Nothing for bytes that the editor takes for something else than text. */
export async function decodeIfText(
  bytes: Uint8Array,
  { encoding }: Pick<vscode.TextDocument, 'encoding'>,
): Promise<string | undefined> {
  return orNothing(vscode.workspace.decode(bytes, { encoding }));
}

/** A content of a file for one side of a diff; of what is no text the size alone. */
export async function shownText(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  const text = await orNothing(vscode.workspace.decode(bytes, { uri }));
  return text ?? vscode.l10n.t('No text: {0} bytes', bytes.length);
}

async function orNothing(decoding: Thenable<string>): Promise<string | undefined> {
  try {
    return await decoding;
  } catch {
    // The editor says "no text" by an error of its own; there is no other way to ask it.
    return undefined;
  }
}
