import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../../base/limits';
import type { ReadModel } from '../../../../models/imports/found-model';
import { CUSTOM_MODELS, OLLAMA_ENDPOINT, readModels } from '../../../../models/imports/read-models';
import { readCustomModels, readOllamaEndpoint } from '../../../../models/imports/vscode-endpoints';
import { readText, type FileProblem, type ReadText } from './read-text';

/** Models read from one location. */
export interface Source {
  /** Display name: `~/.continue/config.yaml`. */
  readonly fileName: string;
  readonly models: readonly ReadModel[];
  /** Why nothing could be read. */
  readonly problem?: FileProblem;
}

interface ProfilesFile {
  readonly file: vscode.Uri;
  /** Where Cline keeps the keys of its models. */
  readonly secrets?: vscode.Uri;
}

/** Where these programs store their models, if other programs can read it. `storage` is our global storage folder. */
export async function readUsualFiles(storage: vscode.Uri): Promise<readonly Source[]> {
  const files = usualFiles(storage);
  const profiles = await profilesOf(vscode.Uri.joinPath(storage, '../../profiles'));
  const read = await Promise.all([...files, ...profiles].map(readFound));
  return [...read.filter((source) => source !== undefined), ...settingsOfVsCode()];
}

/** Shown to the user before they are read. */
export const USUAL_FILES = '~/.continue, ~/.cline, Roo Code, VS Code';

function usualFiles(storage: vscode.Uri): readonly ProfilesFile[] {
  const home = vscode.Uri.file(homedir());
  const inHome = (...names: string[]): vscode.Uri => vscode.Uri.joinPath(home, ...names);
  const cline = inHome('.cline', 'data');
  const roo = vscode.workspace.getConfiguration().get<unknown>('roo-cline.autoImportSettingsPath');
  return [
    { file: inHome('.continue', 'config.yaml') },
    { file: inHome('.continue', 'config.json') },
    { file: vscode.Uri.joinPath(cline, 'settings', 'providers.json') },
    {
      file: vscode.Uri.joinPath(cline, 'globalState.json'),
      secrets: vscode.Uri.joinPath(cline, 'secrets.json'),
    },
    ...(typeof roo === 'string' && roo !== '' ? [{ file: vscode.Uri.file(absolute(roo)) }] : []),
    ...['Documents', 'Downloads'].map((folder) => ({ file: inHome(folder, 'roo-code-settings.json') })),
    { file: vscode.Uri.joinPath(storage, '../../chatLanguageModels.json') },
  ];
}

/** Roo Code resolves `~` and relative paths from the home folder. */
function absolute(given: string): string {
  return path.resolve(homedir(), given.replace(/^~(?=[\\/]|$)/, homedir()));
}

/** VS Code profiles except the default one. */
async function profilesOf(folder: vscode.Uri): Promise<readonly ProfilesFile[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .slice(0, 50)
      .map(([name]) => ({ file: vscode.Uri.joinPath(folder, name, 'chatLanguageModels.json') }));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}

function settingsOfVsCode(): readonly Source[] {
  const settings = vscode.workspace.getConfiguration();
  const own = (key: string): unknown => settings.inspect(key)?.globalValue;
  const models = [...readCustomModels(own(CUSTOM_MODELS)), ...readOllamaEndpoint(own(OLLAMA_ENDPOINT))];
  return models.length === 0 ? [] : [{ fileName: 'settings.json', models }];
}

/** Models of a file; nothing if it does not exist. */
async function readFound({ file, secrets }: ProfilesFile): Promise<Source | undefined> {
  const read = await readFile(file);
  if (read === undefined) return undefined;
  const fileName = nameOf(file);
  if ('problem' in read) return { fileName, models: [], problem: read.problem };
  const kept = secrets && (await readFile(secrets));
  const models = readModels(read.value, kept && 'value' in kept ? kept.value : undefined);
  return {
    fileName,
    models: models ?? [],
    ...(!models && { problem: { why: 'foreign' } as const }),
  };
}

/** A file that the user picked. */
export async function readPicked(file: vscode.Uri): Promise<Source> {
  return (await readFound({ file })) ?? { fileName: nameOf(file), models: [], problem: { why: 'closed' } };
}

async function readFile(file: vscode.Uri): Promise<ReadText | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if ((type & vscode.FileType.File) === 0) return undefined;
    if (size > limits.importFileBytes) return { problem: { why: 'large' } };
    const bytes = await vscode.workspace.fs.readFile(file);
    return readText(file.path, Buffer.from(bytes).toString());
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    if (error instanceof vscode.FileSystemError) return { problem: { why: 'closed' } };
    throw error;
  }
}

/** With `~` for the home folder. */
function nameOf(file: vscode.Uri): string {
  const home = homedir();
  const { fsPath } = file;
  return fsPath.startsWith(home + path.sep) ? `~${fsPath.slice(home.length).replaceAll('\\', '/')}` : fsPath;
}
