import * as vscode from 'vscode';

/** The page of the chat: nothing from elsewhere, scripts only by this load's nonce, no inline styles. */
export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const asset = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  // The global one: loading `node:crypto` takes longer than all else at activation.
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `script-src 'nonce-${nonce}'`,
    // The two that `default-src` does not speak for.
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
<title>Parley</title>
<link rel="stylesheet" href="${asset('dist', 'webview', 'codicon.css')}">
<link rel="stylesheet" href="${asset('media', 'chat.css')}">
</head>
<body>
<div id="root"></div>
<script type="application/json" id="l10n" nonce="${nonce}">${texts}</script>
<script nonce="${nonce}" src="${asset('dist', 'webview', 'chat.js')}"></script>
</body>
</html>`;
}
