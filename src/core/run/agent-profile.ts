import type { ToolCallConfig } from '../words/config';

/** An agent the user can pick: instructions and tool-calling settings under a name. */
export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  /** Added to the instructions of its conversations. */
  readonly instructions?: string | undefined;
  /** Offer it only tools that read. */
  readonly readOnly?: boolean | undefined;
  /** Id of the model profile that it uses. */
  readonly model?: string | undefined;
  /** Protocol id or `auto`; overrides `toolCalling.protocol`. */
  readonly protocol?: string | undefined;
  readonly toolCalling: { readonly [Field in keyof ToolCallConfig]?: ToolCallConfig[Field] | undefined };
}

export const defaultAgent: AgentProfile = { id: 'agent', name: 'Agent', toolCalling: {} };

/** The planning agent; another agent carries out its plan. */
export const PLAN_AGENT = 'plan';

const BUILT_IN: readonly AgentProfile[] = [
  defaultAgent,
  {
    id: 'ask',
    name: 'Ask',
    readOnly: true,
    instructions: 'Answer questions about this workspace. Look things up and explain. Change nothing.',
    toolCalling: {},
  },
  {
    id: PLAN_AGENT,
    name: 'Plan',
    readOnly: true,
    instructions:
      'Plan; change nothing. Read what matters and ask the user what only they can decide. Then set the plan with `update_todos`: small steps in order, all pending, each with the files it changes. Then explain the plan in a few sentences; the user reviews it.',
    // Always defined, because the plan is this agent's only output.
    toolCalling: { toolToggles: { update_todos: true, ask_user: true } },
  },
];

/** The built-in agents and the user's. A user's agent replaces a built-in one with the same id. */
export function allAgents(own: readonly AgentProfile[]): readonly AgentProfile[] {
  const byId = new Map([...BUILT_IN, ...own].map((agent) => [agent.id, agent]));
  return [...byId.values()];
}

/**
 * The tool-calling settings of an agent: its fields override the settings. Exception: tools are offered only if both
 * the settings and the agent allow them, so a tool that is switched off stays off.
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

/** Only the fields that have a value. */
function withoutGaps<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // SAFETY: only the fields of T with a value are left.
  return Object.fromEntries(given) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
