import * as vscode from 'vscode';
import { createSurroundings, type OwnedSurroundings } from '../../../node/surroundings';
import type { FileImages } from '../../../tools/ports/files';
import type { Surroundings } from '../../../tools/ports/surroundings';
import { noticeText } from '../../../base/text';
import { sandboxSettings } from '../sandbox-settings';
import type { SettingsStore } from '../settings';
import { encodingSettings } from './encodings';
import { createEditorFiles } from './files';
import { createLanguages } from './languages';
import { terminalVariables } from './terminal-variables';
import { createEditorMoves } from './move-files';
import { virtualSurroundings } from './virtual-surroundings';
import { oncePerRule } from './once-per-rule';
import { windowFileAccess } from './window-files';

/** What the tools need in this window: open folders, rules of the settings, our programs. */
export function hostSurroundings(
  context: vscode.ExtensionContext,
  settings: SettingsStore,
  images: FileImages,
): OwnedSurroundings {
  const { virtual, ...access } = windowFileAccess({ context, settings });
  const surroundings = createSurroundings({
    ...access,
    commandRules: () => ({
      allow: settings.get('approvals.allowCommands'),
      deny: settings.get('approvals.denyCommands'),
    }),
    encodings: encodingSettings,
    setup: () => settings.get('commands.setup'),
    shell: () => settings.get('commands.shell'),
    variables: terminalVariables,
    vsCodeFolder: vscode.env.appRoot,
    wasmFolder: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath,
    images,
    isTrusted: () => vscode.workspace.isTrusted,
    // Nothing runs in a virtual file system.
    ...(!virtual && {
      sandbox: {
        settings: () => sandboxSettings(settings),
        stateFolder: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath,
      },
    }),
    logFolder: vscode.Uri.joinPath(context.globalStorageUri, 'commands').fsPath,
    tellsOfRule: oncePerRule(context.globalState),
    onSurvivors: (command, pids) => {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'These processes of "{0}" could not be ended: {1}. End them manually.',
          noticeText(command.slice(0, 80)),
          pids.join(', '),
        ),
      );
    },
  });
  const inEditor = virtual ? virtualSurroundings(virtual) : localInEditor(surroundings);
  return {
    ...surroundings,
    ...inEditor,
    dispose: () => {
      inEditor.languages.dispose();
      surroundings.dispose();
    },
  };
}

function localInEditor({ files: disk, sandbox }: OwnedSurroundings): Pick<Surroundings, 'files'> & {
  readonly languages: ReturnType<typeof createLanguages>;
} {
  const files = { ...createEditorFiles(disk), ...createEditorMoves(disk) };
  return {
    files: sandbox?.ownWrites.recording(files) ?? files,
    languages: createLanguages(),
  };
}
