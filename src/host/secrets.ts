import * as vscode from 'vscode';
import { redact } from '../base/redact';

/** Keys of endpoints. They rest in VS Code's SecretStorage only, each under the origin it may be sent to. */
export class Secrets {
  /** Every key that this window has had in its hands, so that none is written into a log. */
  private readonly known = new Set<string>();

  constructor(private readonly storage: vscode.SecretStorage) {}

  async keyFor(baseUrl: string): Promise<string | undefined> {
    const key = await this.storage.get(secretId(baseUrl));
    if (key !== undefined) this.known.add(key);
    return key;
  }

  /** The text without any of the keys. */
  redact(text: string): string {
    return redact(text, this.known);
  }

  /** Asks for the key in VS Code's password box; an empty answer removes it, Escape changes nothing. */
  async askFor(name: string, baseUrl: string): Promise<void> {
    const { origin } = new URL(baseUrl);
    const known = await this.keyFor(baseUrl);
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t('API key for {0}', name),
      prompt: known
        ? vscode.l10n.t('Sent only to {0}. A key is stored; leave this empty to remove it.', origin)
        : vscode.l10n.t('Sent only to {0}. Kept in the secret storage of VS Code.', origin),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === '') return this.storage.delete(secretId(baseUrl));
    this.known.add(key.trim());
    await this.storage.store(secretId(baseUrl), key.trim());
  }
}

/** By origin, so that a changed address never receives the key of another. */
function secretId(baseUrl: string): string {
  return `key:${new URL(baseUrl).origin}`;
}
