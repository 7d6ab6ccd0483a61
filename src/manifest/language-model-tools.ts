import type { Effect, Tool } from '../core/words/tool';
import { contributedName, isContributed } from '../tools/registry';

/** Our tools as VS Code's own agent, and other extensions, may call them. */
export function languageModelTools(
  tools: readonly Tool[],
  text: (key: string, english: string) => string,
): readonly object[] {
  const contributed = tools.filter(isContributed);
  const names = contributed.map(({ spec }) => spec.name);
  return contributed.map((tool) => ({
    name: contributedName(tool),
    toolReferenceName: contributedName(tool),
    displayName: text(`tool.${tool.spec.name}`, `${tool.displayName ?? wordsOf(tool.method)} (Parley)`),
    ...(tool.userDescription !== undefined && {
      userDescription: text(`tool.${tool.spec.name}.description`, tool.userDescription),
    }),
    icon: `$(${effectIcons[tool.effect]})`,
    modelDescription: withContributedNames(tool.spec.description, names),
    inputSchema: tool.spec.parameters,
    canBeReferencedInPrompt: true,
  }));
}

/** `Read File` for `readFile`. */
function wordsOf(method: string): string {
  return method.replace(/^./, (letter) => letter.toUpperCase()).replace(/(?<=[a-z])[A-Z]/g, ' $&');
}

/** Descriptions mention other tools, which have other names here. */
function withContributedNames(description: string, names: readonly string[]): string {
  return description.replace(new RegExp(`\\b(?:${names.join('|')})\\b`, 'g'), 'parley_$&');
}

/** Codicon of a tool, by its strongest effect. */
export const effectIcons: Readonly<Record<Effect, string>> = {
  read: 'eye',
  write: 'edit',
  execute: 'terminal',
  network: 'globe',
};
