import type { Skill } from './workspace';

/** A skill as a model reads it, and what it is to be applied to. */
export function skillText({ name, origin, folder, instructions }: Skill, args = ''): string {
  const head = `Skill ${name} of the ${origin}. Files that it names lie in ${folder}; read them with read_file.`;
  return [
    head,
    ...(args === '' ? [] : [`Arguments: ${args}`]),
    '',
    instructions === '' ? '(It has no instructions.)' : instructions,
  ].join('\n');
}
