import * as vscode from 'vscode';
import { limits } from '../policy/limits';
import {
  SEVERITIES,
  type CodeSymbol,
  type Languages,
  type OutlinedSymbol,
  type Problem,
} from '../tools/workspace';
import { uriOf } from './files';

/** Problems and symbols as the extensions for languages give them to this window. */
export function createLanguages(): Languages {
  return {
    problems: async (file, signal) => {
      const isFresh = file !== undefined && (await lookAt(await uriOf(file), signal));
      const problems = vscode.languages
        .getDiagnostics()
        .filter(([uri]) => uri.scheme === 'file')
        .flatMap(([uri, diagnostics]) => diagnostics.map((each) => problemOf(uri, each)));
      return { problems, isFresh };
    },
    outline: async (file) => {
      const found = await vscode.commands.executeCommand<
        readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
      >('vscode.executeDocumentSymbolProvider', await uriOf(file));
      // What the command gives may be both at once; only a tree has children.
      return (found ?? []).flatMap((symbol) =>
        'children' in symbol ? outlined(symbol, 0) : [{ ...fromInformation(symbol), depth: 0 }],
      );
    },
    find: async (query) => {
      const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        query,
      );
      return (found ?? [])
        .filter(({ location }) => location.uri.scheme === 'file')
        .map((symbol) => ({ ...fromInformation(symbol), path: symbol.location.uri.fsPath }));
    },
  };
}

function problemOf(uri: vscode.Uri, { range, severity, message, source, code }: vscode.Diagnostic): Problem {
  const name = typeof code === 'object' ? code.value : code;
  return {
    path: uri.fsPath,
    line: range.start.line + 1,
    column: range.start.character + 1,
    // VS Code counts from the worst to the least, too.
    severity: SEVERITIES[severity],
    message,
    ...(source !== undefined && { source }),
    ...(name !== undefined && { code: String(name) }),
  };
}

/** Whether anything was said. Language services look at documents that are open, and it takes them a while. */
async function lookAt(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
  const quiet = untilQuiet(uri, signal);
  try {
    await vscode.workspace.openTextDocument(uri);
  } catch {
    // No text: then nothing is known but what somebody said about the file without it.
    return false;
  }
  return quiet;
}

/** Fulfilled when news about the file have come and no more follow, or after a while without any. */
function untilQuiet(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(most);
      clearTimeout(quiet);
      listening.dispose();
      signal.removeEventListener('abort', end);
      resolve(quiet !== undefined);
    };
    let quiet: NodeJS.Timeout | undefined;
    const most = setTimeout(end, limits.problemsSettleMs);
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((each) => each.toString() === uri.toString())) return;
      clearTimeout(quiet);
      quiet = setTimeout(end, limits.problemsQuietMs);
    });
    signal.addEventListener('abort', end, { once: true });
  });
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
