import type { Shell } from '../../policy/commands/command-text';

/** What a shell gets: the text of its `-c`, and what follows it. */
interface ShellInput {
  readonly script: string;
  readonly more: readonly string[];
}

const FAILED =
  'The line of parley.commands.setup failed, so the command did not run. Tell the user; nothing about the command is known.';

/**
 * A command after the user's setup line, in the same shell. If the line fails, the command does not run. The line is
 * passed beside the script, so that no quote in it can reach into the command.
 */
export function afterSetup(setup: string, command: string, shell: Shell): ShellInput {
  if (setup.trim() === '') return { script: command, more: [] };
  if (shell === 'powershell') return { script: `${powerShell(setup)}\n${command}`, more: [] };
  const script = `trap 'echo "${FAILED}" >&2' EXIT; eval "$1" || exit 1; trap - EXIT; set --\n${command}`;
  return { script, more: ['parley', setup] };
}

function powerShell(setup: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const failed = `[Console]::Error.WriteLine(${quoted(FAILED)}); exit 1`;
  return `try { . ([scriptblock]::Create(${quoted(setup)})); if (-not $?) { ${failed} } } catch { ${failed} }`;
}
