import type { Choices } from '../chat/choices';
import type { Mcp } from '../mcp/mcp';
import type { ToolToggles } from './tool-toggles';
import type { WindowTools } from './window-tools';

/** What the next run works with: the chosen model, protocol and agent, and the tools it is offered. */
export interface OfferParts {
  readonly choices: Choices;
  readonly tools: WindowTools;
  readonly toggles: ToolToggles;
  readonly mcp: Mcp;
}
