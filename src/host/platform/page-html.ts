import * as vscode from 'vscode';
import type { LinkOpener } from './open-link';

/** A page: names of its script and style sheet, and its title. */
interface PageSource {
  readonly name: 'chat' | 'lab';
  readonly title: string;
}

/** What pages may do: run their scripts, and load shipped files. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    localResourceRoots: [
      vscode.Uri.joinPath(extensionUri, 'dist', 'webview'),
      vscode.Uri.joinPath(extensionUri, 'media'),
    ],
  };
}

/** Nothing remote; scripts, their imports and their styles only with the nonce of this load. */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { name, title }: PageSource,
): string {
  const asset = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  // The global one: loading `node:crypto` takes longer than all else at activation.
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `script-src 'nonce-${nonce}'`,
    // The two that `default-src` does not cover.
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // `<` would end the script element.
  const texts = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${asset('dist', 'webview', 'codicon.css')}">
<link rel="stylesheet" href="${asset('media', 'shared.css')}">
<link rel="stylesheet" href="${asset('media', `${name}.css`)}">
</head>
<body>
<div id="root"></div>
<script type="application/json" id="l10n" nonce="${nonce}">${texts}</script>
<script type="module" nonce="${nonce}" src="${asset('dist', 'webview', `${name}.js`)}"></script>
</body>
</html>`;
}

/** Opens pages in the browser, after a question that shows the whole address. */
export const browser: LinkOpener = {
  confirm: async (address) => {
    const open = vscode.l10n.t('Open');
    const question = vscode.l10n.t('Open this page in the browser?');
    const options = { modal: true, detail: address };
    return (await vscode.window.showInformationMessage(question, options, open)) === open;
  },
  open: async (address) => {
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
  },
};
