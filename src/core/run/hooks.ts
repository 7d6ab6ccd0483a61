import type { ApprovalRequest } from '../words/approval';
import type { RunOutcome } from '../words/outcome';
import type { Verdict } from '../words/verdict';

/** Programs of the user that are told of calls and runs. They say no, or nothing; nothing they say lets a call run. */
export interface Hooks {
  /**
   * What they say against a call that the policy would let run or asks about. What a hook should have said and did not
   * is a reason to ask. Rejects only when the signal aborts.
   */
  beforeCall(request: ApprovalRequest, verdict: Verdict, signal: AbortSignal): Promise<Verdict | undefined>;
  /** What they have to say to the model about a call that has run. Never rejects. */
  afterCall(call: EndedCall, signal: AbortSignal): Promise<string | undefined>;
  /** Never rejects. */
  runEnd(outcome: RunOutcome): Promise<void>;
}

export interface EndedCall {
  /** As it was decided about. */
  readonly request: ApprovalRequest;
  readonly status: 'success' | 'error';
  readonly result: string;
}

/** What the policy says together with the hooks: never less strict, and the same object where they say nothing. */
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

/** What a hook says stands behind the result, so that nobody takes it for a part of that. */
export function withNote(text: string, note: string | undefined): string {
  return note === undefined ? text : `${text}\n\n[A hook of the user says: ${note}]`;
}
