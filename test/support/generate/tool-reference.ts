import type { JsonSchema } from '../../../src/core/words/schema';
import { typesOf } from '../../../src/core/words/schema-types';
import type { Tool } from '../../../src/core/words/tool';
import { createSurroundings } from '../../../src/node/surroundings';
import { builtInTools } from '../../../src/tools';

export const REFERENCE_FILE = 'src/tools/README.md';
export const TOOLS_PAGE = 'docs/tools.md';

/** Everything after this line is generated. */
const GENERATED = '<!-- Generated from the schemas by `npm run manifest`. -->';

/** Returns the page with its hand-written top unchanged and the current tools. */
export function toolReference(page: string): string {
  const [top = ''] = page.split(GENERATED);
  const tools = builtIn();
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))];
  const parts = toolsets.map((toolset) => [
    `## ${toolset}`,
    ...tools.filter((tool) => tool.toolset === toolset).flatMap(describe),
  ]);
  return `${[`${top}${GENERATED}`, ...parts.flat()].join('\n\n')}\n`;
}

/** Returns the page for users, whose table of toolsets names each tool. */
export function toolsPage(page: string): string {
  return builtIn().reduce((text, { toolset, spec }) => {
    const [row] = new RegExp(`^\\| ${toolset} \\| .*\\|$`, 'm').exec(text) ?? [];
    if (row === undefined) throw new Error(`${TOOLS_PAGE} has no row for the toolset "${toolset}". Add one.`);
    const name = `\`${spec.name}\``;
    return row.includes(name) ? text : text.replace(row, () => `${row.slice(0, -1)}${name} |`);
  }, page);
}

function builtIn(): readonly Tool[] {
  return builtInTools(
    createSurroundings({
      roots: [],
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
    }),
  );
}

function describe(tool: Tool): string[] {
  const { name, qualifiedName, description, parameters, example } = tool.spec;
  const facts = [
    `Effect: ${tool.effect}`,
    ...(qualifiedName === undefined ? [] : [`qualified name: \`${qualifiedName}\``]),
    ...(tool.timeoutMs === undefined ? [] : [`time limit: ${limitOf(tool.timeoutMs)}`]),
    ...(tool.agentCallable ? [] : ['not for models']),
  ];
  return [
    `### \`${name}\``,
    asText(description),
    `${facts.join('; ')}.`,
    ...argumentLines(parameters),
    ...(example ? [`Example: \`${JSON.stringify(example)}\``] : []),
  ];
}

/** Globs are full of characters that Markdown reads as emphasis. */
function asText(text: string): string {
  return text.replace(/[*<]/g, '\\$&');
}

function limitOf(timeoutMs: number | 'none'): string {
  return timeoutMs === 'none' ? 'its own' : `${timeoutMs / 1000} s`;
}

function argumentLines(schema: JsonSchema): string[] {
  const lines = argumentsOf(schema, '');
  return [lines.length === 0 ? 'It takes no arguments.' : lines.join('\n')];
}

function argumentsOf(schema: JsonSchema, indent: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const kind = [typeName(property), ...limitsOf(property), ...(isRequired ? ['required'] : [])].join(', ');
    const text = property.description === undefined ? '' : `: ${asText(property.description)}`;
    return [
      `${indent}- \`${name}\` (${kind})${text}`,
      ...argumentsOf(property, `${indent}  `),
      ...(property.items ? argumentsOf(property.items, `${indent}  `) : []),
    ];
  });
}

function typeName(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const types = typesOf(schema, schema);
  return types
    .map((type) => (type === 'array' && schema.items ? `list of ${typeName(schema.items)}` : type))
    .join(' or ');
}

function limitsOf({ default: value, minimum, maximum }: JsonSchema): string[] {
  return [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(value === undefined ? [] : [`\`${JSON.stringify(value)}\` if not given`]),
  ];
}
