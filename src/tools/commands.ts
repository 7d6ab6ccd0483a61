import { limits } from '../base/limits';
import { visibleName, visibleText } from '../base/text';
import { ToolError, type Caller } from '../core/words/tool';
import type { CommandEnd, KillReason, Processes, StartedCommand } from './ports/processes';
import { byteSize, duration } from './text/amounts';

/** How a command ended, in sentences. */
export function describeEnd({ how, survivors }: CommandEnd, { durationMs }: StartedCommand): string {
  const alive = survivors.length > 0 ? ` These processes could not be ended: ${survivors.join(', ')}.` : '';
  const after = `after ${duration(durationMs)}`;
  if (how.type === 'killed') return `${whyKilled(how.why, after)}${alive}`;
  const left = how.leftRunning ? ' Processes that it left in the background were ended.' : '';
  return `Exit code ${how.code} ${after}.${left}${alive}`;
}

/** A line about what a command started that still runs. */
export function outliverNotes({ outlivers = [] }: CommandEnd): readonly string[] {
  if (outlivers.length === 0) return [];
  const shown = outlivers.map(({ pid, command }) => `${shortCommand(visibleName(command))} (process ${pid})`);
  return [`Still running, because it left the command's group: ${shown.join(', ')}.`];
}

/** Lines about what a command in the sandbox did besides its output. */
export function sandboxNotes({ sandbox }: CommandEnd): readonly string[] {
  if (!sandbox) return [];
  const { removed, keptIn, remaining, runsCode } = sandbox;
  const kept = keptIn === undefined ? '' : ` They were moved to ${keptIn}.`;
  return [
    ...(runsCode.length > 0 ? [`Changed files that run code: ${listed(runsCode)}`] : []),
    ...(removed.length > 0
      ? [`Removed, because commands in the sandbox may not create it: ${listed(removed)}.${kept}`]
      : []),
    ...(remaining.length > 0
      ? [`Not allowed in the sandbox, but could not be removed: ${listed(remaining)}.`]
      : []),
  ];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, limits.sandboxNamedFiles).map(visibleName).join(', ');
  const more = names.length - limits.sandboxNamedFiles;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function whyKilled(why: KillReason, after: string): string {
  switch (why) {
    case 'timeout':
      return `Timed out ${after}. Set a larger timeout_s, do less at once, or run it in the background.`;
    case 'aborted':
      return 'Stopped before it ended. What it has done until then remains.';
    case 'stopped':
      return `Ended by stop_command ${after}.`;
    case 'flood':
      return 'Ended because it printed too much. Redirect its output to a file, or print less.';
  }
}

/** Returns the beginning and the end of its output so far; empty if there is no output. */
export function excerptOf({ logId, log }: StartedCommand): string {
  const { head, tail, omitted } = log.excerpt();
  if (omitted === 0) return cleanOutput(head + tail).trimEnd();
  const note = `[… ${byteSize(omitted)} left out. Read more with read_output, log_id ${logId} …]`;
  return [cleanOutput(head).trimEnd(), note, cleanOutput(tail).trim()].join('\n');
}

/**
 * Returns a command that this owner started. Throws `ToolError` for any other, without saying whether it exists: only
 * its owner may read its output.
 */
export function findCommand(
  { started }: Pick<Processes, 'started'>,
  logId: string,
  { owner }: Pick<Caller, 'owner'>,
): StartedCommand {
  const own = started.filter((command) => command.owner === owner);
  const found = own.find((command) => command.logId === logId);
  if (found) return found;
  const known = own.map((command) => `${command.logId} (${shortCommand(command.command)})`);
  const next =
    known.length === 0
      ? 'No output is kept. Run a command with background=true first.'
      : `Use one of: ${known.join(', ')}.`;
  throw new ToolError(`There is no log ${logId}. ${next}`);
}

export function shortCommand(command: string): string {
  return command.length > 80 ? `${command.slice(0, 80)}…` : command;
}

/**
 * Returns what a terminal would show at the end: no colours or other control sequences, and only the last state of a
 * progress bar. Makes the remaining invisible characters visible.
 */
export function cleanOutput(output: string): string {
  const plain = output.replace(CONTROL_SEQUENCE, '');
  const lines = plain.split('\n').map((line) => backspaced(lastState(line)));
  return visibleText(lines.join('\n'));
}

// CSI, OSC and the other strings up to their end, and sequences of two or three characters (ECMA-48).
const CONTROL_SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

/** A carriage return goes back to the start of the line, and the text after it overwrites the line. */
function lastState(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').findLast((state) => state !== '') ?? '';
}

function backspaced(line: string): string {
  if (!line.includes('\b')) return line;
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
