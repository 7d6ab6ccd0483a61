import { isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ToolSpec } from '../core/words/tool';
import { BadRequest, listOf, type GatewayRequest } from './gateway-request';
import type { ClientTool, OfferedTools } from './offered-tools';

type ChosenTools = Pick<GatewayRequest, 'tools' | 'needsCall'>;

/**
 * The tools that may be called, by `tool_choice` as any of the APIs spells it: all but those that must be found first.
 * If tools are named, only these are offered, so that no others can be called. A tool that is not offered cannot be required, and an unknown mode means
 * nothing. Throws `BadRequest` for the name of an unknown function.
 */
export function chosenTools(offered: OfferedTools, choice: Json | undefined): ChosenTools {
  const all = offered.all;
  const immediate = all.filter(({ isDeferred }) => !isDeferred);
  if (typeof choice === 'string') {
    const tools = MODES.includes(choice.toLowerCase()) ? [] : matching(all, { name: choice });
    return tools.length > 0 ? required(tools) : byMode(immediate, choice);
  }
  if (!isJsonObject(choice)) return byMode(immediate, 'auto');
  const { type = null, mode = null } = choice;
  if (type === 'allowed_tools') {
    const allowed = isJsonObject(choice['allowed_tools']) ? choice['allowed_tools'] : choice;
    const listed = listOf(allowed['tools']).map((tool) => (isJsonObject(tool) ? tool : { name: tool }));
    const named = new Set(listed.flatMap((each) => matching(all, each)));
    return byMode(
      all.filter((tool) => named.has(tool)),
      allowed['mode'] ?? null,
    );
  }
  const tools = matching(all, choice);
  if (tools.length > 0) return required(tools);
  if (isMissing(choice)) throw new BadRequest('"tool_choice" names an unknown tool.');
  return byMode(immediate, type ?? mode);
}

const MODES: readonly string[] = ['auto', 'none', 'required', 'any'];

/** Whether the choice is a function that the client should have sent. */
function isMissing(choice: JsonObject): boolean {
  const { type = 'function' } = choice;
  const isFunction = type === 'function' || type === 'custom' || type === 'tool';
  return isFunction && (choice['type'] !== undefined || nameIn(choice) !== undefined);
}

function byMode(tools: readonly ClientTool[], mode: Json): ChosenTools {
  switch (typeof mode === 'string' ? mode.toLowerCase() : mode) {
    case 'none':
      return { tools: [], needsCall: false };
    case 'required':
    case 'any':
      return required(tools);
    default:
      return { tools: tools.map(specOf), needsCall: false };
  }
}

function required(tools: readonly ClientTool[]): ChosenTools {
  return { tools: tools.map(specOf), needsCall: tools.length > 0 };
}

function specOf({ spec }: ClientTool): ToolSpec {
  return spec;
}

/** The tools that a choice or an entry of a list of allowed tools means: one, or all of a namespace. */
function matching(tools: readonly ClientTool[], choice: JsonObject): readonly ClientTool[] {
  const { type = null, namespace } = choice;
  const name = nameIn(choice);
  if (name === undefined)
    return tools.filter(({ builtIn }) => builtIn !== undefined && builtIn.type === type);
  if (type === 'namespace') return tools.filter((tool) => tool.namespace === name);
  if (typeof namespace === 'string')
    return tools.filter((tool) => tool.name === name && tool.namespace === namespace);
  const exact = tools.filter(({ spec }) => spec.name === name);
  return exact.length > 0 ? exact : tools.filter((tool) => tool.name === name);
}

function nameIn({ name, function: nested, custom }: JsonObject): Json | undefined {
  if (typeof name === 'string') return name;
  if (typeof nested === 'string') return nested;
  return [nested, custom].find(isJsonObject)?.['name'];
}
