import type { Json } from '../base/json';
import { plain } from '../core/bind';
import type { ToolSpec } from '../core/tool';
import { findTool } from './calls';

/** Fields of VCPToolBox that steer its own server; no arguments unless the tool declares them. */
const CONTROL_FIELDS = new Set([
  'maid',
  'valet',
  'archery',
  'ink',
  'river',
  'vref',
  'timely_contact',
  'tool_password',
]);

type Fields = ReadonlyMap<string, Json>;

/** Whether a field is no argument, unless the tool declares it. */
export function steersVcp(key: string): boolean {
  return CONTROL_FIELDS.has(key);
}

/** A call as its fields say it. */
interface ResolvedFields {
  readonly name: string;
  readonly values: Fields;
  readonly leftOut: readonly string[];
}

/** The tool that a block means, and those of the given fields that are its arguments; `block` holds all of them. */
export function resolveFields(
  tools: readonly ToolSpec[] | undefined,
  block: Fields,
  given: Fields,
): ResolvedFields {
  const toolName = textIn(block, 'tool_name');
  const name = tools ? nameOf(tools, toolName, textIn(given, 'command')) : toolName;
  const tool = tools && findTool(tools, name);
  const values = new Map([...given].filter(([key, value]) => !tool || !isControl(key, value, tool)));
  return { name, values, leftOut: [...given.keys()].filter((key) => !values.has(key)) };
}

export function textIn(values: Fields, key: string): string {
  const value = values.get(key);
  return typeof value === 'string' ? value.trim() : '';
}

/** Some write the toolset as the name and its method as `command`. */
function nameOf(tools: readonly ToolSpec[], name: string, command: string): string {
  const joined = `${name}_${command}`;
  return command !== '' && !findTool(tools, name) && findTool(tools, joined) ? joined : name;
}

/** Fields that steer VCP itself, unless the tool has an argument of that name. */
function isControl(key: string, value: Json, tool: ToolSpec): boolean {
  if (Object.hasOwn(tool.parameters.properties ?? {}, key)) return false;
  const repeatsName = key === 'command' && typeof value === 'string' && namesOf(tool).includes(plain(value));
  return repeatsName || steersVcp(key);
}

/** What a `command` field may say when it only repeats which tool is meant. */
function namesOf(tool: ToolSpec): string[] {
  return [tool.name, tool.qualifiedName, tool.vcpCommand, methodOf(tool)].flatMap((name) =>
    name === undefined ? [] : plain(name),
  );
}

/** `readFile` of `files_readFile`. */
export function methodOf({ qualifiedName }: ToolSpec): string | undefined {
  return qualifiedName?.slice(qualifiedName.lastIndexOf('_') + 1);
}
