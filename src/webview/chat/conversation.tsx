import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { restorableEntries } from '../../core/file-changes';
import { pausedAt } from '../../core/pause';
import type { Entry, Transcript } from '../../core/transcript';
import { onCodeRequest } from '../shared/code-requests';
import { Icon } from '../shared/icon';
import { KeptScope } from '../shared/kept';
import { t } from '../shared/l10n';
import { endOf, useFollowEnd } from '../shared/follow-end';
import { Waiting } from '../shared/calls/waiting';
import { NEWEST } from '../shared/nearby-entries';
import { useNearby } from '../shared/use-nearby';
import { waitingCalls } from '../../core/waiting-calls';
import { useChat } from './chat-context';
import { useLinks } from './links';
import { EntryView } from './entry-view';
import { entryScope } from './kept-look';
import { runUsage } from './run-usage';
import { SentMessage } from './sent-message';
import { UsageLine } from './usage-line';

interface Props {
  readonly transcript: Transcript;
  /** A message that is on its way. */
  readonly sending: string | undefined;
  readonly empty: ComponentChildren;
}

/**
 * Everything said and done so far. Follows its end while the user is there. Of a long one only what is near is in the
 * page, so that it costs no more than a short one.
 */
export function Conversation({ transcript, sending, empty }: Props): JSX.Element {
  const chat = useChat();
  // Where the user was reading in the page before this one.
  const [left] = useState(chat.place);
  const { scroller, content, following, jump } = useFollowEnd(restingPlace, left === undefined);
  const openLink = useLinks();
  const { entries, running } = transcript;
  const { drawn, heightOf } = useNearby({
    scroller,
    content,
    count: entries.length,
    following,
    start: left,
    onPlace: (place) => chat.keepPlace(place),
  });
  const checkpoints = useMemo(() => restorableEntries(transcript), [transcript.changes, entries.length]);
  const pause = pausedAt(transcript);
  const isEmpty = entries.length === 0 && sending === undefined;
  const asked = entries.filter((entry) => entry.type === 'user').length;
  const isBack = useRef(left !== undefined);
  // Whoever asks wants to see the answer.
  useLayoutEffect(() => {
    if (!isBack.current && (asked > 0 || sending !== undefined)) jump();
    isBack.current = false;
  }, [asked, sending]);
  useLayoutEffect(
    () => (content.current ? onCodeRequest(content.current, (request) => chat.post(request)) : undefined),
    [chat],
  );
  const jumpAndFocus = (): void => {
    jump();
    scroller.current?.focus();
  };
  const row = (index: number): JSX.Element | undefined => {
    const entry = entries[index];
    const isLast = index === entries.length - 1;
    return (
      entry && (
        <div
          key={index}
          class="entry"
          data-entry={index}
          role="article"
          aria-posinset={index + 1}
          aria-setsize={entries.length}
          // One that comes back into sight is no news.
          aria-live={index < entries.length - NEWEST ? 'off' : undefined}
        >
          <KeptScope name={entryScope(index)}>
            <EntryView
              entry={entry}
              isLast={isLast}
              running={running && isLast}
              pause={pause?.entry === index ? pause : undefined}
              checkpoint={!running && checkpoints.has(index) ? index : undefined}
              again={!running && sending === undefined && entry.type === 'user' ? index : undefined}
            />
          </KeptScope>
          {!(running && isLast) && usageLine(entries, index)}
        </div>
      )
    );
  };
  return (
    <div class="conversation">
      <div
        class="log"
        role="log"
        aria-label={t('Conversation')}
        aria-busy={running}
        // Looking for it in a long conversation, each time this grows, would cost more than drawing what is new.
        data-rest={isEmpty ? 'beginning' : waitingCalls(transcript).length > 0 ? 'call' : undefined}
        tabIndex={0}
        ref={scroller}
        onClick={openLink}
        onKeyDown={openLink}
      >
        <div class="log-content" ref={content}>
          {isEmpty && empty}
          {drawn.map((item) =>
            typeof item === 'number' ? (
              row(item)
            ) : (
              <div key={`away-${item.from}`} class="away" style={{ height: `${heightOf(item)}px` }} />
            ),
          )}
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
  if (log.dataset['rest'] === 'beginning') return 0;
  const waiting = log.dataset['rest'] === 'call' && log.querySelector<HTMLElement>('.call-waiting');
  if (!waiting) return endOf(log);
  const top = waiting.getBoundingClientRect().top - log.getBoundingClientRect().top;
  return Math.min(endOf(log), log.scrollTop + top - 8);
}
