import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import type { ConfiguredServer, Input } from '../../../mcp/definition';
import { ServerProblem } from '../../../mcp/ports';
import type { Secrets } from '../../platform/secrets';
import { onOneLine } from '../../platform/input-text';
import { inTurn } from './input-turns';
import { shownName } from './shown-server';

/** Values that the user enters once for servers, stored in the secret storage. */
export class Inputs {
  /** Cancels the questions of a server. */
  private readonly asking = new Map<ConfiguredServer, AbortController>();

  constructor(private readonly secrets: Secrets) {}

  /** By id. Asks for missing values; rejects with `ServerProblem` if the user enters nothing. */
  async of(server: ConfiguredServer): Promise<ReadonlyMap<string, string>> {
    const stop = new AbortController();
    this.asking.set(server, stop);
    const entered = new Map<string, string>();
    try {
      for (const input of server.inputs ?? []) {
        entered.set(input.id, await this.get(server, input, stop.signal));
      }
    } finally {
      this.asking.delete(server);
    }
    return entered;
  }

  /** Cancels the questions of this server, as if nothing had been entered. */
  cancel(server: ConfiguredServer): void {
    this.asking.get(server)?.abort();
  }

  async forget(server: ConfiguredServer): Promise<void> {
    for (const { id } of server.inputs ?? []) await this.secrets.forgetInput(keyOf(server, id));
  }

  private async get(server: ConfiguredServer, input: Input, signal: AbortSignal): Promise<string> {
    const key = keyOf(server, input.id);
    const known = await this.secrets.input(key);
    if (known !== undefined) return known;
    const entered = await inTurn(() => ask(server, input, signal), undefined, signal);
    if (entered === undefined) {
      const text = '"{0}" is required, but nothing was entered. Restart the server to be asked again.';
      throw new ServerProblem(vscode.l10n.t(text, visibleText(input.id)));
    }
    await this.secrets.keepInput(key, entered);
    return entered;
  }
}

/** A value entered for one address or path is not used for another. */
function keyOf({ name, scope, folder, definition }: ConfiguredServer, id: string): string {
  const to = definition.type === 'http' ? originOf(definition.url) : null;
  return JSON.stringify([name, scope, folder ?? null, to, id]);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

async function ask(server: ConfiguredServer, input: Input, signal: AbortSignal): Promise<string | undefined> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await answerTo(server, input, source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

async function answerTo(
  server: ConfiguredServer,
  input: Input,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const { id, type, description = id, options = [], default: value, password = false } = input;
  const title = vscode.l10n.t(
    'The MCP server {0} needs: {1}',
    shownName(server.name),
    onOneLine(description),
  );
  const kept = vscode.l10n.t("Stored in VS Code's secret storage and given only to this server.");
  if (type === 'pickString' && options.length > 0) {
    const items = options.map((option) => ({ label: onOneLine(option), option }));
    const shown = { title, placeHolder: kept, ignoreFocusOut: true };
    return (await vscode.window.showQuickPick(items, shown, token))?.option;
  }
  const box = {
    title,
    prompt: kept,
    password,
    ignoreFocusOut: true,
    // Hidden input cannot be reviewed before it is sent.
    ...(value !== undefined && !password && { value }),
  };
  return vscode.window.showInputBox(box, token);
}
