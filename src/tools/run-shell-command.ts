import * as z from 'zod';
import { ToolError, type Access, type Tool } from '../core/tool';
import { byteSize, duration } from './amounts';
import { cleanOutput } from './clean-output';
import { defineTool } from './define';
import { missingPath } from './missing-path';
import type { CommandEnd, Surroundings } from './workspace';

export function runShellCommand(surroundings: Surroundings): Tool {
  const { files, processes, limits } = surroundings;
  const most = limits.commandTimeoutMostMs / 1000;
  return defineTool({
    toolset: 'shell',
    method: 'runShellCommand',
    effect: 'execute',
    // The command has a limit of its own, which the surroundings keep.
    timeoutMs: 'none',
    description:
      'Runs a command in a shell (bash where there is one) and shows its exit code and output. Use it to build, test and run ' +
      'programs. It has no input and no terminal: give options that keep a program from asking. Every call starts in cwd with a new shell. ' +
      'To read, search and edit files use the tools for files.',
    xmlSchema: {
      tag_name: 'run-command',
      mappings: [{ param_name: 'command', node_type: 'content', path: '.' }],
    },
    input: () =>
      z.strictObject({
        command: z.string().min(1).describe('The command line.'),
        cwd: z.string().min(1).default('.').describe('The folder to start in, relative to the workspace.'),
        timeout_s: z
          .number()
          .min(1)
          .max(most)
          .default(limits.commandTimeoutMs / 1000)
          .describe(`After so many seconds it is ended with everything it started. At most ${most}.`),
      }),
    prepare: async ({ command, cwd, timeout_s }, signal) => {
      const folder = await files.resolve(cwd, 'list');
      const info = folder.verdict.decision === 'auto' ? await files.stat(folder) : undefined;
      if (folder.verdict.decision === 'auto' && info?.kind !== 'folder') {
        throw info
          ? new ToolError(`${folder.display} is no folder. Give a folder as cwd.`)
          : await missingPath(folder, 'folder', surroundings, signal);
      }
      const { verdict, commands } = await processes.judge(command, folder);
      const accesses: Access[] = [
        { effect: 'read', target: folder.display, kind: 'path', verdict: folder.verdict },
        { effect: 'execute', target: command, kind: 'command', verdict },
      ];
      return {
        title: `Run ${command.length > 80 ? `${command.slice(0, 80)}…` : command}`,
        accesses,
        preview: { type: 'command', command, cwd: folder.resolved, commands },
        run: async (context) => {
          const start = performance.now();
          const { signal: stop, onOutput } = context;
          const end = await processes.run(
            { command, cwd: folder, timeoutMs: timeout_s * 1000, onOutput },
            stop,
          );
          return { text: report(end, performance.now() - start, timeout_s) };
        },
      };
    },
  });
}

/** Throws `ToolError` when the command did not come to its own end. Any exit code is a result. */
function report(end: CommandEnd, milliseconds: number, timeout: number): string {
  const { how, survivors } = end;
  const output = render(end);
  const alive = survivors.length > 0 ? ` These processes could not be ended: ${survivors.join(', ')}.` : '';
  if (how.type === 'exited') {
    const left = how.leftRunning ? ' What it had left running in the background was ended.' : '';
    return `Exit code ${how.code} after ${duration(milliseconds)}.${left}${alive}\n${output || '(no output)'}`;
  }
  const shown = output === '' ? ' It had printed nothing.' : ` Its output until then:\n${output}`;
  throw new ToolError(`${whyKilled(how.why, timeout)}${alive}${shown}`);
}

function whyKilled(why: 'timeout' | 'aborted' | 'flood', timeout: number): string {
  switch (why) {
    case 'timeout':
      return `Ended after ${timeout} s, its time limit. Give a larger timeout_s, or run less at once.`;
    case 'aborted':
      return 'Stopped before it ended; what it has done so far stays done.';
    case 'flood':
      return 'Ended because it printed without end. Send its output to a file or narrow it.';
  }
}

function render({ output }: CommandEnd): string {
  const { head, tail, omitted } = output;
  if (omitted === 0) return cleanOutput(head + tail).trimEnd();
  const note = `[… ${byteSize(omitted)} left out. To see it, narrow the command or send its output to a file …]`;
  return [cleanOutput(head).trimEnd(), note, cleanOutput(tail).trim()].join('\n');
}
