import type { Tool } from '../../core/words/tool';
import { promptForm } from '../../models/profiles';
import { countTokens } from '../../node/tokens';
import { isAllowedTo } from '../../tools/registry';
import type { Choices } from '../chat/choices';
import { loadProtocol, toolCallConfig } from '../chat/run-setup';
import type { SettingsStore } from '../window/settings';
import type { ToggleSource, ToolToggles } from './tool-toggles';

/** A tool as things are now. */
export interface ToolFacts {
  readonly tool: Tool;
  readonly isOn: boolean;
  /** About how many tokens it adds to every request. */
  readonly cost: number;
  /** Which setting switches it; none by default. */
  readonly source?: ToggleSource;
  /** The name of the picked agent, where that may not use it. */
  readonly notForAgent?: string;
}

interface ToolFactsParts {
  readonly settings: SettingsStore;
  readonly toggles: Pick<ToolToggles, 'isOn' | 'sourceOf'>;
  readonly choices: Choices;
}

/** Looks at tools as the settings and the pickers have them. */
export class ToolLook {
  /** By tool and by what describes it: counting is the most work here. */
  private readonly costs = new WeakMap<Tool, { readonly by: string; readonly tokens: number }>();

  constructor(private readonly parts: ToolFactsParts) {}

  async now(): Promise<(tool: Tool) => ToolFacts> {
    const { settings, toggles, choices } = this.parts;
    const protocol = await loadProtocol(choices.protocol);
    const form = choices.profile ? promptForm(choices.profile) : 'full';
    const by = `${choices.protocol.id} ${form}`;
    const costOf = (tool: Tool): number => {
      const known = this.costs.get(tool);
      if (known?.by === by) return known.tokens;
      const tokens = countTokens(protocol.describeTool(tool.spec, form));
      this.costs.set(tool, { by, tokens });
      return tokens;
    };
    const { agentTools } = toolCallConfig(settings, choices);
    return (tool) => {
      const source = toggles.sourceOf(tool);
      return {
        tool,
        isOn: toggles.isOn(tool),
        cost: costOf(tool),
        ...(source && { source }),
        ...(!isAllowedTo(tool, agentTools) && { notForAgent: choices.agent.name }),
      };
    };
  }
}
