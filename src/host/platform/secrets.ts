import * as vscode from 'vscode';
import { redact, secretForms } from '../../base/redact';
import { profileSecrets, type ModelProfile } from '../../models/profiles';
import { KeyCommand } from '../../node/endpoint/key-command';

/**
 * Keys of endpoints, secrets for their headers, and inputs of MCP servers. Stored only in VS Code's SecretStorage, by
 * the origin they may be sent to.
 */
export class Secrets {
  /** Every key that this window has used, so that none is logged. */
  private readonly known = new Set<string>();

  private readonly commands = new Map<string, KeyCommand>();

  constructor(private readonly storage: vscode.SecretStorage) {}

  /** The command that a profile names for its key. Its output is kept for the window, for this origin only. */
  keyCommand(command: NonNullable<ModelProfile['apiKeyCommand']>, baseUrl: string): KeyCommand {
    const options = typeof command === 'string' ? { command } : command;
    const id = JSON.stringify([new URL(baseUrl).origin, options.command, options.expiresIn]);
    const found = this.commands.get(id);
    if (found) return found;
    const made = new KeyCommand(options, { learn: (key) => this.learnSecret(key) });
    this.commands.set(id, made);
    return made;
  }

  async keyFor(baseUrl: string): Promise<string | undefined> {
    return this.get(keyId(baseUrl));
  }

  /** Stores a key for the origin of this address only. */
  async keepKey(baseUrl: string, key: string): Promise<void> {
    this.learnSecret(key);
    await this.storage.store(keyId(baseUrl), key);
  }

  async forgetKey(baseUrl: string): Promise<void> {
    await this.storage.delete(keyId(baseUrl));
  }

  /** A secret that a header refers to, entered for this address. */
  async named(name: string, baseUrl: string): Promise<string | undefined> {
    return this.get(secretId(name, baseUrl));
  }

  /** A value that the user entered for an MCP server; `key` identifies it. */
  async input(key: string): Promise<string | undefined> {
    return this.get(inputId(key));
  }

  async keepInput(key: string, entered: string): Promise<void> {
    this.learnSecret(entered);
    await this.storage.store(inputId(key), entered);
  }

  async forgetInput(key: string): Promise<void> {
    await this.storage.delete(inputId(key));
  }

  /** Loads every key stored for these profiles, including those not used yet. */
  async learn(profiles: readonly ModelProfile[]): Promise<void> {
    for (const profile of profiles) {
      const { baseUrl } = profile;
      if (baseUrl === undefined || !URL.canParse(baseUrl)) continue;
      await this.keyFor(baseUrl);
      for (const name of profileSecrets(profile)) await this.named(name, baseUrl);
    }
  }

  /** A key stored elsewhere or received from outside: it is removed from our logs from here on. */
  learnSecret(secret: string): void {
    this.known.add(secret);
  }

  /** The text without any of the keys. */
  redact(text: string): string {
    return redact(text, this.known);
  }

  /** Whether these bytes contain one of the keys, in any form that `redact` knows. */
  isIn(bytes: Uint8Array): boolean {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isHere = (form: string, encoding: BufferEncoding): boolean => content.includes(form, 0, encoding);
    return secretForms(this.known).some((form) => isHere(form, 'utf8') || isHere(form, 'utf16le'));
  }

  /**
   * Asks for the key in VS Code's password box; an empty answer removes it, Escape changes nothing. Returns whether
   * it changed.
   */
  async askForKey(profile: string, baseUrl: string): Promise<boolean> {
    return this.ask(keyId(baseUrl), vscode.l10n.t('API key for {0}', profile), baseUrl);
  }

  /** The same for a secret of a header. */
  async askForNamed(name: string, profile: string, baseUrl: string): Promise<boolean> {
    return this.ask(secretId(name, baseUrl), vscode.l10n.t('Secret {0} for {1}', name, profile), baseUrl);
  }

  private async get(id: string): Promise<string | undefined> {
    const secret = await this.storage.get(id);
    if (secret !== undefined) this.known.add(secret);
    return secret;
  }

  private async ask(id: string, title: string, baseUrl: string): Promise<boolean> {
    const { origin } = new URL(baseUrl);
    const isStored = (await this.get(id)) !== undefined;
    const answer = await vscode.window.showInputBox({
      title,
      prompt: isStored
        ? vscode.l10n.t('Sent only to {0}. Leave empty to remove the stored key.', origin)
        : vscode.l10n.t("Sent only to {0}. Stored in VS Code's secret storage.", origin),
      password: true,
      ignoreFocusOut: true,
    });
    if (answer === undefined) return false;
    const secret = answer.trim();
    if (secret === '') {
      await this.storage.delete(id);
      return false;
    }
    this.known.add(secret);
    await this.storage.store(id, secret);
    return true;
  }
}

/** By origin, so that a changed address never receives the key of another. */
function keyId(baseUrl: string): string {
  return `key:${new URL(baseUrl).origin}`;
}

function inputId(key: string): string {
  return `mcp-input:${key}`;
}

function secretId(name: string, baseUrl: string): string {
  return `secret:${name}:${new URL(baseUrl).origin}`;
}
