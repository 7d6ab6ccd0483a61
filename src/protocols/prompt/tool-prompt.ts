import type { JsonObject } from '../../base/json';
import { keepLast } from '../../base/keep-last';
import type { Conversation, PromptForm } from '../../core/words/model';
import type { Protocol } from '../../core/words/protocol';
import { unexplained } from '../../core/words/schema';
import type { ToolSpec } from '../../core/words/tool';
import type { Tags } from '../json/tagged-json';
import { exampleArguments, exampleTool } from './describe';

/** The parts of a protocol's prompt; there is at least one tool. */
export interface PromptParts {
  /** One for each tool, in the protocol's form. */
  readonly tools: readonly string[];
  /** A call of an offered tool, with a text of several lines if one of them takes one. */
  readonly example: { readonly name: string; readonly arguments: JsonObject };
  readonly formType: Conversation['formType'];
  readonly steps?: Conversation['steps'];
}

export interface ToolPrompt {
  readonly describeTool: (tool: ToolSpec) => string;
  readonly prompt: (parts: PromptParts) => string;
  /** The result of a call and the next reply, as they look in the conversation. */
  readonly exchange: (example: PromptParts['example']) => string;
}

/** Only agents, toggles and settings decide which tools are offered. */
const KEPT = 8;

/** Everything a model is told about its tools; empty if there are none. The last few results are cached. */
export function toolPrompt({ describeTool, prompt, exchange }: ToolPrompt): Protocol['describeTools'] {
  const describe = keepLast(
    KEPT,
    (
      tools: readonly ToolSpec[],
      form: PromptForm,
      formType: Conversation['formType'],
      steps: Conversation['steps'],
    ): string => {
      const tool = exampleTool(tools);
      const example = { name: tool.name, arguments: exampleArguments(tool) };
      const said = prompt({
        tools: tools.map((each) => describeTool(inForm(each, form))),
        example,
        formType,
        ...(steps && { steps }),
      });
      return form === 'example' ? `${said}\n\n${exchange(example)}` : said;
    },
  );
  return (tools, form = 'full', formType, steps) =>
    tools.length === 0 ? '' : describe(tools, form, formType, steps);
}

/** A rule that cannot be broken if the server enforces the form. */
interface FreeRule {
  readonly free: string;
}

export const STRICT_JSON: FreeRule = {
  free: 'Strict JSON: line breaks in a text are written \\n, quotes \\" and backslashes \\\\.',
};

export function neverFenced(block: string): FreeRule {
  return { free: `Never put ${block} inside a code fence or inside thinking.` };
}

/** How many calls a reply may have, as a rule. */
export const ONE_CALL = 'Make only one call in a message: its result comes before the next.';

/** Rules for every text form of calls; `call`: how to name one, `where`: how the results come. */
export function afterCalls(
  call: string,
  where: string,
  steps: PromptParts['steps'],
): readonly (string | FreeRule)[] {
  const isOne = steps === 'one';
  return [
    isOne
      ? `You may write a sentence before a ${call}. ${ONE_CALL}`
      : `You may write a sentence before a ${call}, and several ${call}s in one message.`,
    neverFenced(`a ${call}`),
    `After your ${call}${isOne ? '' : 's'}, stop: the results come in the next message ${where}. Never write results yourself.`,
    `When nothing is left to do, answer in plain text without a ${call}.`,
  ];
}

/** The rules of a form, one per line. */
export function rules(formType: Conversation['formType'], ...all: readonly (string | FreeRule)[]): string {
  const said = all.flatMap((rule) => (typeof rule === 'string' ? [rule] : formType ? [] : [rule.free]));
  return ['Rules:', ...said.map((rule) => `- ${rule}`)].join('\n');
}

/** A tool as described in a form: the short one keeps what is needed to call it. */
export function inForm(tool: ToolSpec, form: PromptForm): ToolSpec {
  const { description, shown = tool.parameters } = tool;
  if (form !== 'short') return { ...tool, parameters: shown };
  return { ...tool, description: firstSentence(description), parameters: unexplained(shown) };
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

/** A tool as a JSON signature in one line. */
export function signature({ name, description, parameters }: ToolSpec): string {
  return JSON.stringify({ name, description, parameters });
}

/** The prompt for calls that are JSON between two tags. */
export function taggedPrompt(
  { tools, example, formType, steps }: PromptParts,
  { open, close }: Tags,
  results: string,
): string {
  return [
    `You can call tools. Their signatures, one JSON object per line:\n<tools>\n${tools.join('\n')}\n</tools>`,
    `To call a tool, write one JSON object with "name" and "arguments" between ${open} and ${close}:\n${open}\n${JSON.stringify(example)}\n${close}`,
    rules(formType, STRICT_JSON, ...afterCalls('block', results, steps)),
  ].join('\n\n');
}

/** What a model is told about the tools: prompt text, or the API's definitions as JSON. */
export function promptText(protocol: Protocol, tools: readonly ToolSpec[], promptForm: PromptForm): string {
  const { tools: functions } = protocol.request({ instructions: '', turns: [], tools, promptForm });
  return functions ? JSON.stringify(functions, undefined, 2) : protocol.describeTools(tools, promptForm);
}
