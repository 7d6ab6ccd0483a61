import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { isDeeperThan, type Json } from '../base/json';
import { visibleText } from '../base/visible-text';
import type { McpLimits } from './ports';

/** No schema that anybody could show or check is deeper. */
const DEEPEST = 200;

/** Those that can be shown and told apart: a second one of a name is none, whatever it says, nor is one without bounds. */
export function usableTools(
  tools: readonly ListedTool[],
  { mcpToolBytes: most }: Pick<McpLimits, 'mcpToolBytes'>,
  log: (text: string) => void,
): readonly ListedTool[] {
  const names = new Set<string>();
  return tools.filter((tool) => {
    const shown = visibleText(tool.name.slice(0, 100));
    if (names.has(tool.name)) {
      log(`[A second tool is called ${shown}; it is left out.]`);
      return false;
    }
    names.add(tool.name);
    // SAFETY: it came as JSON.
    if (!isDeeperThan(DEEPEST, tool as Json) && JSON.stringify(tool).length <= most) return true;
    log(`[The tool ${shown} is too large; it is left out.]`);
    return false;
  });
}
