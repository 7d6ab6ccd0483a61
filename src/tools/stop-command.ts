import * as z from 'zod';
import type { Tool } from '../core/words/tool';
import { describeEnd, excerptOf, findCommand, sandboxNotes, shortCommand } from './commands';
import { defineTool } from './define';
import type { StartedCommand } from './ports/processes';
import type { Surroundings } from './ports/surroundings';

/** It can only end commands that Parley started for the same owner, so it needs no approval. */
export function stopCommand({ processes }: Pick<Surroundings, 'processes'>): Tool {
  return defineTool({
    toolset: 'shell',
    method: 'stopCommand',
    userDescription: 'Ends a background command.',
    effect: 'execute',
    summary: 'ends a background command',
    description:
      'Ends a background command with everything it has started, and shows its last output. ' +
      'Only for commands that run_shell_command started in this session.',
    example: { log_id: 'log-1c9a04f2' },
    input: () =>
      z.strictObject({
        log_id: z.string().min(1).describe('The log_id that run_shell_command gave.'),
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
  const before = wasRunning && end.how.type === 'killed' ? '' : 'It had already ended. ';
  const output = excerptOf(command);
  return [`${before}${describeEnd(end, command)}`, output || '(no output)', ...sandboxNotes(end)].join('\n');
}
