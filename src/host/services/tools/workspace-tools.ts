import type { Disposable } from '../../../base/disposable';
import type { Sandbox } from '../../../node/sandbox/sandbox';
import { imageName } from '../../../node/surroundings';
import { builtInTools } from '../../../tools';
import type { FileImages, Files } from '../../../tools/ports/files';
import type { StartedCommand } from '../../../tools/ports/processes';
import { projectFiles, type ProjectFiles } from '../../../tools/project-files';
import type { ToolSource } from '../../../tools/registry';
import { SkillSource } from '../../../tools/call-skill';
import { hostSurroundings } from '../../platform/files/surroundings';
import type { Output } from '../../platform/output';
import type { Platform } from '../../platform/platform';
import { OtherTools } from './other-tools';

export interface WorkspaceToolsParts extends Pick<Platform, 'context' | 'settings'> {
  readonly output: Pick<Output, 'warn'>;
}

export interface WorkspaceTools extends Disposable {
  readonly sources: readonly ToolSource[];
  readonly files: Files;
  /** The files that models may read without asking. */
  projectFiles(signal: AbortSignal): ProjectFiles;
  /** None if no command can run. */
  readonly sandbox: Sandbox | undefined;
  /** A sentence for each skill that cannot be used. */
  readonly skillProblems: () => readonly string[];
  /** Refreshes skills and tools of other extensions. */
  refresh(): Promise<void>;
  /** Commands that run, and ended ones whose output is kept. */
  readonly commands: readonly StartedCommand[];
  /** Ends every command and removes its sandbox files, or those of one owner. */
  endCommands(owner?: object): Promise<void>;
}

/** The built-in tools over this window's files, search and processes. A separate bundle, loaded for the first run. */
export function workspaceTools(
  { context, settings, output }: WorkspaceToolsParts,
  keepImage: FileImages['keep'],
): WorkspaceTools {
  const images = { nameOf: imageName, keep: keepImage };
  const surroundings = hostSurroundings(context, settings, images);
  const tools = builtInTools(surroundings);
  const others = new OtherTools();
  const skills = new SkillSource(surroundings, (problem) => output.warn(problem));
  return {
    sources: [{ tools: () => tools }, skills, others],
    files: surroundings.files,
    projectFiles: (signal) => projectFiles(surroundings, signal),
    sandbox: surroundings.sandbox,
    skillProblems: () => skills.problems,
    refresh: async () => {
      others.refresh();
      await skills.refresh();
    },
    get commands() {
      return surroundings.processes.started;
    },
    endCommands: async (owner) => {
      await surroundings.endCommands(owner);
      if (!owner) await surroundings.sandbox?.close();
    },
    dispose: () => {
      skills.dispose();
      others.dispose();
      surroundings.dispose();
    },
  };
}
