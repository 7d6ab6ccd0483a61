import { foldTranscript } from '../transcript/fold-transcript';
import { TODO_TOOL } from '../transcript/todos';
import { emptyTranscript, type Transcript } from '../transcript/transcript';
import type { AgentEvent } from '../words/events';
import type { RunOutcome, SubReport, SubTask } from '../words/outcome';
import { ToolError, type Caller, type Tool } from '../words/tool';
import type { AgentOptions, RunScope, RunTools, ToolOffer } from './agent-options';

/** Maximum depth of nested sub-agents. */
const DEEPEST = 2;

const INSTRUCTIONS = `You are a sub-agent: another agent gave you one task and sees only your last message.
Do only this task, then report completely and briefly what you found or did.`;

/** No user can continue it, and the call itself sets its limits. */
const USED_UP = 'It has used up its requests or those of the whole run.';

/** Who delegates the task. */
interface SubAgentParent {
  readonly callId: string;
  readonly options: AgentOptions;
  readonly scope: RunScope;
  /** The loop itself. */
  readonly run: (options: AgentOptions, signal: AbortSignal, scope: RunScope) => Promise<RunOutcome>;
}

/**
 * Runs a task in a separate loop with the same model, protocol and policy, and only the task as its history. Its events
 * are emitted under the call that started it.
 */
export async function runSubAgent(
  { task, tools, maxRounds }: SubTask,
  { callId, options: parent, scope, run }: SubAgentParent,
  signal: AbortSignal,
): Promise<SubReport> {
  const offer = offerTo(parent.tools, tools, scope.depth + 1);
  let transcript = emptyTranscript;
  let caller: Caller = { owner: parent.conversation.caller().owner };
  const emit = (event: AgentEvent): void => {
    transcript = foldTranscript(transcript, event);
    if (event.type === 'compaction') caller = { before: caller, owner: caller.owner };
    parent.conversation.emit({ type: 'sub-agent', callId, event });
  };
  const { suggestProtocol: _, ...prompt } = parent.prompt;
  const { onRequest } = parent.model;
  const { contextBudget, ids } = parent.conversation;
  const options: AgentOptions = {
    model: {
      ...parent.model,
      ...(onRequest && { onRequest: (request, reply) => onRequest(request, { callId, ...reply }) }),
    },
    prompt: {
      ...prompt,
      situation: [prompt.situation, INSTRUCTIONS, toolsText(offer.offered(parent.tools.config()))]
        .filter(Boolean)
        .join('\n\n'),
    },
    tools: { ...parent.tools, offer },
    limits: { ...parent.limits, rounds: () => Math.min(maxRounds, parent.limits.rounds()) },
    user: parent.user,
    // A model wrote the task, and parts of it may come from a file.
    conversation: { transcript: () => transcript, contextBudget, ids, caller: () => caller, task, emit },
  };
  emit({ type: 'run-start', text: task, time: Date.now() });
  const ended = await run(options, signal, { ...scope, depth: scope.depth + 1 });
  const outcome: RunOutcome = ended.type === 'budget' ? { type: 'budget', message: USED_UP } : ended;
  emit({ type: 'run-end', outcome });
  signal.throwIfAborted();
  return { outcome, text: lastText(transcript) };
}

/** The parent's tools, limited to those the task allows; at the maximum depth without sub-agents. */
function offerTo(parent: RunTools, names: readonly string[] | undefined, depth: number): ToolOffer {
  const isAllowed = (tool: Tool): boolean =>
    (names ? names.includes(tool.spec.name) : tool.effect === 'read') &&
    // Only the user's own agent has a visible list.
    tool.spec.name !== TODO_TOOL &&
    (depth < DEEPEST || tool.delegates !== true);
  const known = new Set(parent.offer.offered(parent.config()).map(({ spec }) => spec.name));
  const missing = names?.filter((name) => !known.has(name)) ?? [];
  if (missing.length > 0) {
    throw new ToolError(
      `These tools cannot be delegated: ${missing.join(', ')}. Name only tools that you have: ${[...known].join(', ')}.`,
    );
  }
  const { offer: all } = parent;
  return {
    offered: (config) => all.offered(config).filter(isAllowed),
    described: (config) => (all.described ? all.described(config) : all.offered(config)),
    whyUnavailable: (name, config) =>
      all.whyUnavailable(name, config) ??
      (known.has(name) ? `The tool "${name}" was not given to this sub-agent.` : undefined),
  };
}

function toolsText(tools: readonly Tool[]): string {
  return tools.length === 0
    ? 'Call no tools.'
    : `Call only these tools: ${tools.map(({ spec }) => spec.name).join(', ')}.`;
}

function lastText({ entries }: Transcript): string {
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'reply') continue;
    const text = entry.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (text.trim() !== '') return text.trim();
  }
  return '';
}
