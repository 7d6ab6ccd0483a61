import type { JSX } from 'preact';
import { visibleText } from '../../../base/text';
import type { Transcript } from '../../../core/transcript/transcript';
import { Fold, KeptScope } from '../kept';
import { t, translated } from '../l10n';
import { SubAgentContext, useEntryView } from './call-context';

interface SubAgentViewProps {
  readonly callId: string;
  readonly transcript: Transcript;
}

/** What the agent does that a call has started: where it is now, and what was before that folded. */
export function SubAgentView({ callId, transcript }: SubAgentViewProps): JSX.Element {
  const EntryView = useEntryView();
  const { running } = transcript;
  // Its task stands in the call.
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
      <Waiting transcript={transcript} />
    </div>
  );
}

/** How far it is, in a few words. */
function summaryOf({ entries }: Transcript): string {
  const replies = entries.filter((entry) => entry.type === 'reply');
  const calls = replies.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call'));
  return t('{0} requests, {1} calls', replies.length, calls.length);
}

/** Says that a reply is awaited, and why it takes longer. */
export function Waiting({ transcript }: { readonly transcript: Transcript }): JSX.Element | null {
  if (!isWaitingForModel(transcript)) return null;
  if (transcript.isCompacting) {
    const { compactionNote: note } = transcript;
    if (note !== undefined) return <p class="retrying">{visibleText(translated(note))}</p>;
    return <p class="thinking">{t('Putting older messages in short')}</p>;
  }
  const last = transcript.entries.at(-1);
  const reply = last?.type === 'reply' && last.ended === undefined ? last : undefined;
  if (reply?.retry) return <p class="retrying">{visibleText(translated(reply.retry.message))}</p>;
  return (
    <p class="thinking">
      {t('Waiting for the model')}
      {reply && reply.round > 1 && <> · {t('round {0} of {1}', reply.round, reply.maxRounds)}</>}
    </p>
  );
}

/** A request is out and nothing of its reply is there yet to show that something happens. */
function isWaitingForModel({ running, entries }: Transcript): boolean {
  if (!running) return false;
  const last = entries.at(-1);
  if (last?.type !== 'reply') return true;
  const part = last.parts.at(-1);
  if (last.ended === undefined) return part === undefined;
  return last.parts.every((each) => each.type !== 'call' || isOver(each.state.type));
}

function isOver(state: string): boolean {
  return state === 'ended' || state === 'malformed';
}
