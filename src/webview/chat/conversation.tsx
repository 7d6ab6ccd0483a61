import { Fragment, type ComponentChildren, type JSX } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { restorableEntries } from '../../core/file-changes';
import type { Entry, Transcript } from '../../core/transcript';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useLinks } from './links';
import { EntryView } from './entry-view';
import { endOf, useFollowEnd } from './follow-end';
import { runUsage } from './run-usage';
import { SentMessage } from './sent-message';
import { UsageLine } from './usage-line';
import { Waiting } from './waiting';
import { waitingCalls } from '../../core/waiting-calls';

interface Props {
  readonly transcript: Transcript;
  /** A message that is on its way. */
  readonly sending: string | undefined;
  readonly empty: ComponentChildren;
}

/** Everything said and done so far. Follows its end while the user is there. */
export function Conversation({ transcript, sending, empty }: Props): JSX.Element {
  const { scroller, content, following, jump } = useFollowEnd(restingPlace);
  const openLink = useLinks();
  const { entries, running } = transcript;
  const checkpoints = useMemo(() => restorableEntries(transcript), [transcript.changes, entries.length]);
  const asked = entries.filter((entry) => entry.type === 'user').length;
  // Whoever asks wants to see the answer.
  useLayoutEffect(() => {
    if (asked > 0 || sending !== undefined) jump();
  }, [asked, sending]);
  const jumpAndFocus = (): void => {
    jump();
    scroller.current?.focus();
  };
  return (
    <div class="conversation">
      <div
        class="log"
        role="log"
        aria-label={t('Conversation')}
        aria-busy={running}
        tabIndex={0}
        ref={scroller}
        onClick={openLink}
        onKeyDown={openLink}
      >
        <div class="log-content" ref={content}>
          {entries.length === 0 && sending === undefined && empty}
          {entries.map((entry, index) => (
            <Fragment key={index}>
              <EntryView
                entry={entry}
                isLast={index === entries.length - 1}
                running={running && index === entries.length - 1}
                checkpoint={!running && checkpoints.has(index) ? index : undefined}
                again={!running && sending === undefined && entry.type === 'user' ? index : undefined}
              />
              {!(running && index === entries.length - 1) && usageLine(entries, index)}
            </Fragment>
          ))}
          {sending !== undefined && <SentMessage text={sending} />}
          <Waiting transcript={transcript} />
        </div>
      </div>
      {!following && (
        <button type="button" class="jump" onClick={jumpAndFocus}>
          <Icon name={waitingCalls(transcript).length > 0 ? 'bell-dot' : 'arrow-down'} />
          {t('Jump to latest')}
        </button>
      )}
    </div>
  );
}

/** At the end of a run. */
function usageLine(entries: readonly Entry[], index: number): JSX.Element | undefined {
  const usage = runUsage(entries, index);
  return usage && <UsageLine usage={usage} />;
}

/** The end; but what a call asks for is seen before the end of what is said about it, and a greeting from its beginning. */
function restingPlace(log: HTMLElement): number {
  if (log.querySelector('.empty-state')) return 0;
  const waiting = log.querySelector<HTMLElement>('.call-waiting');
  return waiting ? Math.min(endOf(log), waiting.offsetTop - 8) : endOf(log);
}
