import type { ApprovalRequest } from '../words/approval';
import type { RunOutcome } from '../words/outcome';
import type { Verdict } from '../words/verdict';

/**
 * The user's programs that run on calls and at the end of runs. They can deny a call or make it ask; they cannot allow
 * one.
 */
export interface Hooks {
  /**
   * Their objection to a call that the policy would run or ask about. A hook that fails to answer is a reason to ask.
   * Rejects only when the signal aborts.
   */
  beforeCall(request: ApprovalRequest, verdict: Verdict, signal: AbortSignal): Promise<Verdict | undefined>;
  /** Their message to the model about a call that has run. Never rejects. */
  afterCall(call: EndedCall, signal: AbortSignal): Promise<string | undefined>;
  /** Never rejects. */
  runEnd(outcome: RunOutcome): Promise<void>;
}

export interface EndedCall {
  /** As it was decided. */
  readonly request: ApprovalRequest;
  readonly status: 'success' | 'error';
  readonly result: string;
}

/** Combines the policy's verdict with the hooks: never less strict, and the same object if they do not object. */
export async function tightened(
  hooks: Hooks | undefined,
  request: ApprovalRequest,
  verdict: Verdict,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!hooks || verdict.decision === 'deny') return verdict;
  const said = await hooks.beforeCall(request, verdict, signal);
  signal.throwIfAborted();
  if (!said || said.decision === 'auto') return verdict;
  return { decision: said.decision, reason: said.reason };
}

/** Hook output follows the result, so that it cannot be taken for part of it. */
export function withNote(text: string, note: string | undefined): string {
  return note === undefined ? text : `${text}\n\n[User hook: ${note}]`;
}
