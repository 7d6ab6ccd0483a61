import type { Json, JsonObject } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { listedValues, resolvedSchema, typesOf, unionOf } from '../../core/words/schema-types';
import type { ToolSpec } from '../../core/words/tool';

/**
 * A tool in one line, `read_file(path, tail?: integer): what it does`, and one line for each explained argument. An
 * argument without a type is a text.
 */
export function describeBriefly({ name, description, parameters }: ToolSpec): string {
  const { required = [] } = parameters;
  const names = propertiesOf(parameters, parameters).map(([key, schema]) => {
    const type = typeText(schema, parameters);
    return `${key}${required.includes(key) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
  });
  const about = propertiesOf(parameters, parameters).flatMap(([key, schema]) => [
    ...(schema.description === undefined ? [] : [`- ${key}: ${schema.description}`]),
    ...innerLines(schema, parameters, 0),
  ]);
  return [`${name}(${names.join(', ')}): ${description}`, ...about].join('\n');
}

/** For prompts that describe tools this way. */
export const BRIEFLY = 'An argument without a type is text, and one with ? is optional.';

/** One line per parameter: `- path (string, required): where the file is`; the properties of an object are indented. */
export function describeParameters(schema: JsonSchema): string[] {
  const lines = propertyLines(schema, schema, 0);
  return lines.length === 0 ? ['- none'] : lines;
}

/** Deeper levels have only names and types. */
const DEEPEST_LINES = 3;

function propertyLines(schema: JsonSchema, whole: JsonSchema, depth: number): string[] {
  return propertiesOf(schema, whole).flatMap(([name, property]) => {
    const facts = [typeText(property, whole), schema.required?.includes(name) ? 'required' : 'optional'];
    if (property.default !== undefined) facts.push(`default ${JSON.stringify(property.default)}`);
    const about = property.description === undefined ? '' : `: ${property.description}`;
    const line = `${'  '.repeat(depth)}- ${name} (${facts.join(', ')})${about}`;
    return [line, ...innerLines(property, whole, depth)];
  });
}

function propertiesOf(schema: JsonSchema, whole: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return Object.entries(schema.properties ?? {}).map(([name, each]) => [name, resolvedSchema(each, whole)]);
}

/** The lines of what is inside a resolved argument, if they say more than its type. */
export function innerLines(property: JsonSchema, whole: JsonSchema, depth: number): string[] {
  const variants = unionOf(property).map((each) => resolvedSchema(each, whole));
  const [only = property, ...others] = variants.filter((each) => typesOf(each, whole).join() !== 'null');
  if (others.length > 0) return [];
  const inner = only.items ? resolvedSchema(only.items, whole) : only;
  const saysMore = propertiesOf(inner, whole).some(([, { description }]) => description !== undefined);
  return saysMore && depth < DEEPEST_LINES ? propertyLines(inner, whole, depth + 1) : [];
}

/** Deeper types are named without their parts: schemas may be recursive. */
const DEEPEST_TYPE = 4;

/** `list of string`, `{ old: string, new: string }`, `"a" | number`. */
export function typeText(given: JsonSchema, whole: JsonSchema, depth = 0): string {
  const schema = resolvedSchema(given, whole);
  const values = listedValues(schema);
  if (values) return values.map((each) => JSON.stringify(each)).join(' | ');
  const inside = (each: JsonSchema): string => typeText(each, whole, depth + 1);
  const types = typesOf(schema, whole);
  if (depth >= DEEPEST_TYPE) return types.length === 0 ? 'any' : types.join(' or ');
  const members = unionOf(schema);
  if (members.length > 0) return [...new Set(members.map(inside))].join(' | ');
  const named = types.map((type) => {
    if (type === 'array' && schema.items) return `list of ${inBrackets(inside(schema.items))}`;
    return type === 'object' && schema.properties ? objectText(schema, inside) : type;
  });
  return named.length === 0 ? 'any' : named.join(' or ');
}

function objectText(schema: JsonSchema, inside: (each: JsonSchema) => string): string {
  const inner = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${name}${mark}: ${inside(property)}`;
  });
  return `{ ${inner.join(', ')} }`;
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
  const properties = propertiesOf(tool.parameters, tool.parameters);
  const required = properties.filter(([name]) => tool.parameters.required?.includes(name));
  const shown = required.length > 0 ? required : properties.slice(0, 1);
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleValue(tool, name, schema)]));
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

function exampleValue(tool: ToolSpec, name: string, given: JsonSchema, depth = 0): Json {
  const schema = resolvedSchema(given, tool.parameters);
  const [value] = listedValues(schema) ?? [];
  if (value !== undefined) return value;
  const [type = 'string'] = typesOf(schema, tool.parameters);
  const [member] = unionOf(schema).filter((each) => typesOf(each, tool.parameters).includes(type));
  if (depth >= DEEPEST_TYPE) return {};
  if (member) return exampleValue(tool, name, member, depth + 1);
  switch (type) {
    case 'string':
      return exampleText(tool.name, name, schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [exampleValue(tool, name, schema.items, depth + 1)] : [];
    case 'object':
      return exampleObject(tool, schema, depth);
    default:
      return 'text';
  }
}

function exampleText(tool: string, name: string, { description = '', format }: JsonSchema): string {
  if (format === 'uri') return ADDRESS;
  const known = EXAMPLES[name] ?? 'text';
  return known === FILE && ABOUT_FOLDERS.test(`${tool} ${description}`) ? 'src' : known;
}

function exampleObject(tool: ToolSpec, schema: JsonSchema, depth: number): JsonObject {
  const properties = Object.entries(schema.properties ?? {});
  const required = properties.filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(
    required.map(([name, property]) => [name, exampleValue(tool, name, property, depth + 1)]),
  );
}

/** An argument as text: strings unchanged, everything else as JSON. */
export function argumentText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
