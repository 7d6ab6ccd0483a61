/** What a message can be instead of one: the whole of it says `/new`. */
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

/** A message may begin with the name of a skill, and say behind it what that is applied to. */
export interface NamedSkill {
  readonly name: string;
  readonly args: string;
}

/** What a message would name if there is such a skill. */
export function namedSkill(text: string): NamedSkill | undefined {
  const [, name = '', args = ''] = NAMED.exec(text.trim()) ?? [];
  return name === '' ? undefined : { name, args };
}

/** Whether what stands behind the slash has the form of a prompt of an MCP server. No skill is named so, and `/mcp.json` is a file. */
export function isPromptName(name: string): boolean {
  return /^mcp\..+\../.test(name);
}

/** What stands before the caret and may become a command, without its slash. */
export function slashDraft(caret: number, text: string): string | undefined {
  return DRAFT.exec(text.slice(0, Math.min(caret, LONGEST + 1)))?.[1];
}

/** Characters of a name. */
const LONGEST = 100;

const NAMED = /^\/([^\s/]{1,100})(?:\s+(.*))?$/s;

const DRAFT = /^\/([^\s/]*)$/;
