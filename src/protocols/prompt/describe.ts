import type { Json, JsonObject } from '../../base/json';
import { typesOf, type JsonSchema } from '../../core/words/schema';
import type { ToolSpec } from '../../core/words/tool';

/**
 * A tool in one line, `read_file(path, tail?: integer): what it does`, and one line for each explained argument. An
 * argument without a type is a text.
 */
export function describeBriefly({ name, description, parameters }: ToolSpec): string {
  const { properties = {}, required = [] } = parameters;
  const names = Object.entries(properties).map(([key, schema]) => {
    const type = typeText(schema);
    return `${key}${required.includes(key) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
  });
  const about = Object.entries(properties).flatMap(([key, schema]) => [
    ...(schema.description === undefined ? [] : [`- ${key}: ${schema.description}`]),
    ...innerLines(schema, 0),
  ]);
  return [`${name}(${names.join(', ')}): ${description}`, ...about].join('\n');
}

/** For prompts that describe tools this way. */
export const BRIEFLY = 'An argument without a type is text, and one with ? is optional.';

/** One line per parameter: `- path (string, required): where the file is`; the properties of an object are indented. */
export function describeParameters(schema: JsonSchema): string[] {
  const lines = propertyLines(schema, 0);
  return lines.length === 0 ? ['- none'] : lines;
}

/** Deeper levels have only names and types. */
const DEEPEST_LINES = 3;

function propertyLines(schema: JsonSchema, depth: number): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const facts = [typeText(property), schema.required?.includes(name) ? 'required' : 'optional'];
    if (property.default !== undefined) facts.push(`default ${JSON.stringify(property.default)}`);
    const about = property.description === undefined ? '' : `: ${property.description}`;
    const line = `${'  '.repeat(depth)}- ${name} (${facts.join(', ')})${about}`;
    return [line, ...innerLines(property, depth)];
  });
}

/** The lines of what is inside an argument, if they say more than its type. */
export function innerLines(property: JsonSchema, depth: number): string[] {
  const inner = property.items ?? property;
  const saysMore = Object.values(inner.properties ?? {}).some(({ description }) => description !== undefined);
  return saysMore && depth < DEEPEST_LINES ? propertyLines(inner, depth + 1) : [];
}

/** `list of string`, `{ old: string, new: string }`, `"a" | number`. */
export function typeText(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.type === undefined && members.length > 0) return [...new Set(members.map(typeText))].join(' | ');
  const types = typesOf(schema);
  if (types.includes('array') && schema.items) return `list of ${inBrackets(typeText(schema.items))}`;
  if (types.includes('object') && schema.properties) {
    const inner = Object.entries(schema.properties).map(([name, property]) => {
      const mark = schema.required?.includes(name) ? '' : '?';
      return `${name}${mark}: ${typeText(property)}`;
    });
    return `{ ${inner.join(', ')} }`;
  }
  return types.length === 0 ? 'any' : types.join(' or ');
}

/** Adds brackets if a list of alternatives would be read as alternatives of a list. */
function inBrackets(text: string): string {
  return /^[^{]* \| /.test(text) ? `(${text})` : text;
}

/** The tool whose example shows most: one that takes a text of several lines, else the one with most parameters. */
export function exampleTool(tools: readonly ToolSpec[]): ToolSpec {
  const weight = (tool: ToolSpec): number => {
    const names = Object.keys(tool.parameters.properties ?? {});
    return (names.includes('content') ? 100 : 0) + names.length;
  };
  const [first, ...others] = tools;
  if (!first) throw new Error('There is no tool to take an example from.');
  return others.reduce((best, tool) => (weight(tool) > weight(best) ? tool : best), first);
}

const FILE = 'src/greeting.txt';
const ADDRESS = 'https://example.com/';

/** Plausible arguments for a tool: its own example, else its required ones, or the first one if none is required. */
export function exampleArguments(tool: ToolSpec): JsonObject {
  if (tool.example) return tool.example;
  const properties = Object.entries(tool.parameters.properties ?? {});
  const required = properties.filter(([name]) => tool.parameters.required?.includes(name));
  const shown = required.length > 0 ? required : properties.slice(0, 1);
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleValue(tool.name, name, schema)]));
}

/** Example texts for tools without examples, such as those of MCP servers, by common argument names. */
const EXAMPLES: Readonly<Record<string, string>> = {
  path: FILE,
  from: FILE,
  to: 'docs/greeting.txt',
  content: 'Hello,\nthis is the second line.\n',
  command: 'git status',
  query: 'greeting',
  glob: '**/*.ts',
  url: ADDRESS,
  uri: ADDRESS,
};

/** Whether a tool or an argument is about folders. */
const ABOUT_FOLDERS = /folder|directory|(?:^|[_-])(?:dir|tree)/i;

function exampleValue(tool: string, name: string, schema: JsonSchema): Json {
  const [choice = schema.const] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  const [type = 'string'] = typesOf(schema);
  switch (type) {
    case 'string':
      return exampleText(tool, name, schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [exampleValue(tool, name, schema.items)] : [];
    case 'object':
      return exampleObject(tool, schema);
    default:
      return 'text';
  }
}

function exampleText(tool: string, name: string, { description = '', format }: JsonSchema): string {
  if (format === 'uri') return ADDRESS;
  const known = EXAMPLES[name] ?? 'text';
  return known === FILE && ABOUT_FOLDERS.test(`${tool} ${description}`) ? 'src' : known;
}

function exampleObject(tool: string, schema: JsonSchema): JsonObject {
  const properties = Object.entries(schema.properties ?? {});
  const required = properties.filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(required.map(([name, property]) => [name, exampleValue(tool, name, property)]));
}

/** An argument as text: strings unchanged, everything else as JSON. */
export function argumentText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
