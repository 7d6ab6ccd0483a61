import { ToolError } from '../core/tool';
import type { Processes, StartedCommand } from './workspace';

/** A command that Parley has started in this session. Throws `ToolError` for any other. */
export function findCommand({ started }: Processes, logId: string): StartedCommand {
  const found = started.find((command) => command.logId === logId);
  if (found) return found;
  const known = started.map((command) => `${command.logId} (${shortCommand(command.command)})`);
  const next =
    known.length === 0
      ? 'No output of a command is kept; run one with background first.'
      : `Use one of: ${known.join(', ')}.`;
  throw new ToolError(`There is no log ${logId}. ${next}`);
}

export function shortCommand(command: string): string {
  return command.length > 80 ? `${command.slice(0, 80)}…` : command;
}
