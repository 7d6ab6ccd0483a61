import type * as vscode from 'vscode';
import { visibleText } from '../../base/text';
import type { ServerState } from '../../mcp/ports';
import type { DiscoveredToolset } from '../../tools/registry';
import { translated } from '../window/translated';

/** A server as lists show it. */
export interface ShownServer {
  /** As it is written. */
  readonly name: string;
  readonly toolsetId: string;
  readonly state: ServerState;
  /** Something was asked for that is kept in the secret storage. */
  readonly hasInputs: boolean;
  /** A sign-in to it is kept there, as far as this window knows. */
  readonly isSignedIn: boolean;
}

/** The tools of a server, none where it does not run. */
export interface ServerToolset extends DiscoveredToolset {
  readonly server: ShownServer;
}

/** Why servers of a file, or of the settings, are not used. */
export interface ConfigProblemRow {
  /** In one sentence with the next step. */
  readonly configProblem: string;
  /** Absent where it is in the settings. */
  readonly place?: vscode.Location;
}

export function isConfigProblem(row: object): row is ConfigProblemRow {
  return 'configProblem' in row;
}

/** The name of a server for people, on one line. */
export function shownName(name: string): string {
  return visibleText(name.replace(/\s+/g, ' '));
}

/** Why a server has failed, for people: on one line, and no page of it. It is in English. */
export function shownProblem(problem: string): string {
  const shown = visibleText(translated(problem).replace(/\s+/g, ' '));
  return shown.length > LONGEST_PROBLEM ? `${shown.slice(0, LONGEST_PROBLEM)}…` : shown;
}

/** Characters. */
const LONGEST_PROBLEM = 300;
