import type * as vscode from 'vscode';
import { visibleText } from '../../../base/text';
import type { ServerState } from '../../../mcp/ports';
import type { DiscoveredToolset } from '../../../tools/registry';
import { translated } from '../../platform/translated';

/** A server as lists show it. */
export interface ShownServer {
  /** As it is written. */
  readonly name: string;
  readonly toolsetId: string;
  readonly state: ServerState;
  /** What is wrong with its lists, in sentences. */
  readonly flaws: readonly string[];
  /** It has inputs in the secret storage. */
  readonly hasInputs: boolean;
  /** A sign-in to it is stored there, as far as this window knows. */
  readonly isSignedIn: boolean;
}

/** The tools of a server; none if it is not running. */
export interface ServerToolset extends DiscoveredToolset {
  readonly server: ShownServer;
}

/** Why servers of a file or of the settings, or a skill, are left out. */
export interface ConfigProblemRow {
  /** In one sentence with the next step. */
  readonly configProblem: string;
  /** Absent for the settings. */
  readonly location?: vscode.Location;
  readonly isSkill?: true;
}

/** A skill that is left out as a row of the Tools view. */
export function skillProblemRow(problem: string): ConfigProblemRow {
  return { configProblem: translated(problem), isSkill: true };
}

export function isConfigProblem(row: object): row is ConfigProblemRow {
  return 'configProblem' in row;
}

/** Display name of a server, on one line. */
export function shownName(name: string): string {
  return visibleText(name.replace(/\s+/g, ' '));
}

/** Why a server failed, for display: one line of limited length. In English. */
export function shownProblem(problem: string): string {
  const shown = visibleText(translated(problem).replace(/\s+/g, ' '));
  return shown.length > LONGEST_PROBLEM ? `${shown.slice(0, LONGEST_PROBLEM)}…` : shown;
}

/** Characters. */
const LONGEST_PROBLEM = 300;
