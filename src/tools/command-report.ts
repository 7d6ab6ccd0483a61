import { byteSize, duration } from './amounts';
import { cleanOutput } from './clean-output';
import type { CommandEnd, KillReason, StartedCommand } from './workspace';

/** How a command ended, in sentences. */
export function endOf({ how, survivors }: CommandEnd, { durationMs }: StartedCommand): string {
  const alive = survivors.length > 0 ? ` These processes could not be ended: ${survivors.join(', ')}.` : '';
  const after = `after ${duration(durationMs)}`;
  if (how.type === 'killed') return `${whyKilled(how.why, after)}${alive}`;
  const left = how.leftRunning ? ' What it had left running in the background was ended.' : '';
  return `Exit code ${how.code} ${after}.${left}${alive}`;
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
