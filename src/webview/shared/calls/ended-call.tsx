import type { JSX } from 'preact';
import type { JsonObject } from '../../../base/json';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import { argumentsOf, type CallPart, type CallState } from '../../../core/transcript/transcript';
import type { Approval } from '../../../core/words/approval';
import type { ToolResult } from '../../../core/words/messages';
import { Fold, useKept } from '../kept';
import { t, translated } from '../l10n';
import { CappedText, firstLine, sizeOf } from '../text/capped-text';
import { allowanceOf, CallHeader, HeaderParts, type CallStatus } from './call-header';
import { useCallHost } from './call-context';
import { CallNotes } from './call-notes';
import { Proposal } from './proposal';
import { QuestionAnswer } from './question';
import { SandboxLine } from './sandbox-lines';
import { SubAgentView } from './sub-agent-view';

type EndedCall = Extract<CallState, { readonly type: 'ended' }>;

interface Props {
  readonly part: CallPart;
  readonly status: CallStatus;
  readonly state: EndedCall;
}

/** A finished call in one line that unfolds. Errors and the user's words stay visible. */
export function EndedCallView({ part, status, state }: Props): JSX.Element {
  const [isOpen, setOpen] = useKept<boolean>('call', false);
  const { call, result, approval, answered } = state;
  const isChanged = argumentsOf(state) !== call.arguments;
  const isMarked = call.mark !== 'clean' || isChanged;
  const notes = <CallNotes call={call} isChanged={isChanged} />;
  const remark = remarkOn(result, approval);
  const failure = remark !== undefined && <p class="call-failure">{visibleText(translated(remark))}</p>;
  // Both are shown already: the question is in the arguments, the answer in the result.
  if (answered && result.status === 'success')
    return (
      <>
        <CallHeader part={part} status={status} />
        {notes}
        <QuestionAnswer answered={answered} />
      </>
    );
  if (!hasMore(state, remark))
    return (
      <>
        <CallHeader part={part} status={status} />
        {notes}
        {failure}
      </>
    );
  return (
    <>
      <details class="call-fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="call-header">
          <HeaderParts part={part} status={status} />
        </summary>
        {isOpen && (
          <>
            {notes}
            {failure}
            <Rest state={state} remark={remark} />
          </>
        )}
      </details>
      {!isOpen && isMarked && notes}
      {!isOpen && failure}
    </>
  );
}

interface RestProps {
  readonly state: EndedCall;
  readonly remark: string | undefined;
}

/** What allowed it, what it did, and the result. */
function Rest({ state, remark }: RestProps): JSX.Element {
  const { call, result, approval, subAgent } = state;
  const allowance = allowanceOf(state);
  const { opensPaths = false } = useCallHost();
  const isChange = approval?.request.preview?.type === 'diff';
  return (
    <>
      {allowance && <p class="call-decision">{visibleText(allowance.sentence)}</p>}
      {result.sandbox && <SandboxLine bounds={result.sandbox} hasRun />}
      <div class="call-folds">
        {hasArguments(state) && (
          <Fold summary={labelOf(approval)} opens={isChange}>
            <Proposal call={call} request={approval?.request} />
          </Fold>
        )}
        {hasResult(result, remark) && (
          <Fold summary={t('Result')} detail={sizeOf(result.result)} opens={!isChange}>
            <CappedText
              label={t('Result')}
              text={result.result}
              lines={100}
              isEndFirst={result.status === 'error'}
              isLinked={opensPaths}
            />
          </Fold>
        )}
      </div>
      {subAgent && <SubAgentView callId={call.id} transcript={subAgent} />}
    </>
  );
}

function hasMore(state: EndedCall, remark: string | undefined): boolean {
  return (
    allowanceOf(state) !== undefined ||
    state.call.notes.length > 0 ||
    state.result.sandbox !== undefined ||
    state.subAgent !== undefined ||
    hasArguments(state) ||
    hasResult(state.result, remark)
  );
}

function hasArguments({ call, approval }: EndedCall): boolean {
  return (
    approval?.request.preview !== undefined || saysMoreThanHeader(approval?.request.edited ?? call.arguments)
  );
}

function hasResult({ status, result }: ToolResult, remark: string | undefined): boolean {
  return status !== 'denied' && result !== '' && result !== remark;
}

function remarkOn({ status, result }: ToolResult, approval: Approval | undefined): string | undefined {
  switch (status) {
    case 'success':
      return undefined;
    case 'error':
      return firstLine(result);
    case 'denied':
      return whyRejected(approval) ?? firstLine(result);
    default:
      return never(status);
  }
}

function labelOf(approval: Approval | undefined): string {
  switch (approval?.request.preview?.type) {
    case 'diff':
      return t('Changes');
    case 'command':
      return t('Command');
    case undefined:
      return t('Arguments');
  }
}

/** The user's reason for rejecting; empty if they gave none. */
function whyRejected(approval: Approval | undefined): string | undefined {
  const decision = approval?.decision;
  if (decision?.type !== 'reject' || decision.by !== 'user') return undefined;
  return decision.reason === '' ? t('You rejected it.') : t('You rejected it: {0}', decision.reason);
}

/** The header shows one short text; a call with more arguments can be unfolded. */
function saysMoreThanHeader(values: JsonObject): boolean {
  const [first, ...others] = Object.values(values);
  if (first === undefined) return false;
  return others.length > 0 || typeof first !== 'string' || first.length > 40 || first.includes('\n');
}
