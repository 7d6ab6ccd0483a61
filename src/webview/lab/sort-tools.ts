import type { LabTool, LabToolset } from '../../contract/lab-tools';

/** `methods`: the toolset with the most of them first. */
export type ToolOrder = 'name' | 'methods';

/** The tools that have every word of the query in their names, their toolset or their description. */
export function fitting(toolsets: readonly LabToolset[], query: string): readonly LabToolset[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return toolsets
    .map((toolset) => ({
      ...toolset,
      tools: toolset.tools.filter((tool) => words.every((word) => textOf(toolset, tool).includes(word))),
    }))
    .filter(({ tools }) => tools.length > 0);
}

export function sorted(toolsets: readonly LabToolset[], order: ToolOrder): readonly LabToolset[] {
  const byName = [...toolsets]
    .sort((one, other) => compare(one.id, other.id))
    .map((toolset) => ({
      ...toolset,
      tools: [...toolset.tools].sort((one, other) => compare(one.name, other.name)),
    }));
  return order === 'name' ? byName : byName.sort((one, other) => other.tools.length - one.tools.length);
}

function textOf({ id }: LabToolset, { name, qualifiedName = '', description }: LabTool): string {
  return [id, name, qualifiedName, description].join('\n').toLowerCase();
}

/** The same in every language, as are the names. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
