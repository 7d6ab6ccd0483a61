import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { visibleText } from '../../../base/text';
import { ToolError } from '../../../core/words/tool';
import {
  readConfig,
  readSetting,
  type ConfigProblem,
  type ReadConfig,
  type FileSpan,
} from '../../../mcp/config-file';
import type { ConfiguredServer } from '../../../mcp/definition';
import { usedInputs, usesFolder } from '../../../mcp/variables';
import { readRegularFile } from '../../../node/files/regular-file';
import { localFolders } from '../../platform/local-folders';
import { translated } from '../../platform/translated';
import { CONFIG_FILE } from './config-files';
import { shownName, type ConfigProblemRow } from './shown-server';

interface FoundServer {
  readonly configured: ConfiguredServer;
  /** Its file; absent for the settings. */
  readonly location?: vscode.Location;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  readonly problems: readonly ConfigProblemRow[];
}

/** Finds servers in the user's settings and in workspace files. If two have the same name, the first one counts. */
export async function findMcpServers(setting: unknown): Promise<FoundServers> {
  const folders = localFolders(vscode.workspace.workspaceFolders ?? []);
  const found = [serversOfUser(setting, folders[0]), ...(await Promise.all(folders.map(serversOfFolder)))];
  const servers = new Map<string, FoundServer>();
  const leftOut: ConfigProblemRow[] = [];
  for (const server of found.flatMap((each) => each.servers)) {
    const { name } = server.configured;
    const leaveOut = (text: string): void => {
      leftOut.push({ configProblem: text, ...(server.location && { location: server.location }) });
    };
    const shown = shownName(name);
    if (servers.has(name)) {
      const text =
        'The MCP server "{0}" is ignored because another server has the same name, in your settings or in another folder. Rename one of them.';
      leaveOut(vscode.l10n.t(text, shown));
    } else if (servers.size >= limits.mcpServers) {
      const text = 'The MCP server "{0}" is ignored because there are more than {1}. Remove some.';
      leaveOut(vscode.l10n.t(text, shown, limits.mcpServers));
    } else servers.set(name, server);
  }
  const rows = firstOf(leftOut, (configProblem, next) => ({ ...next, configProblem }));
  return {
    servers: [...servers.values()],
    problems: [...found.flatMap(({ problems }) => problems), ...rows],
  };
}

function serversOfUser(setting: unknown, folder: vscode.WorkspaceFolder | undefined): FoundServers {
  const { servers, problems } = readSetting(setting);
  return {
    servers: servers.map(({ name, definition, options }) => ({
      configured: {
        name,
        definition,
        ...(options && { options }),
        scope: 'user',
        // Otherwise it is the same server everywhere: approved once, and run where no workspace can affect it.
        ...(folder && usesFolder(definition) && { folder: folder.uri.fsPath }),
        ...usedInputs(definition),
      },
    })),
    problems: shownFirst(problems).map(({ problem }) => ({
      configProblem: vscode.l10n.t('"parley.mcp.servers": {0}', problem),
    })),
  };
}

async function serversOfFolder(folder: vscode.WorkspaceFolder): Promise<FoundServers> {
  const text = await readText(folder);
  if (text === undefined) return { servers: [], problems: [] };
  const uri = vscode.Uri.joinPath(folder.uri, CONFIG_FILE);
  const { servers, inputs, problems }: ReadConfig =
    typeof text === 'string'
      ? readConfig(text)
      : { servers: [], inputs: [], problems: [{ problem: text.problem, at: { offset: 0, length: 1 } }] };
  const starts = lineStarts(typeof text === 'string' ? text : '');
  const locationOf = (at: FileSpan): vscode.Location => new vscode.Location(uri, rangeOf(starts, at));
  return {
    servers: servers.map(({ name, definition, options, at }) => ({
      configured: {
        ...(options && { options }),
        ...{ name, definition, scope: 'workspace', folder: folder.uri.fsPath },
        ...usedInputs(definition, inputs),
      },
      location: locationOf(at),
    })),
    problems: shownFirst(problems).map(({ problem, at }) => ({
      configProblem: vscode.l10n.t('{0}: {1}', CONFIG_FILE, problem),
      location: locationOf(at),
    })),
  };
}

function shownFirst(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return firstOf(problems, (problem, { at }) => ({ problem, at })).map(({ problem, at }) => ({
    problem: visibleText(translated(problem)),
    at,
  }));
}

/** As many as anyone reads, then a count of the others at the position of the next. */
function firstOf<T>(all: readonly T[], counting: (text: string, next: T) => T): readonly T[] {
  const shown = all.slice(0, limits.mcpConfigProblems);
  const next = all[limits.mcpConfigProblems];
  if (next === undefined) return shown;
  const text = vscode.l10n.t('And {0} more. Fix these first.', all.length - shown.length);
  return [...shown, counting(text, next)];
}

/** Nothing if there is no file, a problem if it cannot be read. */
async function readText(
  folder: vscode.WorkspaceFolder,
): Promise<string | { readonly problem: string } | undefined> {
  try {
    const file = path.join(await realpath(folder.uri.fsPath), CONFIG_FILE);
    const { size } = await lstat(file);
    const most = limits.mcpConfigBytes;
    if (size > most) {
      const text = 'The file is larger than {0} KiB, so its servers are ignored. Make it smaller.';
      return { problem: vscode.l10n.t(text, most / 1024) };
    }
    const { bytes } = await readRegularFile(file, { name: CONFIG_FILE, most });
    return bytes.toString().replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof ToolError)
      return { problem: vscode.l10n.t('The file cannot be read. It must be a regular file, not a link.') };
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'ENOENT') return undefined;
      return {
        problem: vscode.l10n.t(
          'The file cannot be read ({0}). Check the file and its permissions.',
          String(error.code),
        ),
      };
    }
    throw error;
  }
}

/** Offset of each line. */
function lineStarts(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
}

function rangeOf(starts: readonly number[], { offset, length }: FileSpan): vscode.Range {
  return new vscode.Range(positionOf(starts, offset), positionOf(starts, offset + length));
}

function positionOf(starts: readonly number[], offset: number): vscode.Position {
  const line = starts.findLastIndex((start) => start <= offset);
  return new vscode.Position(line, offset - (starts[line] ?? 0));
}
