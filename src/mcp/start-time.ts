import type { ServerDefinition } from './definition';

/** Programs that may download another program before it starts. */
const DOWNLOADERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx', 'docker', 'podman']);

/** Whether the first start of a definition may take minutes, because its program downloads another one. */
export function mayDownload(definition: ServerDefinition): boolean {
  if (definition.type !== 'stdio') return false;
  const { command, args } = definition;
  // On Windows, a script is started by the shell: `cmd /c npx …`.
  const program = nameOf(command) === 'cmd' ? args.find((arg) => !arg.startsWith('/')) : command;
  return DOWNLOADERS.has(nameOf(program ?? ''));
}

function nameOf(program: string): string {
  const name = program.split(/[\\/]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
}
