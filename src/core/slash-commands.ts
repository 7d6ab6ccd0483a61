/** Commands that replace a message: the whole text is `/new`. */
const slashCommands = [
  'new',
  'compact',
  'model',
  'protocol',
  'agent',
  'tools',
  'export',
  'sandbox',
  'help',
] as const;

export type SlashCommand = (typeof slashCommands)[number];

export function slashCommandOf(text: string): SlashCommand | undefined {
  return slashCommands.find((command) => text.trim() === `/${command}`);
}

/** A message that begins with a skill's name, followed by what to apply the skill to. */
export interface NamedSkill {
  readonly name: string;
  readonly args: string;
}

/** The skill that a message would name, whether it exists or not. */
export function namedSkill(text: string): NamedSkill | undefined {
  const [, name = '', args = ''] = NAMED.exec(text.trim()) ?? [];
  return name === '' ? undefined : { name, args };
}

/**
 * Whether the name after the slash has the form of an MCP server's prompt. Skills have no such names, and `/mcp.json`
 * is a file.
 */
export function isPromptName(name: string): boolean {
  return /^mcp\..+\../.test(name);
}

/** Text before the caret that may become a command, without its slash. */
export function slashDraft(caret: number, text: string): string | undefined {
  return DRAFT.exec(text.slice(0, Math.min(caret, LONGEST + 1)))?.[1];
}

/** Characters of a name. */
const LONGEST = 100;

const NAMED = /^\/([^\s/]{1,100})(?:\s+(.*))?$/s;

const DRAFT = /^\/([^\s/]*)$/;
