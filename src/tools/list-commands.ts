import * as z from 'zod';
import type { Tool } from '../core/words/tool';
import { cleanOutput, describeEnd, shortCommand } from './commands';
import { defineTool } from './define';
import type { StartedCommand } from './ports/processes';
import type { Surroundings } from './ports/surroundings';
import { duration } from './text/amounts';
import { splitLines } from './text/lines';

/** Of each command. */
const LAST_LINES = 3;
const LINE_CHARACTERS = 200;

export function listCommands({ processes }: Pick<Surroundings, 'processes'>): Tool {
  return defineTool({
    toolset: 'shell',
    method: 'listCommands',
    userDescription: 'Lists the commands whose output can be read.',
    effect: 'read',
    summary: 'lists background commands',
    description:
      'Lists the background commands of this session, and ended commands whose output is kept, each with its log_id and last lines.',
    example: {},
    input: () => z.strictObject({}),
    prepare: async (_input, _signal, { owner }) => ({
      title: 'List commands',
      accesses: [],
      run: async () => {
        const own = processes.started.filter((command) => command.owner === owner);
        return {
          text: own.length === 0 ? 'No command runs, and no output is kept.' : own.map(shown).join('\n'),
        };
      },
    }),
  });
}

function shown(command: StartedCommand): string {
  const { logId, log, end, durationMs } = command;
  const state = end ? describeEnd(end, command) : `Running for ${duration(durationMs)}.`;
  const { head, tail, omitted } = log.excerpt();
  const text = cleanOutput(omitted === 0 ? head + tail : tail).trimEnd();
  const lines = text === '' ? [] : splitLines(text).slice(-LAST_LINES);
  return [
    `${logId}: ${shortCommand(command.command)} — ${state}`,
    ...lines.map((line) => `  ${line.slice(0, LINE_CHARACTERS)}`),
  ].join('\n');
}
