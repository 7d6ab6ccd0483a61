import * as vscode from 'vscode';
import { DOCS_FOLDER } from '../../manifest/docs';

/** The page that lists the others. */
const INDEX = 'README';

/**
 * Shows a page of the documentation in VS Code's Markdown preview; the list of all pages without a name, or if there is
 * no such page. Callers of the command may pass anything.
 */
export async function openDocs(extensionUri: vscode.Uri, page?: unknown, heading?: unknown): Promise<void> {
  const folder = vscode.Uri.joinPath(extensionUri, DOCS_FOLDER);
  const found = (await pageFile(folder, page)) ?? vscode.Uri.joinPath(folder, `${INDEX}.md`);
  const uri = typeof heading === 'string' ? found.with({ fragment: heading }) : found;
  const hasPreview = vscode.extensions.getExtension('vscode.markdown-language-features') !== undefined;
  await vscode.commands.executeCommand(hasPreview ? 'markdown.showPreview' : 'vscode.open', uri);
}

/** The file of a page: `sandbox` or `doctor/README`. */
async function pageFile(folder: vscode.Uri, page: unknown): Promise<vscode.Uri | undefined> {
  // Names only, so that no link leaves the folder.
  if (typeof page !== 'string' || !/^[\w-]+(?:\/[\w-]+)*$/.test(page)) return undefined;
  const uri = vscode.Uri.joinPath(folder, `${page}.md`);
  return vscode.workspace.fs.stat(uri).then(
    () => uri,
    () => undefined,
  );
}
