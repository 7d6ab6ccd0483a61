import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/visible-text';
import type { Approval } from '../../../core/approval';
import type { ToolCall, ToolResult } from '../../../core/messages';
import { CappedText } from '../capped-text';
import { t, translated } from '../l10n';
import { sizeOf } from '../text-size';
import { firstLine } from '../first-line';
import { Fold } from '../fold';
import { Proposal } from './proposal';
import { saysMoreThanHeader } from './says-more-than-header';

interface Props {
  readonly call: ToolCall;
  readonly result: ToolResult;
  readonly approval: Approval | undefined;
}

/** A call that is over: folded, but what went wrong stands in the open. */
export function CallResult({ call, result, approval }: Props): JSX.Element {
  const { status, result: text } = result;
  const remark = remarkOn(result, approval);
  const hasMore =
    approval?.request.preview !== undefined || saysMoreThanHeader(approval?.request.edited ?? call.arguments);
  const hasResult = status !== 'denied' && text !== '' && text !== remark;
  return (
    <>
      {remark !== undefined && <p class="call-failure">{visibleText(translated(remark))}</p>}
      <div class="call-folds">
        {hasMore && (
          <Fold summary={labelOf(approval)}>
            <Proposal call={call} request={approval?.request} />
          </Fold>
        )}
        {hasResult && (
          <Fold summary={t('Result')} detail={sizeOf(text)}>
            <CappedText label={t('Result')} text={text} lines={100} />
          </Fold>
        )}
      </div>
    </>
  );
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

/** What the user answered; empty when they gave no reason. */
function whyRejected(approval: Approval | undefined): string | undefined {
  const decision = approval?.decision;
  if (decision?.type !== 'reject' || decision.by !== 'user') return undefined;
  return decision.reason === '' ? t('You rejected it.') : t('You rejected it: {0}', decision.reason);
}
