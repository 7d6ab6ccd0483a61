import { load, YAMLException } from 'js-yaml';
import { visibleText } from '../base/visible-text';
import { limits } from '../policy/limits';

export interface SkillFile {
  readonly name: string;
  /** One line, hidden characters drawn. */
  readonly description: string;
  /** What stands after the front matter. */
  readonly instructions: string;
}

/** Reads a `SKILL.md`: YAML front matter with name and description, then instructions. Never throws. */
export function readSkillFile(text: string): SkillFile | { readonly problem: string } {
  const found = FRONT_MATTER.exec(text);
  if (!found) return { problem: 'it does not begin with front matter between two lines of "---"' };
  const fields = readYaml(found[1] ?? '');
  if (typeof fields === 'string') return { problem: fields };
  const name = fields.get('name');
  if (typeof name !== 'string' || !NAME.test(name)) {
    return { problem: 'its "name" is not 1 to 64 lower-case letters, digits and single hyphens' };
  }
  const description = fields.get('description');
  if (typeof description !== 'string' || description.trim() === '') {
    return { problem: 'its "description" is missing' };
  }
  const instructions = text.slice(found[0].length).trim();
  return { name, description: inOneLine(description), instructions };
}

const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** As the format has it. */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The fields of a mapping, or why there are none. */
function readYaml(yaml: string): ReadonlyMap<string, unknown> | string {
  try {
    const value = load(yaml);
    if (typeof value === 'object' && value !== null) return new Map(Object.entries(value));
    return 'its front matter has no fields';
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark ? ` in line ${error.mark.line + 2}` : '';
    return `its front matter is no YAML: ${visibleText(error.reason)}${line}`;
  }
}

function inOneLine(description: string): string {
  const characters = Array.from(description.replace(/\s+/g, ' ').trim());
  const most = limits.skillDescriptionCharacters;
  return visibleText(characters.slice(0, most).join('') + (characters.length > most ? '…' : ''));
}
