import * as vscode from 'vscode';
import { localFolders } from '../../platform/local-folders';
import { shownName, shownProblem, type ConfigProblemRow } from './shown-server';

/** Where MCP servers of a workspace are defined, in each of its folders. */
export const CONFIG_FILE = '.mcp.json';

/** In the order of the folders; they may not exist. */
export function configFiles(): readonly vscode.Uri[] {
  return localFolders(vscode.workspace.workspaceFolders ?? []).map(({ uri }) =>
    vscode.Uri.joinPath(uri, CONFIG_FILE),
  );
}

export async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}

/** A server of a file that could not be started. */
interface FailedServer {
  readonly name: string;
  /** In English. */
  readonly problem: string;
  readonly location: vscode.Location;
}

/** Shows problems of workspace servers in the Problems view. */
export class ConfigProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('parley-mcp');

  show(problems: readonly ConfigProblemRow[], failed: readonly FailedServer[]): void {
    const byFile = new Map<string, { readonly uri: vscode.Uri; readonly found: vscode.Diagnostic[] }>();
    const add = ({ uri, range }: vscode.Location, diagnostic: vscode.Diagnostic): void => {
      const file = byFile.get(uri.toString()) ?? { uri, found: [] };
      diagnostic.source = 'Parley';
      diagnostic.range = range;
      file.found.push(diagnostic);
      byFile.set(uri.toString(), file);
    };
    const { Error, Warning } = vscode.DiagnosticSeverity;
    for (const { configProblem, location } of problems) {
      if (location) add(location, new vscode.Diagnostic(location.range, configProblem, Error));
    }
    for (const { name, problem, location } of failed) {
      const text = vscode.l10n.t(
        'The MCP server {0} is not running: {1}',
        shownName(name),
        shownProblem(problem),
      );
      add(location, new vscode.Diagnostic(location.range, text, Warning));
    }
    this.collection.clear();
    for (const { uri, found } of byFile.values()) this.collection.set(uri, found);
  }

  dispose(): void {
    this.collection.dispose();
  }
}
