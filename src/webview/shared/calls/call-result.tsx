import type { JSX } from 'preact';
import type { JsonObject } from '../../../base/json';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import type { Approval } from '../../../core/words/approval';
import type { ToolCall, ToolResult } from '../../../core/words/messages';
import { Fold } from '../kept';
import { t, translated } from '../l10n';
import { CappedText, firstLine, sizeOf } from '../text/capped-text';
import { Proposal } from './proposal';
import { SandboxLine } from './sandbox-lines';

interface CallResultProps {
  readonly call: ToolCall;
  readonly result: ToolResult;
  readonly approval: Approval | undefined;
}

/** A call that is over: folded, but what went wrong stands in the open. */
export function CallResult({ call, result, approval }: CallResultProps): JSX.Element {
  const { status, result: text } = result;
  const remark = remarkOn(result, approval);
  const hasMore =
    approval?.request.preview !== undefined || saysMoreThanHeader(approval?.request.edited ?? call.arguments);
  const hasResult = status !== 'denied' && text !== '' && text !== remark;
  return (
    <>
      {remark !== undefined && <p class="call-failure">{visibleText(translated(remark))}</p>}
      {result.sandbox && <SandboxLine bounds={result.sandbox} hasRun />}
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

/** The header shows one short text; a call with more arguments has something to unfold. */
function saysMoreThanHeader(values: JsonObject): boolean {
  const [first, ...others] = Object.values(values);
  if (first === undefined) return false;
  return others.length > 0 || typeof first !== 'string' || first.length > 40 || first.includes('\n');
}
