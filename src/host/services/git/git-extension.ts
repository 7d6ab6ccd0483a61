import * as vscode from 'vscode';

/** What Parley uses of a repository of VS Code's built-in git extension (`extensions/git/src/api/git.d.ts`). */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    readonly mergeChanges: readonly GitChange[];
    /** Absent in versions that count them among the changes of the working tree. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  /** Reads the index and the working tree again. */
  status(): Promise<void>;
  /** Diff of a path between the index and the last commit. */
  diffIndexWithHEAD(path: string): Promise<string>;
  /** Diff of a path between the working tree and the index. */
  diffWithHEAD(path: string): Promise<string>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  readonly renameUri: vscode.Uri | undefined;
  /** A number of the API's enumeration. */
  readonly status: number;
}

/** `Status.UNTRACKED` of the API. */
export const UNTRACKED = 7;

interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** The repositories of this window; nothing if the extension is missing or turned off. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return [];
  const git = await extension.activate();
  try {
    return git.getAPI(1).repositories;
  } catch {
    // It throws while `git.enabled` is off.
    return [];
  }
}

/** The repository at this folder. */
export function repositoryAt(
  root: vscode.Uri,
  repositories: readonly GitRepository[],
): GitRepository | undefined {
  return repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
}
