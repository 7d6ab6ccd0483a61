import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { ToolError } from '../../../core/words/tool';
import {
  SEVERITIES,
  type CodeSymbol,
  type Languages,
  type OutlinedSymbol,
  type Problem,
  type TextSpot,
} from '../../../tools/ports/languages';
import { localResources, type Resources } from './resources';

/** Problems and symbols from the language extensions of this window. */
export function createLanguages({ uriOf, pathOf }: Resources = localResources): Languages &
  vscode.Disposable {
  const services = new LanguageServices();
  const knownProblems = (): readonly Problem[] =>
    vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
      const path = pathOf(uri);
      return path === undefined ? [] : diagnostics.map((each) => problemOf(path, each));
    });
  return {
    dispose: () => services.dispose(),
    problems: async (file, signal) => {
      const isFresh =
        file !== undefined && (await services.look(await uriOf(file), limits.problemsSettleMs, signal));
      return { problems: knownProblems(), isFresh };
    },
    aroundChange: async (file, change, signal) => {
      const uri = await uriOf(file);
      const haveSpoken = services.haveSpokenAbout(uri);
      const isUnseen = !isOpen(uri) && (await exists(uri));
      const wasLookedAt =
        !isUnseen || (await services.look(uri, services.patienceFor(uri), signal)) || haveSpoken;
      const before = knownProblems();
      const result = await change();
      // Results that arrive during a change may still describe the old text.
      const news = new News(uri);
      try {
        await opened(uri);
        const isFresh = await services.heard(news, services.patienceFor(uri), signal);
        return { result, ...(wasLookedAt && { before }), after: { problems: knownProblems(), isFresh } };
      } finally {
        news.dispose();
      }
    },
    outline: async (file) => {
      const found = await vscode.commands.executeCommand<
        readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
      >('vscode.executeDocumentSymbolProvider', await uriOf(file));
      // The command may return both kinds at once; only a tree has children.
      return (found ?? []).flatMap((symbol) =>
        'children' in symbol ? outlined(symbol, 0) : [{ ...fromInformation(symbol), depth: 0 }],
      );
    },
    find: async (query) => {
      const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        query,
      );
      return (found ?? []).flatMap((symbol) => {
        const path = pathOf(symbol.location.uri);
        return path === undefined ? [] : [{ ...fromInformation(symbol), path }];
      });
    },
    references: async (file, spot) => {
      const uri = await uriOf(file);
      // Language services know open files.
      await opened(uri);
      const found = await vscode.commands.executeCommand<readonly vscode.Location[] | undefined>(
        'vscode.executeReferenceProvider',
        uri,
        positionOf(spot),
      );
      return (found ?? []).flatMap(({ uri: other, range }) => {
        const path = pathOf(other);
        return path === undefined ? [] : [{ path, ...spotOf(range.start) }];
      });
    },
    rename: async (file, spot, newName) => {
      const uri = await uriOf(file);
      await opened(uri);
      const edit = await renameEdit(uri, positionOf(spot), newName);
      const changes = edit?.entries() ?? [];
      // Effects besides text edits are not among the entries.
      if (edit && edit.size > changes.length)
        throw new ToolError('The rename would also move or delete files. Do it by move_path and edit_file.');
      return changes
        .filter(([, edits]) => edits.length > 0)
        .map(([other, edits]) => {
          const path = pathOf(other);
          if (path === undefined)
            throw new ToolError(
              'The rename would change a file that is elsewhere. Use search_text and edit_file.',
            );
          return {
            path,
            edits: edits.map(({ range, newText }) => ({
              start: spotOf(range.start),
              end: spotOf(range.end),
              text: newText,
            })),
          };
        });
    },
  };
}

/** A service that cannot rename reports why with an error; so does the editor without a service. */
async function renameEdit(
  uri: vscode.Uri,
  position: vscode.Position,
  newName: string,
): Promise<vscode.WorkspaceEdit | undefined> {
  const command = 'vscode.executeDocumentRenameProvider';
  try {
    return await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
      command,
      uri,
      position,
      newName,
    );
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.?$/, '') : '';
    // The second is an assertion inside VS Code: of a document that it has just let go, for example.
    if (why === '' || /no result|^unexpected type$/i.test(why)) return undefined;
    throw new ToolError(`It cannot be renamed: ${why}. Use search_text and edit_file.`, { cause: error });
  }
}

function positionOf({ line, column }: TextSpot): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}

function spotOf({ line, character }: vscode.Position): TextSpot {
  return { line: line + 1, column: character + 1 };
}

function problemOf(path: string, { range, severity, message, source, code }: vscode.Diagnostic): Problem {
  const name = typeof code === 'object' ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    // VS Code counts from the worst to the least, too.
    severity: SEVERITIES[severity],
    message,
    ...(source !== undefined && { source }),
    ...(name !== undefined && { code: String(name) }),
  };
}

/** What is known of the language services of this window: which files they report on. */
class LanguageServices implements vscode.Disposable {
  /** File extensions. */
  private readonly spokenAbout = new Set<string>();
  /** Extensions for which nothing was reported during the last wait. */
  private readonly silentAbout = new Set<string>();
  private readonly listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      // Ignores empty reports about closed files: the TypeScript service sends one for every file it closes.
      if (!isOpen(uri) && vscode.languages.getDiagnostics(uri).length === 0) continue;
      this.spokenAbout.add(kindOf(uri));
      this.silentAbout.delete(kindOf(uri));
    }
  });

  /** Whether any service has ever reported on a file of this kind. */
  haveSpokenAbout(uri: vscode.Uri): boolean {
    return this.spokenAbout.has(kindOf(uri));
  }

  /** Milliseconds to wait for reports after a change of a file: less after each wait without any. */
  patienceFor(uri: vscode.Uri): number {
    const { newProblemsSettleMs, newProblemsDoubtMs } = limits;
    const isSilent = this.silentAbout.has(kindOf(uri));
    if (this.haveSpokenAbout(uri)) return isSilent ? newProblemsDoubtMs : newProblemsSettleMs;
    return isSilent ? 0 : newProblemsDoubtMs;
  }

  /** Whether anything was reported within this many milliseconds. */
  async heard(news: News, most: number, signal: AbortSignal): Promise<boolean> {
    const isFresh = await news.settled(most, signal);
    if (!isFresh && !signal.aborted) this.silentAbout.add(kindOf(news.uri));
    return isFresh;
  }

  /** Whether anything was reported. Services check open documents, which takes a while. */
  async look(uri: vscode.Uri, most: number, signal: AbortSignal): Promise<boolean> {
    const news = new News(uri);
    try {
      // Not text: then the only reports are those made without opening the file.
      return (await opened(uri)) && (await this.heard(news, most, signal));
    } finally {
      news.dispose();
    }
  }

  dispose(): void {
    this.listening.dispose();
  }
}

/** Listens to reports about one file from now on. */
class News implements vscode.Disposable {
  private hasCome = false;
  private readonly listening: vscode.Disposable;
  private onNews: () => void = () => undefined;

  constructor(readonly uri: vscode.Uri) {
    const name = uri.toString();
    this.listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((each) => each.toString() === name)) return;
      this.hasCome = true;
      this.onNews();
    });
  }

  /**
   * Resolves when reports have arrived and no more follow, or after a while without any. Returns whether there were
   * any.
   */
  settled(most: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(late);
        clearTimeout(quiet);
        this.onNews = () => undefined;
        signal.removeEventListener('abort', end);
        resolve(this.hasCome);
      };
      const late = setTimeout(end, most);
      let quiet: NodeJS.Timeout | undefined;
      const wait = (): void => {
        clearTimeout(quiet);
        quiet = setTimeout(end, limits.problemsQuietMs);
      };
      this.onNews = wait;
      if (this.hasCome) wait();
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }

  dispose(): void {
    this.listening.dispose();
  }
}

/** The extension of its name. */
function kindOf(uri: vscode.Uri): string {
  return path.extname(uri.path);
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** `false` for what is not text. */
async function opened(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.openTextDocument(uri).then(
    () => true,
    () => false,
  );
}

function outlined(symbol: vscode.DocumentSymbol, depth: number): readonly OutlinedSymbol[] {
  const { name, kind, range } = symbol;
  return [
    { ...linesOf(range), kind: wordFor(kind), name, depth },
    ...symbol.children.flatMap((child) => outlined(child, depth + 1)),
  ];
}

function fromInformation({ name, kind, location, containerName }: vscode.SymbolInformation): CodeSymbol {
  return { ...linesOf(location.range), kind: wordFor(kind), name, container: containerName };
}

function linesOf({ start, end }: vscode.Range): Pick<CodeSymbol, 'line' | 'endLine'> {
  return { line: start.line + 1, endLine: end.line + 1 };
}

/** `EnumMember` as `enum member`. */
function wordFor(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}
