import type { LabToolset, ToolsToHost } from '../../contract/lab-tools';
import type { LabTab, Tell } from './lab-page';
import type { LabParts } from './lab-window';

/** Tells the page what tools there are. */
export function toolsTab({ tools }: LabParts, tell: Tell): LabTab<ToolsToHost> {
  const listening = tools.onChange(() => tell({ type: 'tools-changed' }));
  return {
    handlers: {
      'list-tools': async (): Promise<readonly LabToolset[]> =>
        (await tools.get()).getDiscoveredMethods().map(({ toolsetId, methods }) => ({
          id: toolsetId,
          tools: methods.map(({ spec }) => ({ name: spec.name, description: spec.description })),
        })),
    },
    dispose: () => void listening.dispose(),
  };
}
