import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { isDeeperThan, type Json } from '../base/json';
import { visibleText } from '../base/text';
import { digest } from './pins';
import type { McpLimits } from './ports';

/** Model servers refuse longer names. */
const LONGEST = 64;

/** The source of a name: its preferred spelling, and the full identity it represents. */
interface Named {
  readonly plain: string;
  readonly key: string;
}

/** Looks like a name with a hash: unchanged, it could be crafted to equal another. */
const HASHED = /_[0-9a-f]{6}$/;

/**
 * A safe name for each: letters, digits, `_` and `-`. Duplicate or long names end in a hash of their identity, so
 * that no name ever passes to another tool.
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

/** Deeper schemas can be neither shown nor checked. */
const DEEPEST = 200;

/** Tools that can be shown and told apart: duplicates and oversized ones are dropped. */
export function usableTools(
  tools: readonly ListedTool[],
  { mcpToolBytes: most }: Pick<McpLimits, 'mcpToolBytes'>,
  log: (text: string) => void,
): readonly ListedTool[] {
  const texts = new Map<string, string>();
  return tools.filter((tool) => {
    const shown = visibleText(tool.name.slice(0, 100));
    // SAFETY: it was received as JSON.
    const isTooDeep = isDeeperThan(DEEPEST, tool as Json);
    const text = isTooDeep ? '' : JSON.stringify(tool);
    const first = texts.get(tool.name);
    if (first !== undefined) {
      // Pages of a list may overlap.
      if (first !== text) log(`[A second tool is called ${shown}; it is left out.]`);
      return false;
    }
    texts.set(tool.name, text);
    if (!isTooDeep && text.length <= most) return true;
    log(`[The tool ${shown} is too large; it is left out.]`);
    return false;
  });
}
