import type { PromptForm, RequestSize } from '../words/model';
import type { RunOutcome, ToolCost } from '../words/outcome';
import { servesOthers, type Tool } from '../words/tool';
import type { RequestSource } from './run-model';

export const WHERE_WINDOWS_ARE_SET =
  'llama.cpp: -c; Ollama: OLLAMA_CONTEXT_LENGTH; LM Studio: context length of the model; vLLM: --max-model-len.';

type Paused = Extract<RunOutcome, { type: 'budget' }>;

/** What does not fit into a window, and the window; `tokens` is absent if the server gave no figures. */
interface TooMuch {
  readonly size: RequestSize;
  readonly tokens: number | undefined;
  readonly reply: number;
}

/** The instructions and tools alone do not fit, however short the history is. Nothing was sent. */
export function tooMuchFixed(source: RequestSource, tools: readonly Tool[], much: TooMuch): RunOutcome {
  return withShorterForm(source, tools, fixedTooMuch(source, tools, much));
}

function fixedTooMuch(source: RequestSource, tools: readonly Tool[], much: TooMuch): Paused {
  const { size, tokens = 0, reply } = much;
  const over = number(Math.max(1, size.fixed - (tokens - reply)));
  const [taken, most, kept] = [size.fixed, tokens, reply].map(number);
  if (tools.length === 0) {
    return {
      type: 'budget',
      message: `The instructions alone take about ${taken} tokens, ${over} too many: the model takes ${most}, ${kept} of them for its reply. Shorten them, or give the server a larger window. ${WHERE_WINDOWS_ARE_SET}`,
    };
  }
  return {
    type: 'budget',
    message: `The instructions and the tools alone take about ${taken} tokens (the tools ${number(size.tools)}), ${over} too many: the model takes ${most}, ${kept} of them for its reply. Leave out tools, or give the server a larger window. ${WHERE_WINDOWS_ARE_SET}`,
    dropTools: toolCosts(source, tools),
  };
}

/** There are no older messages to leave out, and what is left is too long. */
export function tooMuchNew(source: RequestSource, tools: readonly Tool[], much: TooMuch): RunOutcome {
  return withShorterForm(source, tools, newTooMuch(source, tools, much));
}

function newTooMuch(source: RequestSource, tools: readonly Tool[], much: TooMuch): Paused {
  const { size, tokens, reply } = much;
  const [message, taken] = [size.total - size.fixed, size.fixed].map(number);
  const dropTools = tools.length > 0 && { dropTools: toolCosts(source, tools) };
  if (tokens === undefined) {
    return {
      type: 'budget',
      message: `The server does not accept a request of this length, and there are no older messages to leave out: the instructions and the tools take about ${taken} tokens, the last message and what belongs to it ${message}. Leave out tools, send less at once, or give the server a larger window. ${WHERE_WINDOWS_ARE_SET}`,
      ...dropTools,
    };
  }
  return {
    type: 'budget',
    message: `The last message and what belongs to it take about ${message} tokens, the instructions and the tools ${taken}, but the model takes ${number(tokens)}, ${number(reply)} of them for its reply. Send less at once, leave out tools, or give the server a larger window. ${WHERE_WINDOWS_ARE_SET}`,
    ...dropTools,
  };
}

/** Mentions the short tool descriptions if the profile asks for the full ones, which Parley never changes by itself. */
function withShorterForm(source: RequestSource, tools: readonly Tool[], paused: Paused): RunOutcome {
  const { isFormChosen, promptForm = 'full' } = source.prompt;
  if (!isFormChosen || promptForm === 'short' || tools.length === 0) return paused;
  const size = sizeIn(source, tools, 'short');
  return {
    ...paused,
    message: `${paused.message} The profile asks for full tool descriptions; short ones take ${number(size.tools)} tokens: set "prompt" in the profile to "auto".`,
  };
}

/** The size of the request with the tools described in this form. */
export function sizeIn(
  { prompt, conversation }: RequestSource,
  tools: readonly Tool[],
  promptForm: PromptForm,
): RequestSize {
  const { protocol, instructions, situation = '' } = prompt;
  const specs = tools.map(({ spec }) => spec);
  const described = { instructions, situation, tools: specs, promptForm };
  return conversation.contextBudget.request(protocol, described, conversation.transcript());
}

/** The tokens of each tool, the largest first. */
function toolCosts({ prompt, conversation }: RequestSource, tools: readonly Tool[]): ToolCost[] {
  const { contextBudget } = conversation;
  const form = contextBudget.form(prompt.promptForm);
  return tools
    .filter((tool) => !servesOthers(tool))
    .map(({ spec }): ToolCost => ({
      tool: spec.name,
      tokens: contextBudget.text(prompt.protocol.describeTool(spec, form)),
    }))
    .sort((one, other) => other.tokens - one.tokens);
}

export function number(value: number): string {
  return value.toLocaleString('en');
}
