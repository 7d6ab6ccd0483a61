import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { CallPart, Transcript } from '../../core/transcript';
import { ToolCallCard } from '../shared/calls/tool-call-card';
import { t } from '../shared/l10n';
import { useLab } from './lab-context';
import { RunResult } from './run-result';
import { statusText } from './run-status';

/** The run that goes on, with what it asks, and the result of one that is over. */
export function RunView(): JSX.Element {
  const { run } = useLab();
  const shown = run.shown.value;
  const live = run.live.value;
  const kept = shown?.type === 'kept' ? run.runs.value.find(({ id }) => id === shown.id) : undefined;
  const part = live.running || shown?.type === 'live' ? callIn(live) : undefined;
  return (
    <div class="run-view">
      <p class="unseen" role="status">
        {part?.state.type === 'waiting' && t('{0} waits for your approval', visibleText(part.name))}
        {kept && `${visibleText(kept.tool)}: ${statusText(kept.result.status)}`}
      </p>
      {part && <ToolCallCard part={part} />}
      {kept && <RunResult key={kept.id} run={kept} />}
    </div>
  );
}

function callIn({ entries }: Transcript): CallPart | undefined {
  const parts = entries.flatMap((entry) => (entry.type === 'reply' ? entry.parts : []));
  return parts.find((part) => part.type === 'call');
}
