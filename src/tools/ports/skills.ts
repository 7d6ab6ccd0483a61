/** Finds skills: folders with a `SKILL.md`. Never looks into a workspace that is not trusted. */
export interface SkillShelf {
  /** Searches again. Names what cannot be read, and still finds the rest. */
  find(): Promise<FoundSkills>;
}

export interface FoundSkills {
  /** Each name once. Skills of the user take precedence over those of the workspace. */
  readonly skills: readonly Skill[];
  /** Skills whose name was taken. */
  readonly shadowed: readonly Skill[];
  /** A sentence for each skill that cannot be used. */
  readonly ignored: readonly string[];
}

export interface Skill {
  readonly name: string;
  /** One line, written by the author of the skill. */
  readonly description: string;
  readonly instructions: string;
  readonly origin: 'user' | 'workspace';
  /** A path for `read_file`. */
  readonly folder: string;
}
