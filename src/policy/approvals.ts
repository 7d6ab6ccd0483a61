import type { Judgement } from '../core/session';
import type { ApprovalRequest } from '../core/words/approval';
import type { Recovery } from '../core/words/config';
import type { Access } from '../core/words/tool';
import type { Grant, Verdict } from '../core/words/verdict';
import { ask, coversCommand, coversGrant, deny, strictest } from './verdicts';

/** What decides about a call besides the call itself. */
export interface ApprovalRules {
  readonly isTrusted: boolean;
  /** `manual`: every call waits for the user, reads too. */
  readonly mode: 'auto' | 'manual';
  /** `false`: ordinary edits inside the workspace run unasked. */
  readonly requireConfirmation: boolean;
  readonly recovery: Recovery;
}

/** Whether a prepared call runs, waits for the user or is refused. Anything no rule allows waits for the user. */
export function judgeCall(
  request: ApprovalRequest,
  rules: ApprovalRules,
  granted: readonly Grant[],
): Judgement {
  const verdict = judgeGranted(request, rules, granted);
  if (verdict.decision !== 'ask') return { verdict, grants: [] };
  // Offer only grants that would let this call run: not in manual mode, not for a repaired call.
  const grants = grantsFor(request).filter(
    (grant) => judgeGranted(request, rules, [...granted, grant]).decision === 'auto',
  );
  return { verdict, grants };
}

function judgeGranted(request: ApprovalRequest, rules: ApprovalRules, granted: readonly Grant[]): Verdict {
  const editsGranted = granted.some(({ type }) => type === 'edits-in-session');
  const reason = editsGranted ? 'edits are allowed in this session' : 'the settings let edits run unasked';
  const editsAllowed = (editsGranted || !rules.requireConfirmation) && reason;
  const movesAllowed = granted.some(({ type }) => type === 'moves-in-session');
  const context = { isTrusted: rules.isTrusted, editsAllowed, movesAllowed, granted };
  const verdicts = request.accesses.map((access) => judgeAccess(access, context));
  const strict = strictest(READS, ...generalVerdicts(request, rules), ...verdicts);
  return strict === READS ? (verdicts.find((_, at) => isTelling(request.accesses[at])) ?? READS) : strict;
}

/** The reason is worth showing if the call does more than read the workspace; of several, the first. */
function isTelling(access: Access | undefined): boolean {
  return access !== undefined && (access.effect !== 'read' || access.verdict.decision !== 'auto');
}

function grantsFor({ accesses }: ApprovalRequest): readonly Grant[] {
  return [
    { type: 'edits-in-session' },
    { type: 'moves-in-session' },
    ...accesses.flatMap(({ verdict }) => grantsOf(verdict)),
  ];
}

function grantsOf({ grant, wider }: Verdict): readonly Grant[] {
  return [grant, wider].filter((each) => each !== undefined);
}

/** The verdict if nothing is stricter. */
const READS: Verdict = { decision: 'auto', reason: 'it only reads inside the workspace' };

function generalVerdicts({ effect, call, accesses }: ApprovalRequest, rules: ApprovalRules): Verdict[] {
  const verdicts: Verdict[] = [];
  const acting = accesses.filter((access) => access.effect !== 'read');
  const reads = effect === 'read' && acting.length === 0;
  if (!reads && !rules.isTrusted)
    verdicts.push(
      deny('the workspace is not trusted; until the user trusts it, Parley only reads inside it'),
    );
  if (rules.mode === 'manual') verdicts.push(ask('manual mode'));
  if (call.mark === 'echoed') verdicts.push(ask('the call was copied word for word from an earlier result'));
  if (call.mark === 'recovered' && rules.recovery === 'ask')
    verdicts.push(ask('the call was written in another form'));
  if (!reads && call.mark !== 'clean') verdicts.push(ask(MARKED[call.mark]));
  if (!reads && acting.length === 0) verdicts.push(ask('it is not known what it touches'));
  return verdicts;
}

const MARKED = {
  repaired: 'the call was repaired',
  recovered: 'the call was recovered',
  echoed: 'the call was copied from an earlier text',
} as const;

interface AccessContext {
  readonly isTrusted: boolean;
  /** What allows them. */
  readonly editsAllowed: string | false;
  readonly movesAllowed: boolean;
  readonly granted: readonly Grant[];
}

function judgeAccess(access: Access, context: AccessContext): Verdict {
  const { isTrusted, editsAllowed, movesAllowed, granted } = context;
  const { verdict } = access;
  const { decision } = verdict;
  if (verdict.isOutside === true && !isTrusted)
    return deny(`the workspace is not trusted, and this place is outside it: ${access.target}`);
  const covers = (given: readonly Grant[]): boolean =>
    grantsOf(verdict).some(
      (wanted) => given.some((grant) => coversGrant(grant, wanted)) || coversCommand(given, wanted),
    );
  if (decision === 'ask' && covers(granted)) {
    const inSession = granted.filter((grant) => !('scope' in grant) || grant.scope !== 'workspace');
    const reason = covers(inSession)
      ? 'the user allowed it in this session'
      : 'the user allowed it in this workspace';
    return { decision: 'auto', reason };
  }
  if (decision !== 'auto') return verdict;
  switch (access.kind) {
    case 'edit':
      return editsAllowed === false ? ask('it changes a file') : { decision: 'auto', reason: editsAllowed };
    case 'move':
      return movesAllowed
        ? { decision: 'auto', reason: 'moves and deletions are allowed' }
        : ask('it moves or deletes');
    case 'path':
      return access.effect === 'read' ? verdict : ask('it does more than read the place');
    case 'command':
    case 'url':
    case 'agent':
    case 'mcp':
      return verdict;
    default:
      // A kind that this policy does not know.
      return ask('it is not known what it does');
  }
}
