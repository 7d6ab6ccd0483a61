import * as z from 'zod';
import type { Tool } from '../core/words/tool';
import { describeEnd, excerptOf, findCommand, sandboxNotes, shortCommand } from './commands';
import { defineTool } from './define';
import type { StartedCommand } from './ports/processes';
import type { Surroundings } from './ports/surroundings';

/** It reaches nothing but commands that Parley has started for the same owner, so ending one needs no question. */
export function stopCommand({ processes }: Pick<Surroundings, 'processes'>): Tool {
  return defineTool({
    toolset: 'shell',
    method: 'stopCommand',
    userDescription: 'Ends a command that runs in the background.',
    effect: 'execute',
    summary: 'ends a background command',
    description:
      'Ends a command that runs in the background, with everything it has started, and shows its last output. ' +
      'Knows only commands that run_shell_command has started in this session.',
    example: { log_id: 'log-1c9a04f2' },
    input: () =>
      z.strictObject({
        log_id: z.string().min(1).describe('What run_shell_command gave for the command.'),
      }),
    prepare: async ({ log_id }, _, caller) => {
      const command = findCommand(processes, log_id, caller);
      return {
        title: `Stop ${shortCommand(command.command)}`,
        accesses: [
          {
            effect: 'execute',
            target: `${log_id}: ${command.command}`,
            kind: 'command',
            verdict: { decision: 'auto', reason: 'it ends a command that Parley has started' },
          },
        ],
        run: async () => ({ text: await stop(command) }),
      };
    },
  });
}

async function stop(command: StartedCommand): Promise<string> {
  const wasRunning = command.end === undefined;
  const end = await command.stop();
  const before = wasRunning && end.how.type === 'killed' ? '' : 'It had ended before. ';
  const output = excerptOf(command);
  return [`${before}${describeEnd(end, command)}`, output || '(no output)', ...sandboxNotes(end)].join('\n');
}
