import type { JsonObject } from '../../base/json';
import { withoutHiddenText } from '../../base/text';
import type { ApprovalRequest, Decision } from '../words/approval';
import type { AgentEvent } from '../words/events';
import { notRun, type GivenRules, type ToolCall, type ToolResult } from '../words/messages';
import type { SubReport, SubTask } from '../words/outcome';
import { ToolError, type Caller, type PreparedCall, type Tool, type ToolOutput } from '../words/tool';
import type { Approve, Ask } from './agent-options';
import { changedArguments } from './argument-changes';
import type { ChangeGuard } from './changes/change-guard';
import { placesOf, withRules, type FolderRules } from './folder-rules';
import { withNote, type Hooks } from './hooks';

interface ExecuteOptions {
  readonly approve: Approve;
  /** Hooks that run after a call; those before a call are part of `approve`. */
  readonly hooks?: Pick<Hooks, 'afterCall'>;
  /** Absent if no folder rules are added to results. */
  readonly folderRules?: FolderRules & { readonly given: () => readonly GivenRules[] };
  /** Without it, a tool that asks learns that no user can answer. */
  readonly ask?: Ask;
  readonly emit: (event: AgentEvent) => void;
  readonly delegate: (task: SubTask, signal: AbortSignal) => Promise<SubReport>;
  /** The history that the call belongs to. */
  readonly caller: Caller;
  /** Milliseconds for a tool that sets no limit itself. */
  readonly timeoutMs: number;
  /** Holds changes of a small model back. */
  readonly guard?: ChangeGuard | undefined;
}

/** Milliseconds that a stopped tool has to finish. */
const GRACE = 5_000;

/** A call that did not come from a parser: another program or a person wrote its arguments. */
interface GivenCall {
  readonly id: string;
  readonly arguments: JsonObject;
}

/** Loads the binding code only when arguments did not come from a parser, which is rare. */
async function bindToTool({ spec }: Tool, given: JsonObject) {
  const { bindGiven } = await import('./bind');
  return bindGiven(spec, given);
}

/** Binds the arguments of a given call, as a parser binds those of a reply, and executes it. */
export async function executeGiven(
  given: GivenCall,
  tool: Tool,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { name } = tool.spec;
  const bound = await expected(() => bindToTool(tool, given.arguments));
  if (bound instanceof ToolError) {
    const result = notRun(given.id, name, bound.message);
    options.emit({ type: 'tool-end', callId: given.id, result });
    return result;
  }
  return execute({ id: given.id, name, ...bound, start: 0, end: 0, notes: [] }, tool, options, signal);
}

/**
 * Takes one call with bound arguments from preparation through approval to its result. Any expected failure becomes a
 * result that tells the model what to do; rejects only when the user stops the run.
 */
export async function execute(
  call: ToolCall,
  tool: Tool,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { emit } = options;
  const end = (
    status: ToolResult['status'],
    { text, images, defines, sandbox, rules }: ToolOutput & Pick<ToolResult, 'rules'>,
    durationMs = 0,
  ): ToolResult => {
    // Text from files, programs and servers: characters that a person would not see are made visible.
    const result = withoutHiddenText(text);
    const ended: ToolResult = {
      requestId: call.id,
      toolName: call.name,
      status,
      result,
      ...(images && { images }),
      ...(defines && { defines }),
      ...(rules && { rules }),
      ...(sandbox && { sandbox }),
      durationMs,
    };
    emit({ type: 'tool-end', callId: call.id, result: ended });
    return ended;
  };

  const prepared = await expected(() => prepare(tool, call.arguments, options.caller, signal));
  if (prepared instanceof ToolError) {
    options.guard?.failed(call);
    return end('error', { text: prepared.message });
  }
  signal.throwIfAborted();
  const heldBack = options.guard?.refusal(call, prepared);
  if (heldBack !== undefined) return end('error', { text: heldBack });
  const settled = await settle(prepared, call, tool, options, signal);
  if ('refusal' in settled) return end('denied', { text: settled.refusal });

  const { proposal, allowedBy } = settled;
  const note = proposal.edited ? changedArguments(call.arguments, proposal.edited) : '';
  const { title } = proposal.prepared;
  emit({ type: 'tool-start', callId: call.id, title, ...(allowedBy !== undefined && { allowedBy }) });
  const started = performance.now();
  const output = await expected(() => run(proposal.prepared, call, tool, options, signal));
  const durationMs = Math.round(performance.now() - started);
  if (!(output instanceof ToolError)) options.guard?.ran(proposal.prepared);
  const [status, outcome] =
    output instanceof ToolError
      ? (['error', { text: output.message }] as const)
      : (['success', output] as const);
  const request = approvalRequest(call, tool, proposal);
  const hookNote = await options.hooks?.afterCall({ request, status, result: outcome.text }, signal);
  const text = withNote(note + outcome.text, hookNote);
  const { folderRules } = options;
  if (!folderRules || status === 'error') return end(status, { ...outcome, text }, durationMs);
  const found = await folderRules.find(placesOf(proposal.prepared), folderRules.given);
  // Checked again: a parallel call may have sent them meanwhile.
  const { result, ...rules } = withRules(text, found, found.length > 0 ? folderRules.given() : []);
  return end(status, { ...outcome, text: result, ...rules }, durationMs);
}

/** What a call would do, as shown to the one who decides. */
interface Proposal {
  readonly prepared: PreparedCall;
  readonly edited?: JsonObject;
}

interface Settled {
  readonly proposal: Proposal;
  /** The policy's reason, if the user was not asked. */
  readonly allowedBy?: string;
}

/** Every call may read the workspace, so that is not mentioned. */
function allowance(decision: Decision, { prepared }: Proposal, tool: Tool): Pick<Settled, 'allowedBy'> {
  const onlyReads =
    tool.effect === 'read' && prepared.accesses.every(({ verdict }) => verdict.decision === 'auto');
  return decision.by === 'user' || onlyReads ? {} : { allowedBy: decision.reason };
}

/**
 * Asks until the call is decided. Arguments that the user changes are prepared and shown again before anything runs; an
 * invalid change leaves the proposal unchanged.
 */
async function settle(
  prepared: PreparedCall,
  call: ToolCall,
  tool: Tool,
  { approve, emit, caller }: ExecuteOptions,
  signal: AbortSignal,
): Promise<Settled | { readonly refusal: string }> {
  let proposal: Proposal = { prepared };
  let before = proposal;
  let problem: string | undefined;
  for (;;) {
    const answer = await approve(approvalRequest(call, tool, proposal, problem), emit, signal);
    signal.throwIfAborted();
    if (answer.type === 'run') return { proposal, ...allowance(answer, proposal, tool) };
    if (answer.type === 'edit') {
      const next = await expected(() => propose(tool, answer.arguments, caller, signal));
      problem = next instanceof ToolError ? next.message : undefined;
      if (next instanceof ToolError) continue;
      before = proposal;
      proposal = next;
    } else if (answer.by === 'policy' && proposal !== before) {
      problem = `That is not allowed: ${answer.reason}.`;
      proposal = before;
    } else {
      return { refusal: refusal(answer.by, answer.reason) };
    }
  }
}

async function propose(
  tool: Tool,
  given: JsonObject,
  caller: Caller,
  signal: AbortSignal,
): Promise<Proposal> {
  const { arguments: edited } = await bindToTool(tool, given);
  return { prepared: await prepare(tool, edited, caller, signal), edited };
}

function approvalRequest(call: ToolCall, tool: Tool, proposal: Proposal, problem?: string): ApprovalRequest {
  const { title, accesses, preview } = proposal.prepared;
  return {
    call,
    effect: tool.effect,
    title,
    accesses,
    parameters: tool.spec.parameters,
    ...(preview && { preview }),
    ...(proposal.edited && { edited: proposal.edited }),
    ...(problem !== undefined && { problem }),
  };
}

function refusal(by: 'policy' | 'user', reason: string): string {
  if (by === 'policy') return `Not executed: ${reason}. Do without it, or ask the user.`;
  return reason === ''
    ? 'Not executed: the user rejected this call. Ask what they want instead.'
    : `Not executed: the user rejected this call and said: ${reason}`;
}

function prepare(tool: Tool, given: JsonObject, caller: Caller, signal: AbortSignal): Promise<PreparedCall> {
  // SAFETY: `core` and `host` abort a run only with an Error.
  return orLeftBehind(tool.prepare(given, signal, caller), signal, () => signal.reason as Error);
}

/** Runs a prepared call with a time limit. */
async function run(
  prepared: PreparedCall,
  call: ToolCall,
  tool: Tool,
  { ask, emit, delegate, timeoutMs }: ExecuteOptions,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const limit = tool.timeoutMs ?? timeoutMs;
  const timeout = new AbortController();
  const stop = AbortSignal.any([signal, timeout.signal]);
  const timer = limit === 'none' ? undefined : setTimeout(() => timeout.abort(), limit);
  try {
    const running = prepared.run({
      signal: stop,
      onOutput: (text) => emit({ type: 'tool-output', callId: call.id, text }),
      onFileChange: (change) => emit({ type: 'file-change', callId: call.id, change }),
      delegate: (task) => delegate(task, stop),
      ...(ask && { ask: (question) => ask(call.id, question, emit, stop) }),
    });
    return await orLeftBehind(running, stop, () => new ToolError(overdue(timeout.signal, limit)));
  } catch (error) {
    if (timeout.signal.aborted && !(error instanceof ToolError)) {
      throw new ToolError(overdue(timeout.signal, limit), { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Abandons work that does not end soon after it was told to stop, and rejects with the error. */
async function orLeftBehind<T>(work: Promise<T>, stop: AbortSignal, error: () => Error): Promise<T> {
  const { promise, reject } = withReject();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    timer = setTimeout(() => reject(error()), GRACE);
  };
  stop.addEventListener('abort', begin);
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener('abort', begin);
    clearTimeout(timer);
  }
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, refuse) => (reject = refuse));
  return { promise, reject };
}

function overdue(timeout: AbortSignal, limit: number | 'none'): string {
  if (!timeout.aborted || limit === 'none') return 'Interrupted, effect unknown.';
  return `Stopped after ${limit / 1000} s, effect unknown. Ask for less at once, or raise "parley.toolCalling.timeout".`;
}

/** One of the two places that catch: a `ToolError` is a result, every other error is rethrown. */
async function expected<T>(action: () => Promise<T>): Promise<T | ToolError> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
