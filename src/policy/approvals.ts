import type { ApprovalRequest, Grant, Verdict } from '../core/approval';
import type { Recovery } from '../core/config';
import type { Judgement } from '../core/session';
import type { Access } from '../core/tool';
import { coversGrant } from './grants';

/** What decides about a call besides the call itself. */
export interface ApprovalRules {
  readonly isTrusted: boolean;
  /** `manual`: every call waits for the user, reads too. */
  readonly mode: 'auto' | 'manual';
  /** `false`: ordinary edits inside the workspace run unasked. */
  readonly requireConfirmation: boolean;
  readonly recovery: Recovery;
}

/** Whether a prepared call runs, waits for the user or is refused. What no rule speaks for waits. */
export function judgeCall(
  request: ApprovalRequest,
  rules: ApprovalRules,
  granted: readonly Grant[],
): Judgement {
  const verdict = judgeGranted(request, rules, granted);
  if (verdict.decision !== 'ask') return { verdict, grants: [] };
  // Offered is only what would let this very call run: not in manual mode, not for a call whose text was mended.
  const grants = grantsFor(request).filter(
    (grant) => judgeGranted(request, rules, [...granted, grant]).decision === 'auto',
  );
  return { verdict, grants };
}

function judgeGranted(request: ApprovalRequest, rules: ApprovalRules, granted: readonly Grant[]): Verdict {
  const editsAllowed = !rules.requireConfirmation || granted.some(({ type }) => type === 'edits-in-session');
  const verdicts = request.accesses.map((access) => judgeAccess(access, editsAllowed, granted));
  return strictest([...generalVerdicts(request, rules), ...verdicts]);
}

function grantsFor({ accesses }: ApprovalRequest): readonly Grant[] {
  return [{ type: 'edits-in-session' }, ...accesses.flatMap(({ verdict }) => verdict.grant ?? [])];
}

function generalVerdicts({ effect, call, accesses }: ApprovalRequest, rules: ApprovalRules): Verdict[] {
  const verdicts: Verdict[] = [];
  const reads = effect === 'read';
  if (!reads && !rules.isTrusted)
    verdicts.push(
      deny('the workspace is not trusted, and until the user trusts it Parley only reads inside it'),
    );
  if (rules.mode === 'manual') verdicts.push(ask('manual mode'));
  if (call.mark === 'echoed') verdicts.push(ask('the call stands in an earlier result, word for word'));
  if (call.mark === 'recovered' && rules.recovery === 'ask')
    verdicts.push(ask('the call was written in another form'));
  if (!reads && call.mark !== 'clean') verdicts.push(ask(`the call was ${call.mark}`));
  if (!reads && accesses.length === 0) verdicts.push(ask('it is not known what it touches'));
  return verdicts;
}

function judgeAccess(access: Access, editsAllowed: boolean, granted: readonly Grant[]): Verdict {
  const { decision, grant: wanted } = access.verdict;
  if (decision === 'ask' && wanted && granted.some((grant) => coversGrant(grant, wanted)))
    return { decision: 'auto', reason: 'allowed by the user' };
  if (decision !== 'auto') return access.verdict;
  switch (access.kind) {
    case 'edit':
      return editsAllowed ? { decision: 'auto', reason: 'edits are allowed' } : ask('it changes a file');
    case 'move':
      return ask('it moves or deletes');
    case 'path':
    case 'command':
    case 'url':
      return access.verdict;
  }
}

const ORDER = { auto: 0, ask: 1, deny: 2 } as const;

/** The verdict that all others give way to; without any, nothing speaks against running. */
function strictest(verdicts: readonly Verdict[]): Verdict {
  const none: Verdict = { decision: 'auto', reason: 'it only reads inside the workspace' };
  return verdicts.reduce(
    (worst, next) => (ORDER[next.decision] > ORDER[worst.decision] ? next : worst),
    none,
  );
}

function ask(reason: string): Verdict {
  return { decision: 'ask', reason };
}

function deny(reason: string): Verdict {
  return { decision: 'deny', reason };
}
