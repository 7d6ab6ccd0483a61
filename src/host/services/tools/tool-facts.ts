import { loadProtocol } from '../../../agent/protocol-for';
import { offerOver, whyNotOver } from '../../../core/run/offer';
import { divideOffer, listLines } from '../../../core/run/on-demand';
import { toggleOf, type Toggle } from '../../../core/words/config';
import type { Tool } from '../../../core/words/tool';
import { promptForm } from '../../../models/profiles';
import { countTokens } from '../../../node/tokens';
import { isAllowedTo } from '../../../tools/registry';
import type { Choices } from '../choices/choices';
import { toolCallConfig } from '../choices/run-setup';
import type { SettingsStore } from '../../platform/settings';
import type { ToggleSource, ToolToggles } from './tool-toggles';
import type { WindowTools } from './window-tools';

/** `on`: models always get the definition; `onDemand`: a line that names the tool, until they load the definition. */
export type ToolState = 'on' | 'onDemand' | 'off';

/** Current facts about a tool. */
export interface ToolFacts {
  readonly tool: Tool;
  readonly state: ToolState;
  /** Approximate tokens it adds to every request; for a tool that is off, the tokens of its definition. */
  readonly cost: number;
  /** Approximate tokens of its definition once loaded, for a tool on demand. */
  readonly definitionCost?: number;
  /** Its toggle in the settings. */
  readonly toggle?: Toggle;
  /** The setting that decides it; none by default. */
  readonly source?: ToggleSource;
  /** Why it cannot be called with the picked protocol, in a sentence. */
  readonly notOverProtocol?: string;
  /** Name of the picked agent, if that may not use it. */
  readonly notForAgent?: string;
}

interface OfferNowParts {
  readonly tools: Pick<WindowTools, 'get'>;
  readonly settings: SettingsStore;
  readonly choices: Choices;
}

/** Tools that the next request only lists, or would list if tools were enabled. */
export async function listedNow({ tools, settings, choices }: OfferNowParts): Promise<readonly Tool[]> {
  const protocol = await loadProtocol(choices.protocol);
  const offer = offerOver(protocol, await tools.get());
  const config = { ...toolCallConfig(settings, choices), enabled: true };
  return divideOffer(offer.offered(config), config, protocol).listed;
}

export interface ToolLookParts extends OfferNowParts {
  readonly toggles: Pick<ToolToggles, 'isOn' | 'sourceOf'>;
}

/** Collects facts about tools from the settings and pickers. */
export class ToolLook {
  /** By tool and its describer: counting is the most expensive step. */
  private readonly costs = new WeakMap<Tool, { readonly by: string; readonly tokens: number }>();

  constructor(private readonly parts: ToolLookParts) {}

  async now(): Promise<(tool: Tool) => ToolFacts> {
    const { settings, toggles, choices } = this.parts;
    const protocol = await loadProtocol(choices.protocol);
    const form = choices.profile ? promptForm(choices.profile) : 'full';
    const lineCosts = costsOfLines(await listedNow(this.parts));
    const toolToggles = settings.get('toolCalling.toolToggles');
    const { agentTools } = toolCallConfig(settings, choices);
    return (tool) => {
      const { spec } = tool;
      const lineCost = toggles.isOn(tool) ? lineCosts.get(spec.name) : undefined;
      const toggle = toggleOf(tool, toolToggles);
      const source = toggles.sourceOf(tool);
      const notOverProtocol = whyNotOver(protocol, spec);
      return {
        tool,
        ...(lineCost === undefined
          ? {
              state: toggles.isOn(tool) ? 'on' : 'off',
              cost: this.count(tool, `${protocol.id} ${form}`, () => protocol.describeTool(spec, form)),
            }
          : {
              state: 'onDemand',
              cost: lineCost,
              definitionCost: this.count(tool, `${protocol.id} asked`, () => protocol.describeTool(spec)),
            }),
        ...(toggle !== undefined && { toggle }),
        ...(source && { source }),
        ...(notOverProtocol !== undefined && { notOverProtocol }),
        ...(!isAllowedTo(tool, agentTools) && { notForAgent: choices.agent.name }),
      };
    };
  }

  private count(tool: Tool, by: string, text: () => string): number {
    const known = this.costs.get(tool);
    if (known?.by === by) return known.tokens;
    const tokens = countTokens(text());
    this.costs.set(tool, { by, tokens });
    return tokens;
  }
}

/** By wire name. Tools that share a line share its cost. */
function costsOfLines(listed: readonly Tool[]): ReadonlyMap<string, number> {
  return new Map(
    listLines(listed).flatMap(({ text, tools }) => {
      const share = countTokens(text) / tools.length;
      return tools.map(({ spec }) => [spec.name, share] as const);
    }),
  );
}
