import type { ToolCallConfig } from '../words/config';

/** An agent the user can pick: instructions of its own and its own way of calling tools. */
export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  /** Added to the instructions of its conversations. */
  readonly instructions?: string | undefined;
  /** It is offered only tools that read. */
  readonly readOnly?: boolean | undefined;
  /** Id of the profile of the model that it works with. */
  readonly model?: string | undefined;
  /** Protocol id or `auto`; stands where `toolCalling.protocol` does. */
  readonly protocol?: string | undefined;
  readonly toolCalling: { readonly [Field in keyof ToolCallConfig]?: ToolCallConfig[Field] | undefined };
}

export const defaultAgent: AgentProfile = { id: 'agent', name: 'Agent', toolCalling: {} };

/** The agent that plans; what it has planned another one carries out. */
export const PLAN_AGENT = 'plan';

const BUILT_IN: readonly AgentProfile[] = [
  defaultAgent,
  {
    id: 'ask',
    name: 'Ask',
    readOnly: true,
    instructions:
      'You answer questions about this workspace. You look things up and explain; you change nothing.',
    toolCalling: {},
  },
  {
    id: PLAN_AGENT,
    name: 'Plan',
    readOnly: true,
    instructions:
      'You plan and change nothing. Look at what matters, ask the user what only they can decide, then set the plan with `update_todos`: small steps in their order, all pending, each with the files it changes. Then say in a few sentences why it is so; the user reviews it.',
    // Defined from the beginning: the plan is all that comes of it.
    toolCalling: { toolToggles: { update_todos: true, ask_user: true } },
  },
];

/** The built-in agents and the user's; one of the user's takes the place of a built-in one with its id. */
export function allAgents(own: readonly AgentProfile[]): readonly AgentProfile[] {
  const byId = new Map([...BUILT_IN, ...own].map((agent) => [agent.id, agent]));
  return [...byId.values()];
}

/**
 * How the loop behaves for an agent: its fields stand in the place of the settings. Tools are the exception: it is
 * offered what both the settings and the agent allow, so that switching a tool off always switches it off.
 */
export function configFor(
  { name, readOnly = false, toolCalling }: AgentProfile,
  config: ToolCallConfig,
): ToolCallConfig {
  const { enabled = true, toolToggles = {}, defaultToolEnabled = true, ...own } = toolCalling;
  return {
    ...config,
    ...withoutGaps(own),
    enabled: config.enabled && enabled,
    agentTools: { agent: name, readOnly, toolToggles, defaultToolEnabled },
  };
}

/** Fields that were given. */
function withoutGaps<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // SAFETY: what is left are the fields of T that have a value.
  return Object.fromEntries(given) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
