import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { isDeeperThan, type Json } from '../base/json';
import { visibleText } from '../base/text';
import { digest } from './pins';
import type { McpLimits } from './ports';

/** Longer names are refused by model servers. */
const LONGEST = 64;

/** What a name is made for: how it should look, and what it stands for in full. */
interface Named {
  readonly plain: string;
  readonly key: string;
}

/** Looks as if it ended in a hash: kept plain, it could be made to be the name of another. */
const HASHED = /_[0-9a-f]{6}$/;

/**
 * A safe name for each: letters, digits, `_` and `-`. Where two would be the same, or one would be too long, it ends in
 * a hash of what it stands for, so that no name ever goes over to another.
 */
export function safeNames(all: readonly Named[]): readonly string[] {
  const safe = all.map(({ plain }) => plain.replace(/[^A-Za-z0-9_-]+/g, '_'));
  const count = new Map<string, number>();
  for (const name of safe) count.set(name, (count.get(name) ?? 0) + 1);
  return all.map(({ key }, at) => {
    const name = safe[at] ?? '';
    if (count.get(name) === 1 && name.length <= LONGEST && !HASHED.test(name)) return name;
    const hash = digest(key).slice(0, 6);
    return `${name.slice(0, LONGEST - hash.length - 1)}_${hash}`;
  });
}

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
