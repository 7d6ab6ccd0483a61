import type { JSX } from 'preact';
import { visibleText } from '../../../base/visible-text';
import type { CallPart } from '../../../core/transcript';
import { Icon } from '../icon';
import { t } from '../l10n';
import { durationText } from '../duration-text';
import { iconOfTool } from './tool-icon';
import { mainArgument } from './main-argument';
import type { CallStatus } from './call-status';

/** The line that tells at a glance: tool, main argument, state. */
export function CallHeader({
  part,
  status,
}: {
  readonly part: CallPart;
  readonly status: CallStatus;
}): JSX.Element {
  const summary = visibleText(mainArgument(part) ?? '');
  return (
    <div class="call-header">
      <Icon name={iconOfTool(part)} />
      <span class="call-name">{visibleText(part.name) || t('Unknown tool')}</span>
      <span class="call-summary" title={summary}>
        {summary}
      </span>
      <span class="call-status">
        <StatusLabel part={part} status={status} />
      </span>
    </div>
  );
}

function StatusLabel({
  part,
  status,
}: {
  readonly part: CallPart;
  readonly status: CallStatus;
}): JSX.Element {
  const time = part.state.type === 'ended' ? durationText(part.state.result.durationMs) : '';
  switch (status) {
    case 'streaming':
      return <Label icon="loading" spin text={t('Writing')} />;
    case 'ready':
      return <Label icon="clock" text={t('Queued')} />;
    case 'waiting':
      return <Label icon="bell-dot" text={t('Waiting')} />;
    case 'running':
      return <Label icon="loading" spin text={t('Running')} />;
    case 'done':
      return <Label icon="check" text={time} hidden={t('Done')} />;
    case 'failed':
      return <Label icon="error" text={t('Failed')} />;
    case 'rejected':
      return <Label icon="circle-slash" text={t('Rejected')} />;
    case 'malformed':
      return <Label icon="warning" text={t('Malformed')} />;
  }
}

interface LabelProps {
  readonly icon: string;
  readonly text: string;
  readonly spin?: boolean;
  /** For screen readers only. */
  readonly hidden?: string;
}

function Label({ icon, text, spin = false, hidden }: LabelProps): JSX.Element {
  return (
    <>
      {hidden !== undefined && <span class="unseen">{hidden}</span>}
      <span>{text}</span>
      <Icon name={icon} spin={spin} />
    </>
  );
}
