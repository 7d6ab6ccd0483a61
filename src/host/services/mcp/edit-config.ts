import { applyEdits, findNodeAtLocation, modify, parseTree, type ParseError } from 'jsonc-parser';
import * as vscode from 'vscode';
import { isJsonList, type JsonObject } from '../../../base/json';
import type { SettingsStore } from '../../platform/settings';
import { splitCommandLine } from './shown-definition';
import { CONFIG_FILE, configFiles, exists } from './config-files';

const EXAMPLE = `{
  // Servers that speak the Model Context Protocol. Each is started only after you have approved it.
  "mcpServers": {
    // "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${workspaceFolder}"] },
    // "search": { "type": "http", "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer \${input:key}" } }
  },
  // Values for \${input:ID} are asked for once and stored in the secret storage.
  "inputs": [
    // { "id": "key", "type": "promptString", "description": "Key for the search server", "password": true }
  ]
}
`;

/** Opens the definition of a server: the workspace file, or the user settings. */
export async function openConfig(server?: string, location?: vscode.Location): Promise<void> {
  if (location) {
    await vscode.window.showTextDocument(location.uri, { selection: location.range });
    return;
  }
  if (server !== undefined || configFiles().length === 0) return openUserSettings();
  const file = await pickFile();
  if (!file) return;
  await createIfMissing(file, EXAMPLE);
  await vscode.window.showTextDocument(file);
}

/**
 * Asks for a server in a few steps and saves it in the workspace or the user's settings. Returns its name; nothing if
 * the user cancels.
 */
export async function addServer(settings: SettingsStore): Promise<string | undefined> {
  const definition = await askForDefinition();
  if (!definition) return undefined;
  const file = await askWhere();
  if (file === undefined) return undefined;
  if (file !== 'user' && (await isBroken(file))) {
    await vscode.window.showTextDocument(file);
    const text = vscode.l10n.t('{0} is not valid JSON, so nothing was added. Fix it first.', CONFIG_FILE);
    void vscode.window.showErrorMessage(text);
    return undefined;
  }
  const taken = file === 'user' ? namesInSettings(settings) : await namesIn(file);
  const name = await askForName(definition, taken);
  if (name === undefined) return undefined;
  if (file === 'user') {
    const own = settings.get('mcp.servers');
    await settings.choose('mcp.servers', { ...(isObject(own) ? own : {}), [name]: definition }, 'user');
  } else await writeInto(file, name, definition);
  return name;
}

const SAMPLE = { url: 'https://example.com/mcp', command: 'npx -y @modelcontextprotocol/server-everything' };
const SETTING = 'parley.mcp.servers';

async function askForDefinition(): Promise<JsonObject | undefined> {
  const program = {
    label: vscode.l10n.t('Command (stdio)'),
    detail: vscode.l10n.t('Start a program on this machine'),
  };
  const address = {
    label: vscode.l10n.t('HTTP'),
    detail: vscode.l10n.t('Connect to a Streamable HTTP server'),
  };
  const title = vscode.l10n.t('Add MCP Server');
  const kind = await vscode.window.showQuickPick([program, address], { title });
  if (kind === address) {
    const url = await vscode.window.showInputBox({
      title,
      prompt: vscode.l10n.t('URL of the server'),
      placeHolder: SAMPLE.url,
      ignoreFocusOut: true,
      validateInput: (text) =>
        /^https?:\/\//.test(text) && URL.canParse(text)
          ? undefined
          : vscode.l10n.t('The URL must begin with http:// or https://.'),
    });
    return url === undefined ? undefined : { type: 'http', url };
  }
  if (kind !== program) return undefined;
  const line = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Command and arguments'),
    placeHolder: SAMPLE.command,
    ignoreFocusOut: true,
    validateInput: (text) =>
      splitCommandLine(text).length > 0
        ? undefined
        : vscode.l10n.t('Enter the command that starts the server.'),
  });
  const [command, ...args] = splitCommandLine(line ?? '');
  return command === undefined ? undefined : { type: 'stdio', command, args };
}

async function askWhere(): Promise<vscode.Uri | 'user' | undefined> {
  const files = configFiles().map((uri) => ({
    label: vscode.l10n.t('Workspace'),
    description: vscode.workspace.asRelativePath(uri),
    detail: vscode.l10n.t(
      'Shared with everyone who opens this workspace; each user approves it before it starts',
    ),
    to: uri,
  }));
  const user = {
    label: vscode.l10n.t('User settings'),
    description: SETTING,
    detail: vscode.l10n.t('Available in all your workspaces'),
    to: 'user' as const,
  };
  const title = vscode.l10n.t('Where should the server be saved?');
  return (await vscode.window.showQuickPick([...files, user], { title }))?.to;
}

function askForName(definition: JsonObject, taken: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Add MCP Server'),
    prompt: vscode.l10n.t('Name of the server. The names of its tools begin with it.'),
    value: suggestedName(definition),
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (!/^[\w-]{1,40}$/.test(text))
        return vscode.l10n.t('A name has 1 to 40 letters, digits, hyphens and underscores.');
      return taken.includes(text)
        ? vscode.l10n.t('A server with this name already exists. Choose another name.')
        : undefined;
    },
  });
}

/** `npx -y @acme/server-files` → `files`; `https://mcp.example.com/mcp` → `example`. */
function suggestedName({ url, command, args = [] }: JsonObject): string {
  if (typeof url === 'string') return new URL(url).hostname.split('.').at(-2) ?? 'server';
  const words = [command ?? '', ...(isJsonList(args) ? args : [])].filter((word) => typeof word === 'string');
  const named = words.find((word, at) => at > 0 && !word.startsWith('-')) ?? words[0] ?? '';
  const last = /([^/\\]+?)(?:\.\w+)?$/.exec(named.replace(/@[\d.]+$/, ''))?.[1] ?? '';
  return last.replace(/^(?:mcp-)?server-|-mcp$/g, '').replace(/[^\w-]+/g, '-') || 'server';
}

async function writeInto(file: vscode.Uri, name: string, definition: JsonObject): Promise<void> {
  await createIfMissing(file, '{\n  "mcpServers": {}\n}\n');
  const document = await vscode.workspace.openTextDocument(file);
  const before = document.getText();
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: before.includes('\r\n') ? '\r\n' : '\n' };
  const text = applyEdits(before, modify(before, [keyOf(before), name], definition, { formattingOptions }));
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(document.positionAt(0), document.positionAt(before.length)), text);
  await vscode.workspace.applyEdit(edit);
  // Unsaved changes of the user are not saved.
  if (!wasDirty) await document.save();
  const editor = await vscode.window.showTextDocument(document);
  const at = findNodeAtLocation(parseTree(text) ?? EMPTY, [keyOf(text), name]);
  if (at)
    editor.revealRange(new vscode.Range(document.positionAt(at.offset), document.positionAt(at.offset)));
}

const EMPTY = { type: 'null', offset: 0, length: 0 } as const;

/** Some files use the key of VS Code's own format. */
function keyOf(text: string): string {
  const root = parseTree(text) ?? EMPTY;
  const has = (key: string): boolean => findNodeAtLocation(root, [key]) !== undefined;
  return !has('mcpServers') && has('servers') ? 'servers' : 'mcpServers';
}

async function isBroken(file: vscode.Uri): Promise<boolean> {
  if (!(await exists(file))) return false;
  const errors: ParseError[] = [];
  const text = (await vscode.workspace.openTextDocument(file)).getText();
  return parseTree(text, errors, { allowTrailingComma: true })?.type !== 'object' || errors.length > 0;
}

async function namesIn(file: vscode.Uri): Promise<readonly string[]> {
  if (!(await exists(file))) return [];
  const text = (await vscode.workspace.openTextDocument(file)).getText();
  const servers = findNodeAtLocation(parseTree(text) ?? EMPTY, [keyOf(text)]);
  return (servers?.children ?? []).map(({ children: [name] = [] }) => String(name?.value));
}

function namesInSettings(settings: SettingsStore): readonly string[] {
  const own = settings.get('mcp.servers');
  return isObject(own) ? Object.keys(own) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Nothing if the user cancels. */
async function pickFile(): Promise<vscode.Uri | undefined> {
  const [first, ...others] = configFiles();
  if (!first || others.length === 0) return first;
  const items = [first, ...others].map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Select a folder') }))?.uri;
}

async function openUserSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: SETTING, edit: true },
  });
}

async function createIfMissing(file: vscode.Uri, text: string): Promise<void> {
  if (!(await exists(file))) await vscode.workspace.fs.writeFile(file, Buffer.from(text));
}
