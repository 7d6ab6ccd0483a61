import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { SandboxStatus } from '../../../node/sandbox/probe';
import type { SandboxSettings } from '../../../node/sandbox/settings';
import type { WindowTools } from '../../services/tools/window-tools';
import type { Output } from '../../platform/output';
import type { SettingsStore } from '../../platform/settings';
import { translated } from '../../platform/translated';
import { sandboxSettings } from '../../platform/sandbox-settings';

interface StatusParts {
  readonly settings: SettingsStore;
  readonly tools: Pick<WindowTools, 'sandbox'>;
  readonly output: Pick<Output, 'error'>;
}

interface StatusRow extends vscode.QuickPickItem {
  /** Under `parley.sandbox`. */
  readonly setting?: keyof typeof KEYS;
  readonly change?: SettingChange;
}

/** The effect of a row on its setting. */
interface SettingChange {
  /** Confirmed in a dialog if commands may do more afterwards. */
  readonly question?: { readonly text: string; readonly detail: string; readonly yes: string };
  readonly make: () => Promise<void>;
}

/** Milliseconds in which a key was meant for the previous focus. */
const ARMING_MS = 500;

const KEYS = {
  enabled: 'parley.sandbox.enabled',
  runUnasked: 'parley.sandbox.runUnasked',
  readPaths: 'parley.sandbox.readPaths',
  writePaths: 'parley.sandbox.writePaths',
  allowedDomains: 'parley.sandbox.allowedDomains',
  git: 'parley.sandbox.git',
  outsideCommands: 'parley.sandbox.outsideCommands',
} as const;

/** Whether the sandbox works, once known; `none` if no command can run at all. */
type Found = SandboxStatus | 'none' | undefined;

/** Permissions of sandboxed commands, as a list whose rows lead to their settings. */
export async function showSandboxStatus({ settings, tools, output }: StatusParts): Promise<void> {
  const store = new DisposableStore();
  const list = store.add(vscode.window.createQuickPick<StatusRow>());
  list.title = vscode.l10n.t('Sandbox Status');
  list.placeholder = vscode.l10n.t('Select a row to change it');
  list.matchOnDetail = true;
  list.matchOnDescription = true;
  list.keepScrollPosition = true;
  // The list stays open behind the dialogs of its rows.
  list.ignoreFocusOut = true;
  const openSettings: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('gear'),
    tooltip: vscode.l10n.t('Open Settings'),
  };
  list.buttons = [openSettings];
  let found: Found = undefined;
  let armedAt = Infinity;
  const arm = (): void => void (armedAt = Date.now() + ARMING_MS);
  const show = (): void => {
    const at = list.items.findIndex((row) => row === list.activeItems[0]);
    list.items = rows(settings, found);
    list.activeItems = list.items.slice(at, at + 1);
  };
  const failed = (error: unknown): void => {
    output.error(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('Something went wrong. See the log for details.'));
  };
  const open = (query: string): void => {
    list.hide();
    void vscode.commands.executeCommand('workbench.action.openSettings', query);
  };
  store.add(
    list.onDidAccept(() => {
      const [row] = list.selectedItems;
      if (Date.now() < armedAt) {
        // VS Code does not report a second pick of the same row.
        show();
      } else if (row?.change) {
        armedAt = Infinity;
        void change(row.change).then(show).catch(failed).finally(arm);
      } else if (row?.setting) open(KEYS[row.setting]);
    }),
  );
  store.add(list.onDidTriggerButton(() => open('parley.sandbox')));
  const closed = new Promise<void>((resolve) => store.add(list.onDidHide(() => resolve())));
  show();
  list.show();
  arm();
  list.busy = true;
  // A missing package may have been installed meanwhile.
  found = (await (await tools.sandbox())?.tryAgain()) ?? 'none';
  list.busy = false;
  show();
  await closed;
  store.dispose();
}

async function change({ question, make }: SettingChange): Promise<void> {
  if (question) {
    const { text, detail, yes } = question;
    const answer = await vscode.window.showWarningMessage(text, { modal: true, detail }, yes);
    if (answer !== yes) return;
  }
  await make();
}

function rows(store: SettingsStore, found: Found): readonly StatusRow[] {
  const settings = sandboxSettings(store);
  const separator = (label: string): StatusRow => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    switchRow(settings, found, () =>
      store.choose('sandbox.enabled', settings.isEnabled ? 'off' : 'on', 'user'),
    ),
    unaskedRow(settings, () => store.choose('sandbox.runUnasked', !settings.runUnasked, 'user')),
    separator(vscode.l10n.t('Permissions of sandboxed commands')),
    {
      ...row('readPaths', vscode.l10n.t('Read')),
      detail: withMore(
        vscode.l10n.t(
          'The system, programs on the PATH and the workspace, but no secret files or home folders',
        ),
        settings.readPaths,
      ),
    },
    {
      ...row('writePaths', vscode.l10n.t('Write')),
      detail: withMore(vscode.l10n.t('Workspace folders, except protected files'), settings.writePaths),
    },
    {
      ...row('allowedDomains', vscode.l10n.t('Reach')),
      detail:
        settings.allowedDomains.length === 0
          ? vscode.l10n.t('No network')
          : vscode.l10n.t('These sites: {0}', settings.allowedDomains.join(', ')),
    },
    {
      ...row('git', vscode.l10n.t('Repository')),
      detail:
        settings.git === 'read'
          ? vscode.l10n.t('Read it; commands such as commit ask to run outside the sandbox')
          : vscode.l10n.t('Change it, except hooks and settings'),
    },
    separator(vscode.l10n.t('Runs outside the sandbox')),
    {
      ...row('outsideCommands', vscode.l10n.t('Without asking')),
      detail:
        settings.outsideCommands.length === 0
          ? vscode.l10n.t('Nothing. Commands that cannot work in the sandbox ask.')
          : vscode.l10n.t('Commands that begin with: {0}', settings.outsideCommands.join(', ')),
    },
  ];
}

function row(setting: keyof typeof KEYS, label: string): StatusRow {
  return { label, description: KEYS[setting], setting };
}

function switchRow({ isEnabled }: SandboxSettings, found: Found, make: SettingChange['make']): StatusRow {
  const label = isEnabled ? vscode.l10n.t('The sandbox is on') : vscode.l10n.t('The sandbox is off');
  return {
    ...row('enabled', `${isEnabled ? '$(shield)' : '$(circle-slash)'} ${label}`),
    detail: stateOf(isEnabled, found),
    change: {
      make,
      ...(isEnabled && {
        question: {
          text: vscode.l10n.t('Turn the sandbox off?'),
          detail: vscode.l10n.t('Commands then run with your full permissions.'),
          yes: vscode.l10n.t('Turn Off'),
        },
      }),
    },
  };
}

function stateOf(isEnabled: boolean, found: Found): string {
  if (found === undefined) return vscode.l10n.t('Checking whether the sandbox works here…');
  if (found === 'none') return vscode.l10n.t('Commands cannot run in this window.');
  if (!found.works) {
    const reason = translated(found.reason);
    return isEnabled
      ? vscode.l10n.t('The sandbox does not work here, so commands ask as if it were off. {0}', reason)
      : vscode.l10n.t('The sandbox does not work here. {0}', reason);
  }
  return isEnabled
    ? vscode.l10n.t('Commands run in the sandbox. Select to turn it off.')
    : vscode.l10n.t('The sandbox works here. Select to turn it on.');
}

function unaskedRow({ runUnasked }: SandboxSettings, make: SettingChange['make']): StatusRow {
  if (runUnasked)
    return {
      ...row('runUnasked', `$(play) ${vscode.l10n.t('Sandboxed commands run without asking')}`),
      detail: vscode.l10n.t('Denied commands are still refused. Select to make the others ask.'),
      change: { make },
    };
  return {
    ...row('runUnasked', `$(question) ${vscode.l10n.t('Sandboxed commands ask')}`),
    detail: vscode.l10n.t(
      'Your rules apply as without the sandbox. Select to let commands run without asking.',
    ),
    change: {
      make,
      question: {
        text: vscode.l10n.t('Let sandboxed commands run without asking?'),
        detail: vscode.l10n.t(
          'The sandbox does not protect the files in this workspace, or programs you later run from it.',
        ),
        yes: vscode.l10n.t('Run Without Asking'),
      },
    },
  };
}

function withMore(usual: string, more: readonly string[]): string {
  return more.length === 0 ? usual : vscode.l10n.t('{0}; also {1}', usual, more.join(', '));
}
