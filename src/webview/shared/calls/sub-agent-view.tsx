import type { JSX } from 'preact';
import type { Transcript } from '../../../core/transcript/transcript';
import { Fold, KeptScope } from '../kept';
import { t } from '../l10n';
import { SubAgentContext, useEntryView } from './call-context';
import { RunStatus } from './run-status';

interface SubAgentViewProps {
  readonly callId: string;
  readonly transcript: Transcript;
}

/** The sub-agent of a call: its current activity, with earlier entries folded. */
export function SubAgentView({ callId, transcript }: SubAgentViewProps): JSX.Element {
  const EntryView = useEntryView();
  const { running } = transcript;
  // Its task is shown in the call.
  const [, ...entries] = transcript.entries;
  const past = running ? entries.slice(0, -1) : entries;
  const now = running ? entries.at(-1) : undefined;
  return (
    <div class="sub-agent" role="group" aria-label={t('Sub-agent')}>
      <SubAgentContext.Provider value={callId}>
        {past.length > 0 && (
          <Fold summary={t('Sub-agent')} detail={summaryOf(transcript)}>
            {past.map((entry, index) => (
              <KeptScope key={index} name={String(index)}>
                <EntryView entry={entry} isLast={false} running={false} />
              </KeptScope>
            ))}
          </Fold>
        )}
        {now && (
          <KeptScope key={past.length} name={String(past.length)}>
            <EntryView entry={now} isLast={false} running />
          </KeptScope>
        )}
      </SubAgentContext.Provider>
      <RunStatus transcript={transcript} />
    </div>
  );
}

/** Its progress in a few words. */
function summaryOf({ entries }: Transcript): string {
  const replies = entries.filter((entry) => entry.type === 'reply');
  const calls = replies.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call'));
  return [
    replies.length === 1 ? t('1 request') : t('{0} requests', replies.length),
    calls.length === 1 ? t('1 call') : t('{0} calls', calls.length),
  ].join(' · ');
}
