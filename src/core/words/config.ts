import type { Strictness } from './protocol';
import type { Tool } from './tool';

/** What happens to a call that was written in another form than the one asked for. */
export type Recovery = 'run' | 'ask' | 'text';

/**
 * Whether a model is offered a tool, and how: `true` with its definition from the beginning, `onDemand` by a line that names
 * it, until it asks for the definition.
 */
export type Toggle = boolean | 'onDemand';

/** By wire name or toolset id; the wire name wins. */
export type Toggles = Readonly<Record<string, Toggle>>;

/** Which tools an agent is offered, of those that the settings allow. */
export interface AgentTools {
  /** Its name, for people. */
  readonly agent: string;
  readonly readOnly: boolean;
  readonly toolToggles: Toggles;
  readonly defaultToolEnabled: boolean;
}

/** How the tool loop behaves. Every field but the last is a setting under `parley.toolCalling.*`. */
export interface ToolCallConfig {
  /** Without tools the model just answers. */
  readonly enabled: boolean;
  /** `manual`: every call waits for the user, reads too. */
  readonly mode: 'auto' | 'manual';
  readonly toolToggles: Toggles;
  readonly defaultToolEnabled: boolean;
  /** Which tools without a toggle are named in a list: `auto` those that are seldom needed or many, `on` all but the core. */
  readonly toolsOnDemand: 'auto' | 'on' | 'off';
  /** Rounds (requests to the model) per message of the user. */
  readonly maxIterations: number;
  /** Milliseconds for one call that has no limit of its own. Waiting for the user never counts. */
  readonly timeout: number;
  /** `false`: ordinary edits inside the workspace run unasked. */
  readonly requireConfirmation: boolean;
  /** Read-only calls of one reply run side by side. */
  readonly parallelExecution: boolean;
  /** `run` as the policy says, like a repaired call; `ask` always waits for the user; `text` leaves it alone. */
  readonly recovery: Recovery;
  readonly strictness: Strictness;
  /** What the picked agent allows; without it everything. No setting of its own. */
  readonly agentTools?: AgentTools;
}

/** Which of these toggles decides about a tool. */
export function toggleKey(
  { spec, toolset }: Pick<Tool, 'spec' | 'toolset'>,
  toggles: Toggles,
): string | undefined {
  return [spec.name, toolset].find((each) => Object.hasOwn(toggles, each));
}

export function toggleOf(tool: Pick<Tool, 'spec' | 'toolset'>, toggles: Toggles): Toggle | undefined {
  const key = toggleKey(tool, toggles);
  return key === undefined ? undefined : toggles[key];
}
