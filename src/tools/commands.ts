import { limits } from '../base/limits';
import { visibleText } from '../base/text';
import { ToolError, type Caller } from '../core/words/tool';
import type { CommandEnd, KillReason, Processes, StartedCommand } from './ports/processes';
import { byteSize, duration } from './text/amounts';

/** How a command ended, in sentences. */
export function describeEnd({ how, survivors }: CommandEnd, { durationMs }: StartedCommand): string {
  const alive = survivors.length > 0 ? ` These processes could not be ended: ${survivors.join(', ')}.` : '';
  const after = `after ${duration(durationMs)}`;
  if (how.type === 'killed') return `${whyKilled(how.why, after)}${alive}`;
  const left = how.leftRunning ? ' What it had left running in the background was ended.' : '';
  return `Exit code ${how.code} ${after}.${left}${alive}`;
}

/** What a command in the sandbox did that counts beyond its output, in lines. */
export function sandboxNotes({ sandbox }: CommandEnd): readonly string[] {
  if (!sandbox) return [];
  const { removed, keptIn, remaining, runsCode } = sandbox;
  const kept = keptIn === undefined ? '' : ` They were moved to ${keptIn}.`;
  return [
    ...(runsCode.length > 0 ? [`Changed, runs code: ${listed(runsCode)}`] : []),
    ...(removed.length > 0
      ? [`Taken away, because no command in the sandbox may make it: ${listed(removed)}.${kept}`]
      : []),
    ...(remaining.length > 0
      ? [`Not to be made in the sandbox, but still there: ${listed(remaining)}.`]
      : []),
  ];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, limits.sandboxNamedFiles).map(visibleText).join(', ');
  const more = names.length - limits.sandboxNamedFiles;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function whyKilled(why: KillReason, after: string): string {
  switch (why) {
    case 'timeout':
      return `Ended ${after}, at its time limit. Give a larger timeout_s, run less at once, or run it in the background.`;
    case 'aborted':
      return 'Stopped before it ended; what it has done so far stays done.';
    case 'stopped':
      return `Ended by stop_command ${after}.`;
    case 'flood':
      return 'Ended because it printed without end. Send its output to a file or narrow it.';
  }
}

/** Beginning and end of what it has printed so far; empty when that is nothing. */
export function excerptOf({ logId, log }: StartedCommand): string {
  const { head, tail, omitted } = log.excerpt();
  if (omitted === 0) return cleanOutput(head + tail).trimEnd();
  const note = `[… ${byteSize(omitted)} left out. See more with read_output and log_id ${logId} …]`;
  return [cleanOutput(head).trimEnd(), note, cleanOutput(tail).trim()].join('\n');
}

/**
 * A command that the caller's side has started. Throws `ToolError` for any other, and tells nothing of those of others: what they
 * print is theirs.
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
      ? 'No output of a command is kept; run one with background first.'
      : `Use one of: ${known.join(', ')}.`;
  throw new ToolError(`There is no log ${logId}. ${next}`);
}

export function shortCommand(command: string): string {
  return command.length > 80 ? `${command.slice(0, 80)}…` : command;
}

/**
 * What a terminal would show in the end: without colours and other control sequences, of a progress bar only its last
 * state. Whatever is left of invisible characters is drawn.
 */
export function cleanOutput(output: string): string {
  const plain = output.replace(CONTROL_SEQUENCE, '');
  const lines = plain.split('\n').map((line) => backspaced(lastState(line)));
  return visibleText(lines.join('\n'));
}

// CSI, OSC and the other strings up to their end, and sequences of two or three characters (ECMA-48).
const CONTROL_SEQUENCE =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

/** A carriage return goes back to the beginning of the line, and what follows is drawn over it. */
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
