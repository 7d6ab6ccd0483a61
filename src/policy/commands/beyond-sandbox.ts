import { gitSubcommand } from './programs';
import { rowFor } from './rules';
import { startedPrograms } from './started-programs';
import {
  gitChanges,
  gitReads,
  gitTalks,
  needingPrograms,
  needingSubcommands,
  type Need,
} from './tables/beyond-sandbox';

/** What is allowed in the sandbox besides what every command may do there. */
export interface SandboxReach {
  readonly isGitWritable: boolean;
  /** Some sites may be reached. */
  readonly hasNetwork: boolean;
}

/** `commands`: the simple commands of a text, as words, as far as they are known. */
export function whyBeyondSandbox(
  commands: readonly (readonly string[])[],
  reach: SandboxReach,
): string | undefined {
  for (const texts of commands) {
    for (const { program, at } of startedPrograms(texts)) {
      const need = needOf(program, texts.slice(at));
      if (need === undefined || (need === 'network' && reach.hasNetwork)) continue;
      if (need === 'repository' && reach.isGitWritable) continue;
      return reasonOf(need);
    }
  }
  return undefined;
}

function reasonOf(need: Need): string {
  switch (need) {
    case 'network':
      return 'it needs the network';
    case 'repository':
      return 'it changes the repository';
    case 'install':
      return 'it installs packages';
    case 'containers':
      return 'it uses a container service';
    case 'rights':
      return 'it needs the rights of another user';
    case 'system':
      return 'it changes the system';
  }
}

function needOf(program: string, texts: readonly string[]): Need | undefined {
  if (program === 'git') return needOfGit(texts);
  if (program === 'python' && texts[1] === '-m') return needOfModule(texts.slice(2));
  const always = rowFor(needingPrograms, program);
  if (always !== undefined) return always;
  const rows = rowFor(needingSubcommands, program);
  if (rows === undefined) return undefined;
  const first = texts.slice(1).find((word) => !word.startsWith('-'));
  // `yarn` alone installs.
  if (first === undefined) return program === 'yarn' && texts.length === 1 ? 'install' : undefined;
  return rowFor(rows, first) ?? (program === 'go' && first === 'mod' ? needOfModules(texts) : undefined);
}

function needOfGit(texts: readonly string[]): Need | undefined {
  const at = gitSubcommand(texts);
  const subcommand = texts[at] ?? '';
  const rest = texts.slice(at + 1).join(' ');
  if (rowFor(gitReads, subcommand)?.test(rest) === true) return undefined;
  if (gitTalks.has(subcommand)) return 'network';
  return gitChanges.has(subcommand) ? 'repository' : undefined;
}

function needOfModule([module = '', ...rest]: readonly string[]): Need | undefined {
  if (module === 'venv' || module === 'virtualenv' || module === 'ensurepip') return 'install';
  return module === 'pip' ? needOf('pip', ['pip', ...rest]) : undefined;
}

function needOfModules(texts: readonly string[]): Need | undefined {
  return texts.includes('download') || texts.includes('tidy') ? 'install' : undefined;
}
