import type { Strictness } from './protocol';

/** What happens to a call that was written in another form than the one asked for. */
export type Recovery = 'run' | 'ask' | 'text';

/** Which tools an agent is offered, of those that the settings allow. */
export interface AgentTools {
  /** Its name, for people. */
  readonly agent: string;
  readonly readOnly: boolean;
  readonly toolToggles: Readonly<Record<string, boolean>>;
  readonly defaultToolEnabled: boolean;
}

/** How the tool loop behaves. Every field but the last is a setting under `parley.toolCalling.*`. */
export interface ToolCallConfig {
  /** Without tools the model just answers. */
  readonly enabled: boolean;
  /** `manual`: every call waits for the user, reads too. */
  readonly mode: 'auto' | 'manual';
  /** By wire name or toolset id; the wire name wins. */
  readonly toolToggles: Readonly<Record<string, boolean>>;
  readonly defaultToolEnabled: boolean;
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
