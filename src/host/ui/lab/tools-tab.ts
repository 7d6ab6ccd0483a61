import { DisposableStore } from '../../../base/disposable';
import type { LabTool, ToolsToHost } from '../../../contract/lab-tools';
import { ToolLook, type ToolFacts } from '../../services/tools/tool-facts';
import { costText, effectText, originText, stateText, whyUnavailable } from '../tools/tool-items';
import { OFFER_SETTINGS } from '../../services/tools/tool-toggles';
import type { LabParts, LabTab, PagePort } from './lab-parts';

/** Lists all tools for the page, on and off. */
export function toolsTab(parts: LabParts, { tell }: PagePort): LabTab<ToolsToHost> {
  const { tools, settings, choices } = parts;
  const look = new ToolLook(parts);
  const store = new DisposableStore();
  const change = (): void => tell({ type: 'tools-changed' });
  store.add(tools.onChange(change));
  store.add(settings.onChange(OFFER_SETTINGS, change));
  // Another protocol or model describes them differently.
  store.add(choices.onChange(change));
  return {
    handlers: {
      'list-tools': async () => {
        const factsOf = await look.now();
        const toolsets = (await tools.get()).getDiscoveredMethods();
        return toolsets.map(({ toolsetId, methods }) => ({
          id: toolsetId,
          tools: methods.map((tool) => labTool(factsOf(tool))),
        }));
      },
    },
    dispose: () => store.dispose(),
  };
}

function labTool(facts: ToolFacts): LabTool {
  const { tool, state } = facts;
  const { name, qualifiedName, description, parameters } = tool.spec;
  const problem = whyUnavailable(facts)?.sentence;
  return {
    name,
    ...(qualifiedName !== undefined && { qualifiedName }),
    description,
    parameters,
    effect: tool.effect,
    isOn: state !== 'off',
    ...(problem !== undefined && { problem }),
    words: {
      state: stateText(state),
      effect: effectText(tool.effect),
      source: originText(tool),
      cost: costText(facts),
    },
  };
}
