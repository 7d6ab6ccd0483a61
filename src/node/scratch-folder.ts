import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ToolOffer } from '../core/run/agent-options';
import type { SessionOptions } from '../core/session';
import type { ApprovalRequest } from '../core/words/approval';
import type { Verdict } from '../core/words/verdict';
import { judgeCall, type ApprovalRules } from '../policy/approvals';
import { builtInTools } from '../tools';
import { projectFiles, type ProjectFiles } from '../tools/project-files';
import { ToolRegistry } from '../tools/registry';
import { noSandbox } from './sandbox/settings';
import { createSurroundings, type OwnedSurroundings, type SurroundingsOptions } from './surroundings';

export interface ScratchOptions extends Pick<SurroundingsOptions, 'wasmFolder'> {
  /** Texts by path with slashes. */
  readonly files: Readonly<Record<string, string>>;
  /** Command lines that may run outside a sandbox, word for word. Without any, no command runs. */
  readonly commands: readonly string[];
  /** A folder that outlives this process, for the sandbox; without it there is none. */
  readonly stateFolder?: string;
}

/** A new folder with these files and the built-in tools for it. Nothing asks: what would is refused. */
export interface ScratchFolder {
  readonly tools: ToolOffer;
  readonly project: ProjectFiles;
  readonly judge: SessionOptions['judge'];
  /** The texts of all files, by path with slashes, with LF as line ends. */
  read(): Readonly<Record<string, string>>;
  /** Ends its commands and deletes it. */
  close(): Promise<void>;
}

export async function openScratchFolder(
  options: ScratchOptions,
  signal: AbortSignal,
): Promise<ScratchFolder> {
  const { files, commands } = options;
  const root = realpathSync(await mkdtemp(path.join(tmpdir(), 'parley-scratch-')));
  writeTexts(root, files);
  const surroundings = await surroundingsOf(root, options);
  const tools = builtInTools(surroundings);
  const isUntouched = (): boolean => isSame(files, readTexts(root));
  return {
    tools: new ToolRegistry({ tools: () => tools }),
    project: projectFiles(surroundings, signal),
    judge: (request) => ({ verdict: verdictFor(request, { commands, isUntouched }), grants: [] }),
    read: () => readTexts(root),
    close: async () => {
      await surroundings.endCommands();
      surroundings.dispose();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** With a sandbox if there are commands and one works here. */
async function surroundingsOf(
  root: string,
  { commands, stateFolder, wasmFolder }: ScratchOptions,
): Promise<OwnedSurroundings> {
  const common: SurroundingsOptions = {
    roots: [root],
    isTrusted: () => true,
    commandRules: () => ({ allow: [], deny: [] }),
    ...(wasmFolder !== undefined && { wasmFolder }),
  };
  if (commands.length === 0 || stateFolder === undefined) return createSurroundings(common);
  const settings = { ...noSandbox, isEnabled: true, runUnasked: true };
  const confined = createSurroundings({ ...common, sandbox: { settings: () => settings, stateFolder } });
  if ((await confined.sandbox?.status())?.works === true) return confined;
  confined.dispose();
  return createSurroundings(common);
}

const RULES: ApprovalRules = {
  isTrusted: true,
  mode: 'auto',
  requireConfirmation: true,
  recovery: 'text',
};

interface CommandPlace {
  readonly commands: readonly string[];
  readonly isUntouched: () => boolean;
}

function verdictFor(request: ApprovalRequest, place: CommandPlace): Verdict {
  const { verdict } = judgeCall(request, RULES, [{ type: 'edits-in-session' }, { type: 'moves-in-session' }]);
  if (verdict.decision === 'deny') return verdict;
  const kinds = request.accesses.map(({ kind }) => kind);
  if (kinds.includes('command')) return commandVerdict(request, verdict, place);
  if (verdict.decision === 'auto' && !kinds.includes('url')) return verdict;
  return deny('only files and the commands of the task can be used here');
}

/**
 * A command runs in the sandbox, or if it is one of the task's, word for word, and every file is as the task gave it:
 * what a model wrote never runs outside a sandbox.
 */
function commandVerdict(request: ApprovalRequest, verdict: Verdict, place: CommandPlace): Verdict {
  const { commands, isUntouched } = place;
  const { preview, call } = request;
  if (commands.length === 0) return deny('no command runs here');
  if (preview?.type === 'command' && preview.sandbox && verdict.decision === 'auto') return verdict;
  const { command, timeout_s: _, ...others } = call.arguments;
  const isPlain = Object.entries(others).every(([key, value]) => PLAIN.has(key) && PLAIN.get(key) === value);
  const isNamed = typeof command === 'string' && commands.includes(command.trim());
  if (call.mark !== 'clean' || !isPlain || !isNamed)
    return deny('only the command that the task names runs here, word for word');
  if (!isUntouched()) return deny('files have changed, so it does not run outside a sandbox');
  return { decision: 'auto', reason: 'the task names this command' };
}

/** Arguments by the value that changes nothing about what the command does. */
const PLAIN: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['cwd', '.'],
  ['background', false],
  ['outside', false],
]);

function deny(reason: string): Verdict {
  return { decision: 'deny', reason };
}

function writeTexts(root: string, files: ScratchOptions['files']): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
}

function readTexts(root: string): Readonly<Record<string, string>> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const full = path.join(entry.parentPath, entry.name);
      const text = readFileSync(full, 'utf8').replaceAll('\r\n', '\n');
      return [path.relative(root, full).replaceAll('\\', '/'), text];
    }),
  );
}

function isSame(before: ScratchOptions['files'], now: ScratchOptions['files']): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].every((name) => before[name] === now[name]);
}
