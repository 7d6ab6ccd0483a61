import path from 'node:path';
import * as z from 'zod';
import { settings } from '../manifest/settings';
import { pathFileSystem } from '../node/files/path-file-system';
import { createGitNames } from '../node/git/git-names';
import { lazyGrammar } from '../node/lazy-grammar';
import { commandEnvironment } from '../node/processes/environment';
import type { CommandPorts } from '../policy/commands/command-request';
import { secretNamesOf } from '../node/files/agent-ignore-files';
import { judgeCommand } from '../policy/commands/commands';
import { offeredRules } from '../policy/commands/offers';
import type { GitNames } from '../policy/commands/printed-names';
import { judgeMove, judgePath, type PathRequest } from '../policy/paths/paths';
import { RememberedFiles } from '../policy/paths/remembered-files';
import { answerLines, answerId, parseJsonLine, readOptions, rejectWords, UsageError } from './command-line';
import { checkSandbox } from './sandbox';

/** `parley check`: what the policy says about a command or a path. Nothing is changed, and nothing runs but git, for names of files. */
export async function check(args: string[]): Promise<number> {
  const [what, ...rest] = args;
  if (what === 'command') return checkCommand(rest);
  if (what === 'path') return checkPath(rest);
  if (what === 'sandbox') {
    rejectWords(rest, 'It is tested in a temporary folder.');
    return checkSandbox();
  }
  throw new UsageError('say what to check: "check command", "check path" or "check sandbox".');
}

const id = z.unknown().optional();

const CommandLine = z.object({
  id,
  command: z.string(),
  rule_allow: z.array(z.string()).default([]),
  shell: z.enum(['posix', 'zsh', 'powershell', 'cmd']).default('posix'),
  root: z.string().min(1).default('.'),
  /** Where the command would run; the root if not given. */
  cwd: z.string().min(1).optional(),
});

async function checkCommand(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    allow: { type: 'string', multiple: true, default: [] },
    jsonl: { type: 'boolean' },
  });
  const answer = commandChecker(values.allow);
  if (values.jsonl) {
    if (positionals.length > 0) throw new UsageError('with --jsonl the commands come on standard input.');
    await answerLines((line) => checkLine(line, CommandLine, answer));
    return 0;
  }
  const [command] = positionals;
  if (command === undefined || positionals.length > 1)
    throw new UsageError('give the command as one word in quotes.');
  process.stdout.write(`${JSON.stringify(await answer(CommandLine.parse({ command })))}\n`);
  return 0;
}

/** Rules given as options apply to every command; rules of a line only to that line. */
function commandChecker(allow: readonly string[]): (line: z.output<typeof CommandLine>) => Promise<object> {
  const common: CommandPorts = { grammar: lazyGrammar(__dirname), files: pathFileSystem };
  const known = new Map<string, GitNames>();
  return async ({ command, rule_allow, shell, root, cwd = '.' }) => {
    const folder = path.resolve(root);
    const gitNames =
      known.get(folder) ??
      createGitNames({
        environment: () => commandEnvironment(process.env, { roots: [folder] }),
        roots: [folder],
      });
    known.set(folder, gitNames);
    const ports = { ...common, gitNames };
    const request = {
      command,
      shell,
      allow: [...allow, ...rule_allow],
      deny: settings['approvals.denyCommands'].default,
      roots: [folder],
      secretNames: secretNamesOf({ roots: [folder] }),
      cwd: path.resolve(folder, cwd),
    };
    const { decision, reason, isPlain } = await judgeCommand(request, ports);
    const isOffered = decision === 'ask' && isPlain;
    const { shorter, exact } = isOffered ? await offeredRules(request, ports) : { shorter: [], exact: [] };
    return { decision, reason, offers: shorter, exact };
  };
}

const common = { id, roots: z.array(z.string().min(1)), path: z.string() };
const PathLine = z.discriminatedUnion('tool', [
  z.object({ ...common, tool: z.enum(['read', 'write', 'list', 'search', 'delete']) }),
  z.object({ ...common, tool: z.literal('move'), path2: z.string() }),
]);

async function checkPath(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { jsonl: { type: 'boolean' } });
  if (!values.jsonl || positionals.length > 0)
    throw new UsageError('give --jsonl, and the paths on standard input, one case a line.');
  await answerLines((line) => checkLine(line, PathLine, judgePathLine));
  return 0;
}

async function judgePathLine(line: z.output<typeof PathLine>): Promise<object> {
  const roots = line.roots.map((root) => path.resolve(root));
  const scope = { roots, secretNames: secretNamesOf({ roots }), knowsFolderNames: true };
  const place = await kindOfPlace({
    ...scope,
    path: line.tool === 'move' ? line.path2 : line.path,
  });
  if (line.tool !== 'move') {
    const request = { ...scope, path: line.path, use: line.tool };
    const { verdict, resolved } = await judgePath(request, pathFileSystem);
    return { decision: verdict.decision, reason: verdict.reason, resolved, ...place };
  }
  const move = { ...scope, from: line.path, to: line.path2 };
  const { verdict, from, to } = await judgeMove(move, pathFileSystem);
  const { decision, reason } = verdict;
  return { decision, reason, resolved: from.resolved, resolved2: to.resolved, ...place };
}

/** What kind of place a path leads to, independent of its use. */
async function kindOfPlace(place: Omit<PathRequest, 'use'>): Promise<object> {
  const files = RememberedFiles.of(pathFileSystem);
  const written = await judgePath({ ...place, use: 'write' }, files);
  const read = await judgePath({ ...place, use: 'read' }, files);
  return {
    protected: written.isProtected ?? false,
    runsCode: written.verdict.runsCode ?? false,
    secret: read.isSecret ?? false,
  };
}

/** An invalid line is answered too, so that answers can be matched to lines. */
async function checkLine<Line extends z.ZodType<{ id?: unknown }>>(
  text: string,
  shape: Line,
  answer: (line: z.output<Line>) => Promise<object>,
): Promise<object> {
  const given = parseJsonLine(text);
  if (given === undefined) return { id: null, error: 'The line is not JSON. Write one case a line.' };
  const checked = shape.safeParse(given);
  if (!checked.success) return { id: answerId(given), error: z.prettifyError(checked.error) };
  return { id: checked.data.id, ...(await answer(checked.data)) };
}
