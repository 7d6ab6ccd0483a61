import type { AgentOptions } from '../run/agent-options';
import type { Meter } from '../run/budget';
import type { Transcript } from '../transcript/transcript';
import type { RequestSize, Usage } from '../words/model';
import type { RunOutcome, ToolCost } from '../words/outcome';
import type { Tool } from '../words/tool';
import { compact } from './compaction';

/** Tokens below which no conversation is worth beginning. */
const SMALLEST_HISTORY = 200;

interface RoomRequest {
  readonly tools: readonly Tool[];
  readonly meter: Meter;
  /** The history is put in short whether or not it fits. */
  readonly isForced: boolean;
}

/**
 * Sees to it that the next request fits into the model's window: puts older messages in short where it does not. What
 * cannot be made to fit is not sent, because servers would cut off its beginning, which describes the tools.
 */
export async function makeRoom(
  options: AgentOptions,
  { tools, meter, isForced }: RoomRequest,
  signal: AbortSignal,
): Promise<RequestSize | RunOutcome> {
  const { window } = options;
  let size = sizeOf(options, tools);
  const most = window.tokens === undefined ? Infinity : window.tokens - window.reply;
  if (!isForced && size.total <= most) return size;
  const limits = { window: window.tokens ?? 0, reply: window.reply };
  if (size.fixed + SMALLEST_HISTORY > most) return tooMuchFixed(options, tools, size, limits);
  if (!isForced && isRefused(options.transcript()))
    return { ...NO_LONGER_FITS, canContinue: true, compactFirst: true };
  // What was refused did not fit, whatever the profile says.
  const room = Math.min(most, isForced ? size.total : Infinity) - size.fixed;
  let hasCompacted = false;
  for (const isTight of [false, true]) {
    const compaction = await compact(options, { tokens: room, isTight }, meter, signal);
    if (!compaction) continue;
    hasCompacted = true;
    options.emit(compaction);
    size = sizeOf(options, tools);
    if (size.total <= most) return size;
  }
  if (isForced && !hasCompacted) return { type: 'failed', message: NOTHING_LEFT };
  size = squeezed(options, tools, size, most);
  if (size.total <= most) return size;
  return { type: 'failed', message: tooMuchNew(size, limits) };
}

/** The results that came last are more than all the room: so less of them is sent. */
function squeezed(
  options: AgentOptions,
  tools: readonly Tool[],
  { total }: RequestSize,
  most: number,
): RequestSize {
  const { gauge } = options;
  const newest = options.transcript().entries.findLast((entry) => gauge.entry(entry) > 0);
  if (newest) gauge.squeeze(newest, gauge.entry(newest) - (total - most));
  return sizeOf(options, tools);
}

/** Puts the older messages in short and leaves it at that. */
export async function compactNow(
  options: AgentOptions,
  meter: Meter,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const room = { tokens: options.gauge.history(options.transcript()), isTight: false };
  const compaction = await compact(options, room, meter, signal);
  if (!compaction) return { type: 'failed', message: NOTHING_LEFT };
  options.emit(compaction);
  return { type: 'done' };
}

const NO_LONGER_FITS = {
  type: 'budget',
  message:
    'Paused: the conversation no longer fits into the context window of the model. Continue with a summary of the older messages, or pick a model with a larger window.',
} as const;

const NOTHING_LEFT =
  'There is nothing to put in short: all that could be left out is left out. Send less at once, or begin a new session.';

function sizeOf(
  { gauge, protocol, instructions, promptForm = 'full', transcript }: AgentOptions,
  tools: readonly Tool[],
): RequestSize {
  const specs = tools.map(({ spec }) => spec);
  return gauge.request(protocol, { instructions, tools: specs, promptForm }, transcript());
}

/** The user has taken the last summary back, and nothing was put in short since. */
function isRefused({ entries }: Transcript): boolean {
  return entries.findLast((entry) => entry.type === 'compaction')?.isUndone === true;
}

interface Limits {
  readonly window: number;
  readonly reply: number;
}

function tooMuchFixed(
  { gauge, protocol, promptForm }: AgentOptions,
  tools: readonly Tool[],
  { fixed, tools: described }: RequestSize,
  limits: Limits,
): RunOutcome {
  const [taken, most, reply] = [fixed, limits.window, limits.reply].map(number);
  if (tools.length === 0) {
    const message = `The instructions alone take about ${taken} tokens, but the model takes ${most}, ${reply} of them for its reply. Shorten them, or pick a model with a larger window.`;
    return { type: 'failed', message };
  }
  const dropTools = tools
    .map(({ spec }): ToolCost => ({
      tool: spec.name,
      tokens: gauge.text(protocol.describeTool(spec, promptForm)),
    }))
    .sort((one, other) => other.tokens - one.tokens);
  const message = `The tools (about ${number(described)} tokens) and the instructions take about ${taken} tokens, but the model takes ${most}, ${reply} of them for its reply. Leave out tools, or pick a model with a larger window; "contextWindow" in its profile says how large it is.`;
  return { type: 'failed', message, dropTools };
}

function tooMuchNew({ total }: RequestSize, { window, reply }: Limits): string {
  return `The last message and what belongs to it take about ${number(total)} tokens, but the model takes ${number(window)}, ${number(reply)} of them for its reply. Send less at once, or pick a model with a larger window.`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** Notices when a server has cut off the beginning of what it was sent, and says so once in a run. */
export class FrontWatch {
  private hasSpoken = false;

  constructor(private readonly options: Pick<AgentOptions, 'gauge' | 'emit'>) {}

  look(size: RequestSize, usage: Usage | undefined): void {
    if (!usage || !this.options.gauge.learn(size, usage) || this.hasSpoken) return;
    this.hasSpoken = true;
    const { inputTokens } = usage;
    this.options.emit({
      type: 'warning',
      diagnostic: {
        code: 'front-cut',
        level: 'warning',
        message: `The server took in ${number(inputTokens)} tokens of about ${number(size.total)}: it has most likely cut off the beginning, where the tools are described. Give the server a larger context size, or say in "contextWindow" how small it is.`,
        hint: 'Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: -c; LM Studio: context length of the model; vLLM: --max-model-len.',
        start: 0,
        end: 0,
      },
    });
  }
}
