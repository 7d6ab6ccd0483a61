import { defaultConfig, toolsWithoutFolder } from '../../src/cli/built-in';
import { offerOver } from '../../src/core/run/offer';
import { describedTools } from '../../src/core/run/on-demand';
import type { Protocol, RenderedPart } from '../../src/core/words/protocol';
import { LOAD_TOOLS, type ToolSpec } from '../../src/core/words/tool';
import { ToolRegistry } from '../../src/tools/registry';
import {
  countBytes,
  requestText,
  countTokens,
  type RequestBody,
  type RequestMessage,
} from '../support/measure/token-counter';
import type { ScriptedJob } from '../support/agent/scripted-jobs';

export interface Amount {
  readonly bytes: number;
  readonly tokens: number;
}

/** The parts of a request by name, in display order. */
export type Parts = ReadonlyMap<string, Amount>;

export const NOTHING: Amount = { bytes: 0, tokens: 0 };

/** The tools that the command line defines from the first request. */
export function definedSpecs(protocol: Protocol): readonly ToolSpec[] {
  const registry = new ToolRegistry({ tools: toolsWithoutFolder });
  const tools = describedTools({ offer: offerOver(protocol, registry), protocol }, defaultConfig);
  return tools.map(({ spec }) => spec);
}

interface Known {
  readonly job: ScriptedJob;
  readonly protocol: Protocol;
  readonly specs: readonly ToolSpec[];
  /** The results of the calls without any protocol around them. */
  readonly results: readonly string[];
}

/** Divides a request into parts. The last part is everything between the others, so that they add up. */
export function partsOf(body: RequestBody, known: Known): Parts {
  const { job, results } = known;
  const [system, ...others] = body.messages;
  const task = others.findIndex(({ content }) => content?.endsWith(job.task));
  const before = others[task]?.content?.slice(0, -job.task.length) ?? '';
  const conversation = others.slice(task + 1);
  const replies = conversation.filter(({ role }) => role === 'assistant');
  const bareCalls = job.rounds.slice(0, replies.length).map(bareReply);
  const answers = conversation.filter(({ role }) => role !== 'assistant');
  const bareResults = results.slice(0, answers.length);
  const parts = new Map([
    ...beginning(body, system?.content ?? '', before, known),
    ['task', amountOf(job.task)],
    ['calls', total(bareCalls.map(amountOf))],
    ['around calls', minus(total(replies.map(amountWithoutRole)), total(bareCalls.map(amountOf)))],
    ['results', total(bareResults.map(amountOf))],
    ['around results', minus(total(answers.map(amountWithoutRole)), total(bareResults.map(amountOf)))],
  ] as const);
  return parts.set('roles, line breaks', minus(amountOf(requestText(body)), total([...parts.values()])));
}

type Named = readonly [string, Amount];

/** The text before the task; `before` is in the same message. */
function beginning(
  { tools }: RequestBody,
  system: string,
  before: string,
  { protocol, specs }: Known,
): readonly Named[] {
  const described = protocol.describeTools(specs);
  const at = system.indexOf(described);
  if (at < 0) throw new Error(`${protocol.id}: the tools are described differently.`);
  if (tools) {
    const each = specs.map((spec, index): Named => [label(spec), amountOf(JSON.stringify(tools[index]))]);
    return [['instructions', amountOf(system)], ...each, ['situation', amountOf(before)]];
  }
  const last = specs.at(-1);
  const afterTools = last ? described.indexOf(protocol.describeTool(last)) : 0;
  const example = described.slice(described.indexOf('\n\n', afterTools), described.indexOf('\n\nRules:'));
  const definitions = specs.map((spec): Named => [label(spec), amountOf(protocol.describeTool(spec))]);
  const around = minus(
    amountOf(described),
    total([amountOf(example), ...definitions.map(([, amount]) => amount)]),
  );
  return [
    ['instructions', amountOf(system.slice(0, at))],
    ...definitions,
    ['example', amountOf(example)],
    ['rules of the form', around],
    ['situation', amountOf(system.slice(at + described.length) + before)],
  ];
}

function label({ name }: ToolSpec): string {
  return name === LOAD_TOOLS ? `  ${name}, the list` : `  ${name}`;
}

/** In the form of the API. */
function bareReply(parts: readonly RenderedPart[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.call.name + JSON.stringify(part.call.arguments)))
    .join('\n');
}

function amountWithoutRole({ content, tool_calls: calls = [] }: RequestMessage): Amount {
  const texts = [content ?? '', ...calls.map(({ function: { name, arguments: args } }) => name + args)];
  return amountOf(texts.filter(Boolean).join('\n'));
}

const known = new Map<string, Amount>();

/** Each request repeats the conversation so far. */
function amountOf(text: string): Amount {
  const amount = known.get(text) ?? { bytes: countBytes(text), tokens: countTokens(text) };
  known.set(text, amount);
  return amount;
}

export function plus(one: Amount, other: Amount): Amount {
  return { bytes: one.bytes + other.bytes, tokens: one.tokens + other.tokens };
}

function minus(one: Amount, other: Amount): Amount {
  return { bytes: one.bytes - other.bytes, tokens: one.tokens - other.tokens };
}

function total(amounts: readonly Amount[]): Amount {
  return amounts.reduce(plus, NOTHING);
}
