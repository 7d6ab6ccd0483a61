import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { DisposableStore } from '../../base/disposable';
import { settings, type SettingKey, type SettingValue } from '../../manifest/settings';
import { schemaMessage } from '../../manifest/schema-parts';
import { localFolders } from './local-folders';

/** Where a value is written. */
export type SettingsTarget = 'workspace' | 'user';

type UserListKey = 'approvals.allowCommands';

/** The only reader and writer of `parley.*` settings: typed, checked, and each from the scope that may decide it. */
export class SettingsStore implements vscode.Disposable {
  private readonly store = new DisposableStore();
  /** Values read since the last change: VS Code's lookup is slow, and the tree asks for each row. */
  private readonly known = new Map<string, unknown>();
  private readonly lastGood = new Map<SettingKey, unknown>();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.ConfigurationChangeEvent>());

  constructor() {
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('parley')) return;
        this.known.clear();
        this.changed.fire(event);
      }),
    );
  }

  /** The value in force. If the current value is invalid, the last valid one, so that a mistake loosens nothing. */
  get<Key extends SettingKey>(key: Key): SettingValue<Key> {
    // SAFETY: schema and default are registered under this key.
    return this.once(key, () => this.inForce(key)) as SettingValue<Key>;
  }

  /** A sentence for every invalid setting. */
  problems(): string[] {
    return keys().flatMap((key) => {
      const checked = check(key, this.raw(key));
      return checked.success ? [] : [problem(key, checked.error)];
    });
  }

  /** Fires when one of these settings may have changed. */
  onChange(watched: readonly SettingKey[], listener: () => void): vscode.Disposable {
    return this.changed.event((event) => {
      if (watched.some((key) => event.affectsConfiguration(`parley.${key}`))) listener();
    });
  }

  /** Where the user's choices for this window are saved: the workspace, or the user settings if none is open. */
  get choiceTarget(): SettingsTarget {
    return (vscode.workspace.workspaceFolders?.length ?? 0) > 0 ? 'workspace' : 'user';
  }

  /** The value written there, or at the given target. */
  chosen<Key extends SettingKey>(key: Key, target = this.choiceTarget): SettingValue<Key> | undefined {
    const look = (): unknown => {
      const found = inspect(key);
      const checked = check(key, target === 'workspace' ? found?.workspaceValue : found?.globalValue);
      return checked.success ? checked.data : undefined;
    };
    // SAFETY: the schema is registered under this key.
    return this.once(`${target} ${key}`, look) as SettingValue<Key> | undefined;
  }

  /** Writes there; `undefined` removes the entry. */
  async choose<Key extends SettingKey>(
    key: Key,
    value: SettingValue<Key> | undefined,
    target = this.choiceTarget,
  ): Promise<void> {
    const { Workspace, Global } = vscode.ConfigurationTarget;
    const configurationTarget = target === 'workspace' ? Workspace : Global;
    await vscode.workspace.getConfiguration('parley').update(key, value, configurationTarget);
  }

  /** Adds to one of the user's lists, whatever is open. Rejects if the current value is invalid. */
  async addForUser<Key extends UserListKey>(
    key: Key,
    entries: readonly SettingValue<Key>[number][],
  ): Promise<void> {
    const own = check(key, inspect(key)?.globalValue ?? []);
    if (!own.success) throw new Error(problem(key, own.error));
    // SAFETY: the schemas of these keys are lists.
    const list = [...new Set<unknown>([...(own.data as unknown[]), ...entries])];
    await vscode.workspace.getConfiguration('parley').update(key, list, vscode.ConfigurationTarget.Global);
  }

  /** Removes from one of the user's lists. Rejects if the current value is invalid. */
  async removeForUser(key: UserListKey, entry: string): Promise<void> {
    const own = check(key, inspect(key)?.globalValue ?? []);
    if (!own.success) throw new Error(problem(key, own.error));
    // SAFETY: the schemas of these keys are lists of texts.
    const list = (own.data as readonly string[]).filter((each) => each !== entry);
    await vscode.workspace.getConfiguration('parley').update(key, list, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.store.dispose();
  }

  private once(name: string, look: () => unknown): unknown {
    if (!this.known.has(name)) this.known.set(name, look());
    return this.known.get(name);
  }

  private inForce(key: SettingKey): unknown {
    const checked = check(key, this.raw(key));
    if (checked.success) this.lastGood.set(key, checked.data);
    return this.lastGood.has(key) ? this.lastGood.get(key) : settings[key].default;
  }

  private raw(key: SettingKey): unknown {
    const found = inspect(key);
    // A workspace never decides user-scoped settings.
    if (settings[key].scope === 'user') return found?.globalValue ?? found?.defaultValue;
    const value = vscode.workspace.getConfiguration('parley').get<unknown>(key);
    if (key !== 'approvals.denyCommands' && key !== 'approvals.secretFiles') return value;
    // A workspace may only add to denied commands and to secret files.
    const own = found?.globalValue ?? found?.defaultValue;
    return Array.isArray(own) && Array.isArray(value)
      ? [...new Set<unknown>([...(own as unknown[]), ...(value as unknown[])])]
      : value;
  }
}

function check(key: SettingKey, value: unknown): z.core.util.SafeParseResult<unknown> {
  return z.safeParse(settings[key].schema, value, { error: schemaMessage });
}

function keys(): SettingKey[] {
  // SAFETY: the keys of a literal object are those of its type.
  return Object.keys(settings) as SettingKey[];
}

function inspect(
  key: SettingKey,
): { globalValue?: unknown; workspaceValue?: unknown; defaultValue?: unknown } | undefined {
  return vscode.workspace.getConfiguration('parley').inspect<unknown>(key);
}

function problem(key: SettingKey, error: z.core.$ZodError): string {
  const [issue] = error.issues;
  const { path, message } = issue ?? { path: [], message: '' };
  if (path.length === 0) {
    const text = 'The setting "parley.{0}" is invalid: {1}. Fix it in the settings.';
    return vscode.l10n.t(text, key, message);
  }
  const text = 'The setting "parley.{0}" is invalid at {1}: {2}. Fix it in the settings.';
  return vscode.l10n.t(text, key, path.join('.'), message);
}

const SHOWN = 'ignoredSettings';

/**
 * Warns once if a workspace sets user-scoped settings. VS Code drops such values before they can be read, so the
 * files themselves are checked.
 */
export function registerIgnoredSettings(memory: vscode.Memento): vscode.Disposable {
  void tell(memory);
  return vscode.workspace.onDidChangeWorkspaceFolders(() => void tell(memory));
}

async function tell(memory: vscode.Memento): Promise<void> {
  const texts = await Promise.all(settingsFiles().map(readStart));
  const ignored = userKeys().filter((key) => texts.some((text) => text.includes(`"${key}"`)));
  const shown = ignored.join(' ');
  if (shown === '' || memory.get(SHOWN) === shown) return;
  // Before it is shown: a user who leaves it open has seen it too.
  await memory.update(SHOWN, shown);
  const open = vscode.l10n.t('Open User Settings');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'This workspace sets {0}, which Parley reads only from your user settings. The workspace values are ignored.',
      ignored.join(', '),
    ),
    open,
  );
  if (answer === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'parley');
}

function settingsFiles(): readonly vscode.Uri[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const ofFolders = localFolders(workspaceFolders).map(({ uri }) =>
    vscode.Uri.joinPath(uri, '.vscode', 'settings.json'),
  );
  return workspaceFile?.scheme === 'file' ? [...ofFolders, workspaceFile] : ofFolders;
}

/** Longer files are not settings; a missing file sets nothing. */
const LONGEST = 1024 * 1024;

async function readStart(file: vscode.Uri): Promise<string> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if (type !== vscode.FileType.File || size > LONGEST) return '';
    return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return '';
    throw error;
  }
}

function userKeys(): readonly string[] {
  return Object.entries(settings).flatMap(([key, { scope }]) => (scope === 'user' ? [`parley.${key}`] : []));
}
