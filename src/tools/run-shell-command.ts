import * as z from 'zod';
import { limits } from '../base/limits';
import { RunEnded, ToolError, type Access, type RunContext, type Tool } from '../core/words/tool';
import { describeEnd, excerptOf, outliverNotes, sandboxNotes, shortCommand } from './commands';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { missingPath } from './files/paths';
import { recordMade } from './files/record-change';
import type { CommandEnd, CommandToRun, StartedCommand } from './ports/processes';
import type { Surroundings } from './ports/surroundings';

/** The exit code of shells for a name that is no program. */
const NOT_FOUND = 127;

/** How long a call waits to see whether a background command fails. */
const FIRST_LOOK_MS = 500;

const DESCRIPTION =
  'Runs a command line in a new shell, without input. Use background for servers and watchers.';
const SANDBOX =
  'It runs in a sandbox without network that writes only in the workspace; outside asks the user to run without it.';

const WITHOUT_SANDBOX = { arguments: ['outside'], required: ['command'] };

type ShellRequest = Pick<CommandToRun, 'command' | 'cwd' | 'owner' | 'answered' | 'setup' | 'inSandbox'>;

export function runShellCommand(
  surroundings: Pick<Surroundings, 'files' | 'images' | 'search' | 'processes'>,
): Tool {
  const { files, processes } = surroundings;
  const usual = limits.commandTimeoutMs / 1000;
  const most = limits.commandTimeoutMostMs / 1000;
  return defineTool({
    toolset: 'shell',
    method: 'runShellCommand',
    userDescription: 'Runs a command in a shell.',
    effect: 'execute',
    // `timeout_s` limits the command itself.
    timeoutMs: 'none',
    description: () => (processes.hasSandbox ? `${DESCRIPTION} ${SANDBOX}` : DESCRIPTION),
    isCore: true,
    unshown: () => (processes.hasSandbox ? undefined : WITHOUT_SANDBOX),
    xmlSchema: {
      tag_name: 'run-command',
      mappings: [{ param_name: 'command', node_type: 'content', path: '.' }],
    },
    example: { command: 'git status' },
    input: () =>
      z.strictObject({
        command: z.string().min(1).describe('The command line.'),
        cwd: z.string().min(1).default('.').describe('The folder to start in, relative to the workspace.'),
        timeout_s: z
          .number()
          .min(1)
          .max(most)
          .optional()
          // Whether it was given counts: in the background nothing else ends a command by time.
          .meta({ default: usual })
          .describe(
            `Seconds until it is ended with everything it started, at most ${most}. In the background: no limit unless you give one.`,
          ),
        background: z
          .boolean()
          .default(false)
          .describe('Return while it runs. It ends with the session at the latest.'),
        outside: z
          .boolean()
          .default(false)
          .describe('Run outside the sandbox, if there is one. The user is asked each time.'),
      }),
    prepare: async ({ command, cwd, timeout_s, background, outside }, signal, { owner }) => {
      const folder = await files.resolve(cwd, 'list');
      const info = folder.verdict.decision === 'auto' ? await files.stat(folder) : undefined;
      if (folder.verdict.decision === 'auto' && info?.kind !== 'folder') {
        throw info
          ? new ToolError(`${folder.display} is not a folder. Give a folder as cwd.`)
          : await missingPath(folder, 'folder', surroundings, signal);
      }
      const judged = await processes.judge(command, folder, outside);
      const { verdict, commands, questions: answered, setup, sandbox } = judged;
      const accesses: Access[] = [
        readAccess(folder),
        { effect: 'execute', target: command, kind: 'command', verdict },
      ];
      const inSandbox = sandbox !== undefined;
      const short = shortCommand(command);
      const wanted = { command, cwd: folder, owner, answered, setup, inSandbox };
      return {
        title: background ? `Run in the background ${short}` : `Run ${short}`,
        accesses,
        preview: {
          type: 'command',
          command,
          cwd: folder.resolved,
          commands,
          ...(setup !== undefined && { setup }),
          ...(sandbox && { sandbox }),
        },
        run: async (context) => ({
          text: background
            ? await inBackground(wanted, timeout_s, context)
            : await toItsEnd(wanted, timeout_s ?? usual, context),
          ...(sandbox && { sandbox }),
        }),
      };
    },
  });

  async function toItsEnd(command: ShellRequest, seconds: number, context: RunContext): Promise<string> {
    const { signal, onOutput } = context;
    const options = { ...command, timeoutMs: seconds * 1000, keepLog: false, onOutput };
    const started = await processes.start(options, signal);
    const end = await started.ended;
    await recordChanges(end, surroundings, context);
    return report(end, started, await lackingName(end, started));
  }

  /** Why a name was not found that the user's terminals know. */
  async function lackingName({ how }: CommandEnd, started: StartedCommand): Promise<string> {
    if (how.type !== 'exited' || how.code !== NOT_FOUND) return '';
    const [, name] = /(?:^|[ :])([\w.+-]+): (?:command )?not found/m.exec(excerptOf(started)) ?? [];
    const found = name === undefined ? undefined : await processes.shellFunction(name);
    if (name === undefined || !found) return '';
    return `${name} comes from ${found.file}, which commands do not read. The user can set parley.commands.setup (--setup on the command line) to a line that runs before each command, for example: ${found.line}`;
  }

  async function inBackground(
    command: ShellRequest,
    seconds: number | undefined,
    context: RunContext,
  ): Promise<string> {
    const { signal } = context;
    const limit = seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
    const started = await processes.start({ ...command, keepLog: true, ...limit }, untilStopped(signal));
    const end = await within(FIRST_LOOK_MS, started.ended);
    if (end) await recordChanges(end, surroundings, context);
    if (end)
      return `It has already ended, log_id ${started.logId}.\n${report(end, started, await lackingName(end, started))}`;
    const output = excerptOf(started);
    const printed = output === '' ? ' It has printed nothing yet.' : ` Its output so far:\n${output}`;
    return (
      `Runs in the background, log_id ${started.logId}. Read its output with read_output, end it with stop_command.` +
      printed
    );
  }
}

/** Changes made in the sandbox can be restored. What other commands changed is unknown. */
async function recordChanges(
  { sandbox }: CommandEnd,
  surroundings: Pick<Surroundings, 'files' | 'images'>,
  context: RunContext,
): Promise<void> {
  for (const change of sandbox?.changes ?? []) await recordMade(change, surroundings, context);
}

const IN_SANDBOX =
  'It ran in the sandbox: no network except allowed sites, writes only in the workspace. If it needs more, call again with outside=true; the user will be asked.';

/** Throws `ToolError` if the command did not end by itself. Any exit code is a result; 0 is not mentioned. */
function report(end: CommandEnd, started: StartedCommand, lacking: string): string {
  const output = excerptOf(started);
  const hasFailed = end.how.type !== 'exited' || end.how.code !== 0;
  const hints = end.sandbox && hasFailed ? [IN_SANDBOX] : [];
  const lines = lacking === '' ? hints : [lacking, ...hints];
  const notes = [...outliverNotes(end), ...sandboxNotes(end), ...lines].map((note) => `\n${note}`).join('');
  if (hasSucceeded(end) && output !== '') return output + notes;
  if (end.how.type === 'exited') return `${describeEnd(end, started)}\n${output || '(no output)'}${notes}`;
  const shown = output === '' ? ' It had printed nothing.' : ` Its output until then:\n${output}`;
  throw new ToolError(`${describeEnd(end, started)}${shown}${notes}`);
}

/** It ended by itself and left nothing behind. */
function hasSucceeded({ how, survivors }: CommandEnd): boolean {
  return how.type === 'exited' && how.code === 0 && !how.leftRunning && survivors.length === 0;
}

/** Aborts when the run is stopped, but not when it ends: background commands then continue. */
function untilStopped(signal: AbortSignal): AbortSignal {
  const stop = new AbortController();
  const abort = (): void => {
    if (!(signal.reason instanceof RunEnded)) stop.abort(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) stop.abort(signal.reason);
  return stop.signal;
}

/** `undefined` if it takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
