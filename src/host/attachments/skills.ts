import * as vscode from 'vscode';
import { withoutHiddenText } from '../../base/visible-text';
import type { TextAttachment } from '../../core/attachment';
import type { NamedSkill } from '../../core/slash-commands';
import { createSkillShelf } from '../../node/skills';
import { skillText } from '../../tools/skill-text';
import type { Skill } from '../../tools/workspace';
import { windowPlaces, type PlaceParts } from '../files/window-places';

/** The skill that a message begins with goes along as what it is: advice, in the words of whoever wrote it. */
export async function attachedSkill(
  { name, args }: NamedSkill,
  parts: PlaceParts,
): Promise<readonly TextAttachment[]> {
  const skill = (await skillsOf(parts)).find((each) => each.name === name);
  if (!skill) return [];
  return [
    { type: 'text', source: 'skill', label: `/${name}`, text: withoutHiddenText(skillText(skill, args)) },
  ];
}

/** The skills that a message may begin with. */
export async function skillsOf(parts: PlaceParts): Promise<readonly Skill[]> {
  const shelf = createSkillShelf({
    roots: windowPlaces(parts).roots,
    isTrusted: () => vscode.workspace.isTrusted,
  });
  return (await shelf.find()).skills;
}
