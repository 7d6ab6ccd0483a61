/** Where skills stand: folders with a `SKILL.md`. Before the workspace is trusted, nothing of it is looked at. */
export interface SkillShelf {
  /** Looks anew. What cannot be read is named, and keeps nothing else from being found. */
  find(): Promise<FoundSkills>;
}

export interface FoundSkills {
  /** Each name once. What the user has made goes before what came with the workspace. */
  readonly skills: readonly Skill[];
  /** Those whose name was taken. */
  readonly shadowed: readonly Skill[];
  /** A sentence for each one that cannot be used. */
  readonly ignored: readonly string[];
}

export interface Skill {
  readonly name: string;
  /** One line, in the words of whoever wrote the skill. */
  readonly description: string;
  readonly instructions: string;
  readonly origin: 'user' | 'workspace';
  /** As `read_file` takes it. */
  readonly folder: string;
}
