import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { Tool } from '../core/words/tool';
import { callSkill } from './call-skill';
import type { FoundSkills } from './ports/skills';
import type { Surroundings } from './ports/surroundings';
import type { ToolSource } from './registry';

/** Holds `call_skill`, which lists the skills as the last look has found them; nothing is looked for before. */
export class SkillSource implements ToolSource, Disposable {
  private found: FoundSkills = { skills: [], shadowed: [], ignored: [] };
  private tool: Tool;
  private readonly changes = new Emitter<void>();

  readonly onDidChange = this.changes.event;

  constructor(
    private readonly surroundings: Pick<Surroundings, 'skills'>,
    /** Is told, a sentence each, which skills cannot be used and why; not again while nothing changes. */
    private readonly onProblem: (sentence: string) => void,
  ) {
    this.tool = callSkill(this.found, surroundings);
  }

  tools(): readonly Tool[] {
    return [this.tool];
  }

  async refresh(): Promise<void> {
    const before = this.found;
    this.found = await this.surroundings.skills.find();
    const known = new Set(problemsOf(before));
    for (const problem of problemsOf(this.found)) if (!known.has(problem)) this.onProblem(problem);
    if (listed(before) === listed(this.found)) return;
    // Another object for another description: prompts are remembered by the tools they describe.
    this.tool = callSkill(this.found, this.surroundings);
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }
}

function problemsOf({ ignored, shadowed }: FoundSkills): readonly string[] {
  const hidden = shadowed.map(
    ({ name, folder }) =>
      `The skill ${name} in ${folder} is left out: another one of this name goes before it.`,
  );
  return [...ignored, ...hidden];
}

/** What of it a model is told. */
function listed({ skills, shadowed }: FoundSkills): string {
  const facts = [...skills, ...shadowed].map(({ instructions: _, ...fact }) => fact);
  return JSON.stringify([skills.length, facts]);
}
