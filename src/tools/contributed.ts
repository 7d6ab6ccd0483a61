import type { Tool } from '../core/tool';

/** What the names of our tools begin with where others see them beside their own. */
const PREFIX = 'parley_';

/** Whether others may call a tool: those of the toolset `agent` are part of the loop of a conversation. */
export function isContributed({ toolset }: Tool): boolean {
  return toolset !== 'agent';
}

export function contributedName({ spec }: Tool): string {
  return PREFIX + spec.name;
}

export function isContributedName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The wire name. */
export function wireNameOf(contributed: string): string {
  return contributed.slice(PREFIX.length);
}
