import * as vscode from 'vscode';
import { withoutHiddenText } from '../../../base/text';
import type { NamedSkill } from '../../../core/slash-commands';
import type { TextAttachment } from '../../../core/words/attachment';
import { createSkillShelf } from '../../../node/files/skills';
import { skillText } from '../../../tools/call-skill';
import type { Skill } from '../../../tools/ports/skills';
import { windowFileAccess, type FileAccessParts } from '../../platform/files/window-files';

/** The skill at the start of a message is attached as advice, in the words of its author. */
export async function attachedSkill(
  { name, args }: NamedSkill,
  parts: FileAccessParts,
): Promise<readonly TextAttachment[]> {
  const skill = (await skillsOf(parts)).find((each) => each.name === name);
  if (!skill) return [];
  return [
    { type: 'text', source: 'skill', label: `/${name}`, text: withoutHiddenText(skillText(skill, args)) },
  ];
}

/** Skills that a message may begin with. */
export async function skillsOf(parts: FileAccessParts): Promise<readonly Skill[]> {
  const shelf = createSkillShelf({
    roots: windowFileAccess(parts).roots,
    isTrusted: () => vscode.workspace.isTrusted,
  });
  return (await shelf.find()).skills;
}
