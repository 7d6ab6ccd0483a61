import path from 'node:path';
import * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import { secretNamesOf } from '../../../node/files/agent-ignore-files';
import { holdsKey, isSecret, isSecretByContent } from '../../../policy/secrets';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import { UNTRACKED, type GitChange, type GitRepository } from './git-extension';

export interface ChangesParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly secrets: Pick<Secrets, 'learn' | 'redact'>;
}

/** Changes of a repository, as a model may read them: without secret files, and with stored keys redacted. */
export interface RepositoryChanges {
  /** Only staged changes count where there are any. */
  readonly isStaged: boolean;
  readonly files: readonly ChangedFile[];
  /** Secret files that are left out, relative to the repository. */
  readonly secretFiles: readonly string[];
}

export interface ChangedFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly diff: string;
}

/** Bytes of a new file that are read. */
const NEW_FILE = 256 * 1024;

/** The staged changes of a repository; all changes if nothing is staged. */
export async function readChanges(
  repository: GitRepository,
  { settings, secrets }: ChangesParts,
): Promise<RepositoryChanges> {
  await repository.status();
  // Keys may have been stored since the last run.
  await secrets.learn(settings.get('models'));
  const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = repository.state;
  const isStaged = indexChanges.length > 0;
  const all = isStaged ? indexChanges : [...mergeChanges, ...workingTreeChanges, ...untrackedChanges];
  const secretNames = (): readonly string[] => settings.get('approvals.secretFiles');
  const added = secretNamesOf({ roots: [repository.rootUri.fsPath], secretNames });
  const names = { platform: process.platform === 'win32' ? 'win32' : 'posix', added } as const;
  const files: ChangedFile[] = [];
  const secretFiles: string[] = [];
  for (const change of distinct(all)) {
    const shown = relative(repository, change.uri);
    const paths = [change.uri, change.originalUri, change.renameUri ?? change.uri].map((uri) => uri.fsPath);
    const wholes = paths.map((each) => each.replaceAll('\\', '/'));
    if (wholes.some((each) => isSecret(each, names))) {
      secretFiles.push(shown);
      continue;
    }
    const diff = await diffOf(change, { repository, isStaged });
    if (wholes.some(isSecretByContent) && holdsKey(withoutMarks(diff))) secretFiles.push(shown);
    else files.push({ path: shown, diff: secrets.redact(visibleText(diff)) });
  }
  return { isStaged, files, secretFiles };
}

function distinct(changes: readonly GitChange[]): readonly GitChange[] {
  return [...new Map(changes.map((change) => [change.uri.toString(), change])).values()];
}

function relative({ rootUri }: GitRepository, uri: vscode.Uri): string {
  return visibleText(path.posix.relative(rootUri.path, uri.path));
}

/** The lines of a file, for the patterns of keys that begin a line. */
function withoutMarks(diff: string): string {
  return diff.replace(/^[ +-]/gm, '');
}

async function diffOf(
  { uri, status }: GitChange,
  { repository, isStaged }: { readonly repository: GitRepository; readonly isStaged: boolean },
): Promise<string> {
  if (isStaged) return repository.diffIndexWithHEAD(uri.fsPath);
  if (status !== UNTRACKED) return repository.diffWithHEAD(uri.fsPath);
  return newFileDiff(relative(repository, uri), uri);
}

/** git shows nothing of a file that it does not know. */
async function newFileDiff(shown: string, uri: vscode.Uri): Promise<string> {
  const head = `new file ${shown}`;
  // A link is not followed: it may lead out of the repository, or to a secret file.
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if (type !== vscode.FileType.File || size > NEW_FILE) return `${head}\n`;
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (bytes.includes(0)) return `${head} (binary)\n`;
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  return [head, ...lines.map((line) => `+${line}`)].join('\n');
}
