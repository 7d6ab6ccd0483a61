import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { visibleText } from '../base/text';
import type { Budget } from '../core/run/budget';
import type { Hooks } from '../core/run/hooks';
import type { Judgement, SessionOptions } from '../core/session';
import type { ToolCallConfig } from '../core/words/config';
import type { Caller, Tool, ToolSpec } from '../core/words/tool';
import type { Grant } from '../core/words/verdict';
import { settings } from '../manifest/settings';
import { createSurroundings } from '../node/surroundings';
import { judgeCall } from '../policy/approvals';
import { builtInTools } from '../tools';
import { callSkill, SkillSource } from '../tools/call-skill';
import { projectFiles, type ProjectFiles } from '../tools/project-files';
import { isOfferable, ToolRegistry } from '../tools/registry';
import { required, UsageError } from './command-line';
import { hooksOf } from './hooks';
import { said } from './language';
import { prepareSandbox, sandboxOf } from './sandbox';

/** The options of all commands that work on a folder. */
export const workspaceOptions = {
  workspace: { type: 'string' },
  'allow-edits': { type: 'boolean' },
  'allow-moves': { type: 'boolean' },
  allow: { type: 'string', multiple: true },
  sandbox: { type: 'boolean' },
  'sandbox-settings': { type: 'string' },
  hooks: { type: 'string' },
  setup: { type: 'string' },
} as const;

interface WorkspaceValues {
  readonly workspace?: string | undefined;
  readonly 'allow-edits'?: boolean | undefined;
  readonly 'allow-moves'?: boolean | undefined;
  readonly allow?: string[] | undefined;
  readonly sandbox?: boolean | undefined;
  readonly 'sandbox-settings'?: string | undefined;
  readonly hooks?: string | undefined;
  readonly setup?: string | undefined;
}

export interface CliWorkspace {
  readonly tools: ToolRegistry;
  readonly project: ProjectFiles;
  /** All calls of one invocation have the same caller. */
  readonly caller: Caller;
  readonly judge: SessionOptions['judge'];
  readonly hooks: Hooks | undefined;
  /** Aborted when the process is told to end; running work is stopped first. */
  readonly signal: AbortSignal;
  /** Fulfilled when nothing runs any more. */
  close(): Promise<void>;
}

/** Options that allow what a user could allow for the session. */
const GRANTING = [
  { option: 'allow-edits', grant: { type: 'edits-in-session' } },
  { option: 'allow-moves', grant: { type: 'moves-in-session' } },
] as const satisfies readonly { readonly option: keyof WorkspaceValues; readonly grant: Grant }[];

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** The defaults of the settings, except recovery. */
export const defaultConfig: ToolCallConfig = {
  enabled: settings['toolCalling.enabled'].default,
  mode: settings['toolCalling.mode'].default,
  toolToggles: settings['toolCalling.toolToggles'].default,
  defaultToolEnabled: settings['toolCalling.defaultToolEnabled'].default,
  toolsOnDemand: settings['toolCalling.toolsOnDemand'].default,
  maxIterations: settings['toolCalling.maxIterations'].default,
  timeout: settings['toolCalling.timeout'].default,
  requireConfirmation: settings['toolCalling.requireConfirmation'].default,
  parallelExecution: settings['toolCalling.parallelExecution'].default,
  // Nobody can answer, so reads in another form run, and everything else of them is refused.
  recovery: 'text',
  strictness: settings['toolCalling.strictness'].default,
};

export const defaultBudget: Budget = {
  tokens: settings['budget.tokens'].default,
  minutes: settings['budget.minutes'].default,
  cost: settings['budget.cost'].default,
};

/** The built-in tools for a folder, under the editor's policy; anything that would ask is refused. */
export async function openWorkspace(
  values: WorkspaceValues,
  withheldVariables: readonly string[] = [],
): Promise<CliWorkspace> {
  const folder = required(values.workspace, '--workspace');
  const roots = [realFolder(folder)];
  const hooks = await hooksOf(values.hooks, roots, withheldVariables);
  const sandbox = await sandboxOf(values);
  const surroundings = createSurroundings({
    roots,
    ...(sandbox && { sandbox }),
    // A folder named on the command line is trusted.
    isTrusted: () => true,
    commandRules: () => ({ allow: values.allow ?? [], deny: settings['approvals.denyCommands'].default }),
    withheldVariables,
    setup: () => values.setup ?? settings['commands.setup'].default,
    onSurvivors: (command, pids) => {
      process.stderr.write(
        visibleText(
          `${said(`These processes of "${command}" could not be ended: ${pids.join(', ')}. End them yourself.`)}\n`,
        ),
      );
    },
  });
  await prepareSandbox(surroundings.sandbox);
  const tools = builtInTools(surroundings);
  const skills = new SkillSource(surroundings, (problem) => process.stderr.write(`${said(problem)}\n`));
  await skills.refresh();
  const { signal, forget } = untilSignalled();
  const granted = GRANTING.filter(({ option }) => values[option]).map(({ grant }) => grant);
  return {
    tools: new ToolRegistry({ tools: () => tools }, skills),
    project: projectFiles(surroundings, signal),
    caller: {},
    judge: (request) => withoutAsking(judgeCall(request, { ...defaultConfig, isTrusted: true }, granted)),
    hooks,
    signal,
    close: async () => {
      surroundings.dispose();
      await surroundings.endCommands();
      forget();
    },
  };
}

/** The first signal ends the work in order. A second signal kills everything without waiting. */
export function untilSignalled(): { readonly signal: AbortSignal; readonly forget: () => void } {
  const stop = new AbortController();
  const listeners = Object.entries(SIGNALS).map(([name, code]) => {
    const listener = (): void => {
      if (stop.signal.aborted) process.exit(code);
      stop.abort();
    };
    process.on(name, listener);
    return { name, listener };
  });
  const forget = (): void => {
    for (const { name, listener } of listeners) process.off(name, listener);
  };
  return { signal: stop.signal, forget };
}

/** No user is available to answer. */
function withoutAsking({ verdict, grants }: Judgement): Judgement {
  if (verdict.decision !== 'ask') return { verdict, grants: [] };
  const granting = GRANTING.find(({ grant }) => grants.some(({ type }) => type === grant.type));
  const reason = granting
    ? `it needs approval, because ${verdict.reason}; --${granting.option} lets it through`
    : `it needs approval, because ${verdict.reason}`;
  return { verdict: { decision: 'deny', reason }, grants: [] };
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(path.resolve(folder));
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new UsageError(`there is no folder ${folder}. Give --workspace a folder that exists.`, {
      cause: error,
    });
  }
  throw new UsageError(`${folder} is a file. Give --workspace the folder that contains it.`);
}

/** The built-in tools without a folder: only their definitions are used. */
export function toolsWithoutFolder(): readonly Tool[] {
  const nowhere = createSurroundings({
    roots: [],
    commandRules: () => ({ allow: [], deny: [] }),
    isTrusted: () => false,
  });
  return [...builtInTools(nowhere), callSkill({ skills: [], shadowed: [] }, nowhere)];
}

/** Tools that are always fully defined for models. */
export function coreSpecs(): readonly ToolSpec[] {
  return toolsWithoutFolder()
    .filter((tool) => tool.isCore && isOfferable(tool))
    .map(({ spec }) => spec);
}

export function builtInSpecs(): readonly ToolSpec[] {
  return toolsWithoutFolder()
    .filter(isOfferable)
    .map(({ spec }) => spec);
}
