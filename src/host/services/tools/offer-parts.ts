import type { Choices } from '../choices/choices';
import type { Mcp } from '../mcp/mcp';
import type { ToolToggles } from './tool-toggles';
import type { WindowTools } from './window-tools';

/** What the next run uses: model, protocol, agent, and the offered tools. */
export interface OfferParts {
  readonly choices: Choices;
  readonly tools: WindowTools;
  readonly toggles: ToolToggles;
  readonly mcp: Mcp;
}
