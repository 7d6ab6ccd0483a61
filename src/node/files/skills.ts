import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { limits } from '../../base/limits';
import { visibleName, visibleText } from '../../base/text';
import { ToolError } from '../../core/words/tool';
import type { FoundSkills, Skill, SkillShelf } from '../../tools/ports/skills';
import { byteSize } from '../../tools/text/amounts';
import { readYaml } from '../yaml';
import { isWithin } from './path-file-system';
import { readRegularFile } from './regular-file';
import { decodeText } from './text-encoding';

interface SkillShelfOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  /** Asked each time; nothing is read from an untrusted workspace. */
  readonly isTrusted: () => boolean;
  /** The folder of the user's own skills; `~/.agents/skills` if not given. */
  readonly userSkills?: string;
}

const IN_WORKSPACE = ['.agents/skills', '.claude/skills'] as const;

/** A folder with one folder for each skill. */
interface SkillFolder {
  readonly origin: Skill['origin'];
  readonly folder: string;
  /** Nothing outside it is read. Absent for the user's own skills, which may be links to anywhere. */
  readonly boundary?: string;
}

/** The skills in the files of this machine. */
export function createSkillShelf(options: SkillShelfOptions): SkillShelf {
  return { find: () => findSkills(options) };
}

async function findSkills(options: SkillShelfOptions): Promise<FoundSkills> {
  const { roots, isTrusted, userSkills = path.join(homedir(), '.agents/skills') } = options;
  const trusted = isTrusted();
  const places: SkillFolder[] = [{ origin: 'user', folder: userSkills }];
  if (trusted) {
    for (const root of roots) {
      for (const name of IN_WORKSPACE)
        places.push({ origin: 'workspace', folder: path.join(root, name), boundary: root });
    }
  }
  const look = new SkillSearch(roots, trusted ? [] : await existing(roots));
  for (const place of places) await look.into(place);
  return look;
}

/** One walk through all places, the more trusted ones first. */
class SkillSearch implements FoundSkills {
  readonly skills: Skill[] = [];
  readonly shadowed: Skill[] = [];
  readonly ignored: string[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly roots: readonly string[],
    /** Real paths below which nothing is read. */
    private readonly closed: readonly string[],
  ) {}

  async into({ origin, ...place }: SkillFolder): Promise<void> {
    const boundary = place.boundary === undefined ? undefined : await realOf(place.boundary);
    const folder = await realOf(place.folder);
    if (folder === undefined || (place.boundary !== undefined && boundary === undefined)) return;
    const leaveOut = (why: string): void => {
      this.ignored.push(`Skills in ${visibleName(place.folder)} are left out: ${why}.`);
    };
    const refusal = this.refusal(folder, boundary);
    const names = refusal === undefined ? await namesIn(folder) : [];
    if (refusal !== undefined) leaveOut(refusal);
    if (names.length > limits.skillFolders)
      leaveOut(`only the first ${limits.skillFolders} folders are read`);
    for (const name of names.slice(0, limits.skillFolders)) {
      await this.take(origin, path.join(folder, name), boundary);
    }
  }

  private async take(origin: Skill['origin'], folder: string, boundary: string | undefined): Promise<void> {
    const name = (await namesIn(folder)).find((each) => each.toLowerCase() === 'skill.md');
    const file = name === undefined ? undefined : await realOf(path.join(folder, name));
    // Agents share skills, so one skill may be reached by several paths.
    if (file === undefined || this.seen.has(file)) return;
    const refusal = this.refusal(file, boundary) ?? refusalOfName(file);
    if (refusal === undefined) this.seen.add(file);
    const read = refusal === undefined ? await readSkill(file) : { problem: refusal };
    if ('problem' in read) {
      this.ignored.push(`The skill in ${visibleName(folder)} is left out: ${read.problem}.`);
      return;
    }
    const skill: Skill = { ...read, origin, folder: await this.display(path.dirname(file)) };
    const isFirst = this.skills.every(({ name }) => name !== skill.name);
    (isFirst ? this.skills : this.shadowed).push(skill);
  }

  /** Why a resolved path is not read. */
  private refusal(file: string, boundary: string | undefined): string | undefined {
    if (boundary !== undefined && !isWithin(file, boundary)) return 'a link leads outside';
    const isClosed = this.closed.some((root) => isWithin(file, root));
    return isClosed ? 'it is in a workspace that is not trusted' : undefined;
  }

  /** As `read_file` takes it: a relative path starts at the first folder of the workspace. */
  private async display(folder: string): Promise<string> {
    const [first] = this.roots;
    const root = first === undefined ? undefined : await realOf(first);
    const shown = root !== undefined && isWithin(folder, root) ? path.relative(root, folder) : folder;
    return visibleName(shown.replaceAll(path.sep, '/'));
  }
}

async function existing(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(folders.map(realOf));
  return real.filter((folder) => folder !== undefined);
}

/** If a path cannot be resolved for any reason, there is no skill. */
async function realOf(place: string): Promise<string | undefined> {
  return realpath(place).catch(() => undefined);
}

/** An unreadable or missing folder must not prevent a run. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.toSorted();
}

/** A link could pass off any other file as a skill. */
function refusalOfName(file: string): string | undefined {
  return path.basename(file).toLowerCase() === 'skill.md'
    ? undefined
    : 'its SKILL.md is a link to a file of another name';
}

async function readSkill(file: string): Promise<ReturnType<typeof readSkillFile>> {
  const most = limits.instructionFileBytes;
  try {
    const { size } = await stat(file);
    if (size > most) return { problem: `SKILL.md has more than ${byteSize(most)}` };
    const { bytes } = await readRegularFile(file, { name: 'SKILL.md', most });
    return readSkillFile(decodeText(bytes, 'SKILL.md').text);
  } catch (error) {
    if (error instanceof ToolError || (error instanceof Error && 'code' in error))
      return { problem: 'SKILL.md cannot be read as text' };
    throw error;
  }
}

interface SkillFile {
  readonly name: string;
  /** One line, with hidden characters made visible. */
  readonly description: string;
  /** The text after the front matter. */
  readonly instructions: string;
}

/** Reads a `SKILL.md`: YAML front matter with name and description, then instructions. Never throws. */
export function readSkillFile(text: string): SkillFile | { readonly problem: string } {
  const found = FRONT_MATTER.exec(text);
  if (!found) return { problem: 'it does not begin with front matter between two lines of "---"' };
  const front = found[1] ?? '';
  const fields = fieldsOf(front);
  const name = fields ? fields.get('name') : fieldInLines(front, 'name');
  if (name === undefined || !NAME.test(name)) {
    return { problem: 'its "name" is not 1 to 64 lower-case letters, digits and single hyphens' };
  }
  const description = fields?.get('description') ?? fieldInLines(front, 'description');
  if (description === undefined || description.trim() === '') {
    return { problem: 'its "description" is missing' };
  }
  const instructions = text.slice(found[0].length).trim();
  return { name, description: inOneLine(description), instructions };
}

const FRONT_MATTER = /^(?:[ \t]*\r?\n)*---[ \t]*\r?\n([^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** As the format has it. */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The texts of a mapping by lower-case names; nothing if YAML refuses it. */
function fieldsOf(yaml: string): ReadonlyMap<string, string> | undefined {
  const read = readYaml(yaml);
  if ('problem' in read || typeof read.value !== 'object' || read.value === null) return undefined;
  const entries: [string, unknown][] = Object.entries(read.value);
  return new Map(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
}

/** The text of a field as its lines have it, for what is not YAML: `description: Use when: asked`. */
function fieldInLines(front: string, field: string): string | undefined {
  const lines = front.split(/\r?\n/);
  const at = lines.findIndex(
    (line) => line.toLowerCase().replace(/\s*:.*$/, '') === field && line.includes(':'),
  );
  if (at < 0) return undefined;
  const [first = '', ...rest] = lines.slice(at);
  const end = rest.findIndex((line) => line !== '' && !/^\s/.test(line));
  const value = first.slice(first.indexOf(':') + 1).trim();
  const text = [value.replace(/^[>|][+-]?\d?$/, ''), ...rest.slice(0, end < 0 ? rest.length : end)]
    .join(' ')
    .trim();
  return /^(["']).*\1$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

function inOneLine(description: string): string {
  const characters = Array.from(description.replace(/\s+/g, ' ').trim());
  const most = limits.skillDescriptionCharacters;
  return visibleText(characters.slice(0, most).join('') + (characters.length > most ? '…' : ''));
}
