import { clientCertificate } from '../../../node/endpoint/client-certificate';
import type { ClientTls } from '../../../models/profiles';
import * as vscode from 'vscode';
import { createTransport } from '../../../node/endpoint/transport';

/** Network access for model requests: VS Code's proxy and certificate settings apply. */
export const transport = createTransport();

/** The same for a profile with a client certificate. */
export function certifiedTransport(
  tls: ClientTls,
  passphrase: () => Promise<string | undefined>,
): ReturnType<typeof createTransport> {
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === 'file' ? [uri.fsPath] : [],
  );
  return createTransport(undefined, clientCertificate(tls, { passphrase, folders }));
}
