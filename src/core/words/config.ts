import type { Strictness } from './protocol';
import type { Tool } from './tool';

/** How to handle a call that was written in another protocol's form. */
export type Recovery = 'run' | 'ask' | 'text';

/**
 * Whether and how a tool is offered to a model: `true` with its definition from the beginning, `onDemand` by a line
 * that names it until the model loads the definition.
 */
export type Toggle = boolean | 'onDemand';

/** By wire name or toolset id; the wire name wins. */
export type Toggles = Readonly<Record<string, Toggle>>;

/** Which of the tools that the settings allow an agent is offered. */
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
  /** `manual`: every call waits for the user, including reads. */
  readonly mode: 'auto' | 'manual';
  readonly toolToggles: Toggles;
  readonly defaultToolEnabled: boolean;
  /** Which tools without a toggle are only listed: `auto` rarely needed or numerous ones, `on` all but the core. */
  readonly toolsOnDemand: 'auto' | 'on' | 'off';
  /** Rounds (requests to the model) per message of the user. */
  readonly maxIterations: number;
  /** Milliseconds for a call whose tool sets no limit. Waiting for the user never counts. */
  readonly timeout: number;
  /** `false`: ordinary edits inside the workspace run unasked. */
  readonly requireConfirmation: boolean;
  /** Read-only calls of one reply run in parallel. */
  readonly parallelExecution: boolean;
  /** `run`: as the policy decides, like a repaired call; `ask`: always wait for the user; `text`: treat it as text. */
  readonly recovery: Recovery;
  readonly strictness: Strictness;
  /** What the picked agent allows; everything if absent. Not a setting. */
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
