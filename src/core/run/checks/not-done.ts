import { ASKS_AGAIN } from '../../transcript/history';
import { runningSpec, type Tool } from '../../words/tool';
import type { AgentOptions } from '../agent-options';
import { hasFailed, isRunOf, quotedCommands, RUN } from '../quoted-commands';
import { callsSince, messageOf } from '../since-message';
import { isAnswer, type ReplyCheck } from './reply-check';

/** How often a run is told; large models once. */
const MOST = 2;

/**
 * Notices an answer although a command that the message names between back ticks has not run since the last change, or
 * failed when it last ran.
 */
export function notDone({ prompt, conversation }: Pick<AgentOptions, 'prompt' | 'conversation'>): ReplyCheck {
  let told = 0;
  return {
    look: (reply, { callable }) => {
      if (!isAnswer(reply) || reply.isEmpty) return undefined;
      const most = prompt.steps === 'one' ? MOST : 1;
      const canRun = callable.some(({ spec }) => runningSpec(spec).name === RUN);
      if (told >= most || !canRun) return undefined;
      const what = missing(conversation, callable);
      if (!what) return undefined;
      told++;
      return {
        next: {
          type: 'ask-again',
          code: ASKS_AGAIN.notDone,
          isCallNeeded: true,
          ...(what.mustRun && { tool: RUN }),
          message: `${what.fact} The model was told so.`,
          hint: `[Not finished: ${what.fact}]`,
        },
      };
    },
  };
}

interface Missing {
  readonly fact: string;
  /** The next step is to run it. */
  readonly mustRun: boolean;
}

function missing(conversation: AgentOptions['conversation'], callable: readonly Tool[]): Missing | undefined {
  const calls = callsSince(conversation);
  const writing = new Set(
    callable.flatMap(({ spec, effect }) => (effect === 'write' ? [runningSpec(spec).name] : [])),
  );
  const changed = calls.findLastIndex(
    ({ call, result }) => writing.has(call.name) && result.status === 'success',
  );
  for (const command of quotedCommands(messageOf(conversation))) {
    const at = calls.findLastIndex((each) => isRunOf(each, command));
    const run = calls[at];
    if (!run) return { fact: `${quoted(command)} has not been run.`, mustRun: true };
    // The user or a rule does not want it.
    if (run.result.status === 'denied') continue;
    if (at < changed)
      return { fact: `${quoted(command)} has not been run since the last change.`, mustRun: true };
    // A task that only asks for a run is done by it.
    if (hasFailed(run) && changed >= 0)
      return { fact: `${quoted(command)} failed when it last ran.`, mustRun: false };
  }
  return undefined;
}

function quoted(command: string): string {
  return `\`${command}\``;
}
