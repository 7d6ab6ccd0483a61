import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ToolSpec } from '../core/words/tool';
import { clientToolSchema } from '../core/words/tool-schema';
import { builtInSpec, builtInTool, type BuiltInTool } from './built-in-tools';
import { BadRequest, listOf } from './gateway-request';
import { anthropicTool } from './messages-tools';

/** A tool as the client knows it. */
export interface ClientTool {
  /** What the model is told; its name is unique among all tools. */
  readonly spec: ToolSpec;
  readonly name: string;
  /** The group of tools to which it belongs, as clients of the Responses API name an MCP server. */
  readonly namespace?: string;
  /** It takes free text: for the model, a function with the one argument `FREE_TEXT`. */
  readonly isCustom?: boolean;
  readonly builtIn?: BuiltInTool;
  /** The model may call it once it has found it with another tool of the client. */
  readonly isDeferred?: boolean;
}

/** The only argument of a custom tool. */
export const FREE_TEXT = 'input';

/** The tools of a client, by the names under which the model knows them. */
export class OfferedTools {
  private readonly byName: ReadonlyMap<string, ClientTool>;

  constructor(
    tools: readonly ClientTool[] = [],
    /** Tools that only the client's own service could run, or whose schema cannot be read. */
    readonly leftOut: readonly string[] = [],
  ) {
    const distinct = new Map(tools.map((tool) => [identityOf(tool), tool]));
    this.byName = new Map(named([...distinct.values()]).map((tool) => [tool.spec.name, tool]));
  }

  get all(): readonly ClientTool[] {
    return [...this.byName.values()];
  }

  /** By the model's name for it. */
  find(name: string): ClientTool | undefined {
    return this.byName.get(name);
  }

  /** The model's name for a tool in the history, which may be offered no more. */
  nameOf(name: string, namespace: Json | undefined): string {
    if (typeof namespace !== 'string' || namespace === '') return name;
    const tool = this.all.find((each) => each.name === name && each.namespace === namespace);
    return tool?.spec.name ?? shortened(joinedName(name, namespace), identityOf({ name, namespace }));
  }
}

/**
 * The tools in lists of any of the APIs: a function may be nested or flat, and its schema has several names. Tools of
 * other types run at the client's service, so they are left out. Throws `BadRequest`.
 */
export function readTools(...lists: readonly (Json | undefined)[]): OfferedTools {
  const leftOut = new Set<string>();
  const tools = lists.flatMap((list) =>
    toolList(list).flatMap((tool, at) => clientTools(tool, `tools[${at}]`, leftOut)),
  );
  const canSearch = tools.some(({ isDeferred }) => !isDeferred) && ![...leftOut].some(isSearch);
  return new OfferedTools(canSearch ? tools : tools.map(immediate), [...leftOut]);
}

/** A search at the service finds nothing here. */
function isSearch(name: string): boolean {
  return name.startsWith('tool_search');
}

function immediate({ isDeferred: _, ...tool }: ClientTool): ClientTool {
  return tool;
}

/** Missing and empty lists are the same: no tools. Throws `BadRequest` for anything but a list. */
export function toolList(tools: Json | undefined): readonly Json[] {
  if (tools === undefined || tools === null) return [];
  if (!isJsonList(tools)) throw new BadRequest('"tools" must be a list.');
  return tools;
}

function clientTools(tool: Json, where: string, leftOut: Set<string>): readonly ClientTool[] {
  if (!isJsonObject(tool)) throw new BadRequest(`"${where}" must be a function with a name.`);
  const tools = toolsOf(tool, where, leftOut);
  const isDeferred = [tool, tool['function']].some(
    (each) => isJsonObject(each) && each['defer_loading'] === true,
  );
  return isDeferred ? tools.map((each) => ({ ...each, isDeferred })) : tools;
}

function toolsOf(tool: JsonObject, where: string, leftOut: Set<string>): readonly ClientTool[] {
  const { type = 'function' } = tool;
  if (type === 'namespace') return inNamespace(tool, where, leftOut);
  const definition = [tool['function'], tool['custom']].find(isJsonObject) ?? tool;
  const schema = definition['parameters'] ?? definition['input_schema'] ?? definition['inputSchema'];
  const builtIn = builtInTool(tool);
  if (builtIn) return [builtInOf(builtIn, definition, schema)];
  if (type === 'custom' && schema === undefined) return [customTool(definition, where)];
  const { name } = definition;
  const anthropic = schema === undefined ? anthropicTool({ ...definition, type }) : undefined;
  if (anthropic) {
    const own = nameIn(definition, where);
    return [{ name: own, spec: { name: own, ...anthropic } }];
  }
  if (type !== 'function' && schema === undefined) {
    leftOut.add(textOf(name) || textOf(type));
    return [];
  }
  const spec = { name: nameIn(definition, where), description: descriptionOf(definition) };
  const parameters = clientToolSchema(schema);
  if (parameters.ok) return [{ name: spec.name, spec: { ...spec, parameters: parameters.schema } }];
  leftOut.add(spec.name);
  return [];
}

function inNamespace(
  { name: namespace, description, tools }: JsonObject,
  where: string,
  leftOut: Set<string>,
): readonly ClientTool[] {
  if (typeof namespace !== 'string') throw new BadRequest(`"${where}" must be a namespace with a name.`);
  return listOf(tools)
    .flatMap((tool, at) => clientTools(tool, `${where}.tools[${at}]`, leftOut))
    .map((tool) => ({
      ...tool,
      namespace,
      spec: { ...tool.spec, description: tool.spec.description || textOf(description) },
    }));
}

function builtInOf(builtIn: BuiltInTool, definition: JsonObject, schema: Json | undefined): ClientTool {
  const description = descriptionOf(definition);
  const parameters = clientToolSchema(schema);
  const own = {
    ...(description !== '' && { description }),
    ...(parameters.ok && isJsonObject(schema) && { parameters: parameters.schema }),
  };
  return { name: builtIn.type, spec: builtInSpec(builtIn, own), builtIn };
}

function customTool(definition: JsonObject, where: string): ClientTool {
  const name = nameIn(definition, where);
  const description = [descriptionOf(definition), grammarOf(definition)].filter(Boolean).join('\n\n');
  const input = { type: 'string', description: 'The whole input, verbatim.' };
  const parameters = {
    type: 'object',
    properties: { [FREE_TEXT]: input },
    required: [FREE_TEXT],
    additionalProperties: false,
  };
  return { name, isCustom: true, spec: { name, description, parameters } };
}

/** A custom tool's grammar is not enforced, so it is described. The Chat Completions API nests it. */
function grammarOf({ format }: JsonObject): string {
  const given = isJsonObject(format) ? format : {};
  const { syntax, definition } = isJsonObject(given['grammar']) ? given['grammar'] : given;
  if (given['type'] !== 'grammar' || typeof syntax !== 'string' || typeof definition !== 'string') return '';
  return `The input has this form (${syntax}):\n${definition}`;
}

function nameIn({ name }: JsonObject, where: string): string {
  if (typeof name !== 'string' || name === '') throw new BadRequest(`"${where}" has no name.`);
  return name;
}

function descriptionOf({ description }: JsonObject): string {
  return textOf(description);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A tool outside of a namespace keeps its name, which the client may use in its instructions. */
function named(tools: readonly ClientTool[]): readonly ClientTool[] {
  const names = tools.map(({ name, namespace }) =>
    namespace === undefined ? name : joinedName(name, namespace),
  );
  const taken = new Set(tools.flatMap(({ name, namespace }) => (namespace === undefined ? [name] : [])));
  const isUsedTwice = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return tools.map((tool, at) => {
    if (tool.namespace === undefined) return tool;
    const wanted = names[at] ?? '';
    const identity = identityOf(tool);
    let name = isUsedTwice(wanted) ? hashed(wanted, identity) : shortened(wanted, identity);
    for (let salt = 0; taken.has(name); salt++) name = hashed(wanted, `${identity} ${salt}`);
    taken.add(name);
    return { ...tool, spec: { ...tool.spec, name } };
  });
}

function identityOf({ name, namespace = null }: { name: string; namespace?: string | null }): string {
  return JSON.stringify([namespace, name]);
}

/** Like the names that agents give to tools of MCP servers: `mcp__docs__query`. */
function joinedName(name: string, namespace: string): string {
  const joint = namespace.endsWith('_') ? '' : '__';
  return `${namespace}${joint}${name}`.replace(/[^A-Za-z0-9_-]+/g, '_');
}

/** The longest name that the APIs accept. */
const LONGEST_NAME = 64;

function shortened(name: string, identity: string): string {
  return name.length <= LONGEST_NAME ? name : hashed(name, identity);
}

function hashed(name: string, identity: string): string {
  const hash = fnv1a(identity).toString(36);
  return `${name.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
}

/** A short hash, the same in every request (http://www.isthe.com/chongo/tech/comp/fnv/). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
