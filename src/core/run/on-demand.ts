import type { Json } from '../../base/json';
import { keepLast } from '../../base/keep-last';
import { visibleText } from '../../base/text';
import { toggleOf, type AgentTools, type Toggles, type ToolCallConfig } from '../words/config';
import type { Turn } from '../words/messages';
import type { Protocol } from '../words/protocol';
import type { JsonSchema } from '../words/schema';
import { CALL_TOOL, LOAD_TOOLS, servesOthers, ToolError, type Tool, type ToolSpec } from '../words/tool';
import type { ToolOffer } from './agent-options';

/** Tokens that listing must save on tools of servers and extensions. */
const WORTH_IT = 1_500;

/**
 * Approximate characters per token. Uncalibrated: what is known of a model changes, and the offer must not change with
 * it.
 */
const PER_TOKEN = 4;

/** Characters for the names of server and extension tools together. */
const LISTED = 1_200;

/** Characters of a purpose that is cut from the description. */
const PURPOSE = 60;

/** Decided by settings, agents and protocols alone. */
const KEPT = 8;

/** How a model learns about the offered tools. */
export interface DividedOffer {
  /** Defined from the beginning, including the tools that load the others. */
  readonly defined: readonly Tool[];
  /** Named by a line in a list. */
  readonly listed: readonly Tool[];
  /** For each of these, a tool of the same name that answers any call with its definition. */
  readonly unloaded: ReadonlyMap<string, Tool>;
}

type OnDemand = Pick<ToolCallConfig, 'toolToggles' | 'toolsOnDemand' | 'agentTools'>;
type Describer = Pick<Protocol, 'describeTool' | 'callsByName'>;

/** Divides the offered tools. Deterministic, so that requests begin the same. */
export function divideOffer(
  tools: readonly Tool[],
  { toolToggles, toolsOnDemand, agentTools }: OnDemand,
  protocol: Describer,
): DividedOffer {
  return divided(tools, toolToggles, toolsOnDemand, agentTools?.toolToggles, protocol);
}

const divided = keepLast(
  KEPT,
  (
    tools: readonly Tool[],
    toggles: Toggles,
    mode: ToolCallConfig['toolsOnDemand'],
    ofAgent: AgentTools['toolToggles'] | undefined,
    protocol: Describer,
  ): DividedOffer => {
    const listed = listedOf(tools, { toggles, ofAgent, mode }, protocol);
    if (listed.length === 0) return { defined: tools, listed, unloaded: new Map() };
    return {
      defined: [
        ...tools.filter((tool) => !listed.includes(tool)),
        loadTools(listed, protocol),
        ...(protocol.callsByName ? [callTool] : []),
      ],
      listed,
      unloaded: new Map(listed.map((tool) => [tool.spec.name, unloaded(tool, protocol)])),
    };
  },
);

interface Choice {
  readonly toggles: Toggles;
  readonly ofAgent: Toggles | undefined;
  readonly mode: ToolCallConfig['toolsOnDemand'];
}

function listedOf(tools: readonly Tool[], choice: Choice, protocol: Describer): readonly Tool[] {
  const { mode } = choice;
  const isListed = (tool: Tool): boolean => chosen(tool, choice) === 'onDemand';
  const open = tools.filter((tool) => chosen(tool, choice) === undefined && !tool.isCore);
  if (mode === 'on') return tools.filter((tool) => isListed(tool) || open.includes(tool));
  if (mode === 'off') return tools.filter(isListed);
  const own = open.filter(({ origin }) => origin === undefined);
  const foreign = open.filter(({ origin }) => origin !== undefined);
  const others = saving(foreign, protocol) > WORTH_IT ? foreign : [];
  const added = [...own, ...others];
  // If listing does not shrink the request, the loading tools would cost more than the definitions.
  const isSmaller = tools.some(isListed) || saving(added, protocol) > 0;
  return tools.filter((tool) => isListed(tool) || (isSmaller && added.includes(tool)));
}

/** What the settings and the agent say about a tool; `undefined` if `isCore` and `auto` decide. */
function chosen(tool: Tool, { toggles, ofAgent = {} }: Choice): 'always' | 'onDemand' | undefined {
  if (tool.spec.offers) return 'always';
  const said = [toggleOf(tool, toggles), toggleOf(tool, ofAgent)];
  if (said.includes('onDemand')) return 'onDemand';
  return said.includes(true) ? 'always' : undefined;
}

/** Approximate tokens that the list saves in each request. */
function saving(tools: readonly Tool[], protocol: Describer): number {
  if (tools.length === 0) return 0;
  const size = (all: readonly Tool[]): number =>
    all.reduce((sum, { spec }) => sum + protocol.describeTool(spec).length, 0);
  const instead = [loadTools(tools, protocol), ...(protocol.callsByName ? [callTool] : [])];
  return (size(tools) - size(instead)) / PER_TOKEN;
}

interface Offering {
  readonly offer: ToolOffer;
  readonly protocol: Protocol;
}

/** What a request describes: the tools with their definitions, and the loading tools. */
export function describedTools(offering: Offering, config: ToolCallConfig): readonly Tool[] {
  return offerIn(offering, config).defined;
}

/** What a reply may call: a tool whose definition is not loaded yet answers with it. */
export function callableTools(
  offering: Offering,
  config: ToolCallConfig,
  turns: readonly Turn[],
): { readonly callable: readonly Tool[]; readonly loaded: readonly Tool[] } {
  const { defined, listed, unloaded } = offerIn(offering, config);
  const offered = config.enabled ? offering.offer.offered(config) : [];
  const loaded = loadedIn(turns, listed);
  const callable = [...defined, ...listed]
    .filter((tool) => offered.includes(tool) || servesOthers(tool))
    .map((tool) => (loaded.includes(tool) ? tool : (unloaded.get(tool.spec.name) ?? tool)));
  return { callable, loaded };
}

function offerIn({ offer, protocol }: Offering, config: ToolCallConfig): DividedOffer {
  if (!config.enabled) return NOTHING;
  return divideOffer(offer.described ? offer.described(config) : offer.offered(config), config, protocol);
}

const NOTHING: DividedOffer = { defined: [], listed: [], unloaded: new Map() };

/** The tools whose definitions are in what the model is sent. */
function loadedIn(turns: readonly Turn[], listed: readonly Tool[]): readonly Tool[] {
  if (listed.length === 0) return [];
  const names = new Set(
    turns.flatMap((turn) =>
      turn.type === 'results' ? turn.results.flatMap(({ defines = [] }) => defines) : [],
    ),
  );
  return listed.filter(({ spec }) => names.has(spec.name));
}

/** Returns the definitions of listed tools as its result. */
function loadTools(listed: readonly Tool[], protocol: Describer): Tool {
  const [first] = listed;
  const spec: ToolSpec = {
    name: LOAD_TOOLS,
    description: [
      `Loads definitions of more tools${protocol.callsByName ? `; call them with ${CALL_TOOL}` : ''}:`,
      listText(listed),
    ].join('\n'),
    parameters: listSchema({ type: ['array', 'string'], items: { type: 'string' } }),
    shown: listSchema({ type: 'array', items: { type: 'string' } }),
    ...(first && { example: { names: [first.spec.name] } }),
  };
  return {
    spec,
    toolset: 'agent',
    method: 'loadTools',
    effect: 'read',
    agentCallable: true,
    prepare: (input) => {
      const names = namesIn(input['names']);
      const groups = names.map((name) => found(name, listed));
      const missing = names.filter((_, at) => groups[at]?.length === 0);
      if (names.length === 0 || missing.length > 0) throw new ToolError(noSuchTool(missing, listed));
      return Promise.resolve({
        title: `Load ${names.join(', ')}`,
        accesses: [],
        run: () => {
          const tools = [...new Set(groups.flat())];
          // A server's tools are listed first: its definitions may be many.
          if (names.every((name) => isGroup(name, listed)) && tools.length > 1)
            return Promise.resolve({ text: tools.map(line).join('\n') });
          return Promise.resolve({
            text: definitions(tools, protocol),
            defines: tools.map((tool) => tool.spec.name),
          });
        },
      });
    },
  };
}

function listSchema(names: JsonSchema): JsonSchema {
  return { type: 'object', properties: { names }, required: ['names'] };
}

/** Where values are written as text, a model names a single tool without a list. */
function namesIn(given: Json | undefined): readonly string[] {
  const all = Array.isArray(given) ? given : [given];
  return all.flatMap((each) => (typeof each === 'string' ? each.split(/[\s,"'[\]]+/).filter(Boolean) : []));
}

/** Never runs: parsers replace it by the call in its arguments. */
const callTool: Tool = {
  spec: {
    name: CALL_TOOL,
    description: `Calls a tool that ${LOAD_TOOLS} has defined.`,
    parameters: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
      required: ['name', 'arguments'],
    },
  },
  toolset: 'agent',
  method: 'callTool',
  effect: 'read',
  agentCallable: true,
  prepare: () => {
    throw new ToolError(`Give the tool's name, and arguments as ${LOAD_TOOLS} defined them.`);
  },
};

/** Replaces a tool until its definition is loaded. Accepts any arguments, because the model cannot know them yet. */
function unloaded(tool: Tool, protocol: Describer): Tool {
  const { spec, toolset, method } = tool;
  const { name, qualifiedName } = spec;
  const parameters = { type: 'object' };
  return {
    spec: {
      ...{ name, description: '', parameters },
      ...(qualifiedName !== undefined && { qualifiedName }),
    },
    toolset,
    method,
    effect: 'read',
    agentCallable: true,
    prepare: () =>
      Promise.resolve({
        title: `Load ${name}`,
        accesses: [],
        run: () =>
          Promise.resolve({
            text: `${name} did not run: its definition was not loaded yet. Here it is; call it again.\n${definitions([tool], protocol)}`,
            defines: [name],
          }),
      }),
  };
}

function definitions(tools: readonly Tool[], protocol: Describer): string {
  const all = tools.map(({ spec }) => protocol.describeTool(spec));
  return [...all, ...(protocol.callsByName ? [`Use ${CALL_TOOL} for them.`] : [])].join('\n');
}

/** The tools that a name means: one tool, also without its server's prefix, or all tools of a server. */
function found(name: string, listed: readonly Tool[]): readonly Tool[] {
  const exact = listed.filter(({ spec }) => [spec.name, spec.qualifiedName].includes(name));
  if (exact.length > 0) return exact;
  const ending = listed.filter(({ spec }) => spec.name.endsWith(`_${name}`));
  return ending.length === 1 ? ending : listed.filter(({ toolset }) => toolset === name);
}

function isGroup(name: string, listed: readonly Tool[]): boolean {
  return listed.some(({ toolset }) => toolset === name) && !listed.some(({ spec }) => spec.name === name);
}

function noSuchTool(missing: readonly string[], listed: readonly Tool[]): string {
  const what = missing.length === 0 ? 'No tool is named.' : `There is no such tool: ${missing.join(', ')}.`;
  return `${what} Choose from these:\n${listText(listed)}`;
}

/** A line of the list, and the tools that it names or counts. */
interface ListLine {
  readonly text: string;
  readonly tools: readonly Tool[];
}

/** Each tool with its purpose; if that is too long, a server's names in one line; if that is too long, their number. */
export function listLines(listed: readonly Tool[]): readonly ListLine[] {
  const own = listed.filter(({ origin }) => origin === undefined);
  const foreign = listed.filter(({ origin }) => origin !== undefined);
  const ids = [...new Set(foreign.map(({ toolset }) => toolset))];
  const groups = ids.map((id) => ({ id, tools: foreign.filter(({ toolset }) => toolset === id) }));
  const ways = [
    foreign.map(ownLine),
    groups.map(({ id, tools }) => ({ text: `${id}: ${tools.map(shortName).join(', ')}`, tools })),
    groups.map(({ id, tools }) => ({
      text: `${id}: ${tools.length} tools; give this name to list them`,
      tools,
    })),
  ];
  const lines = ways.find((all) => joined(all).length <= LISTED) ?? ways.at(-1) ?? [];
  return [...own.map(ownLine), ...lines];
}

function listText(listed: readonly Tool[]): string {
  return joined(listLines(listed));
}

function joined(lines: readonly ListLine[]): string {
  return lines.map(({ text }) => text).join('\n');
}

function ownLine(tool: Tool): ListLine {
  return { text: line(tool), tools: [tool] };
}

function line({ spec }: Tool): string {
  const { name, summary = purpose(spec.description) } = spec;
  return summary === '' ? name : `${name}: ${summary}`;
}

/** The beginning of a third-party description, in one line. */
function purpose(description: string): string {
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/.exec(description.replace(/\s+/g, ' ').trim()) ?? [description];
  const plain = visibleText(sentence.replace(/\s+/g, ' ').trim());
  return plain.length <= PURPOSE ? plain.replace(/\.$/, '') : `${plain.slice(0, PURPOSE - 1)}…`;
}

/** Without the name of its server. */
function shortName({ spec, toolset }: Tool): string {
  return spec.name.startsWith(`${toolset}_`) ? spec.name.slice(toolset.length + 1) : spec.name;
}
