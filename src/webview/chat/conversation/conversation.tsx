import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { waitingCalls } from '../../../core/transcript/activity';
import { restorableEntries } from '../../../core/transcript/file-changes';
import { pausedAt } from '../../../core/transcript/history';
import { isReplyEdit } from '../../../core/transcript/rewind';
import type { EntryLayout } from '../../../core/transcript/step-folds';
import type { Entry, ReplyEntry, Transcript } from '../../../core/transcript/transcript';
import { isUnlooked } from '../../../core/transcript/unlooked';
import type { Usage } from '../../../core/words/model';
import { RunStatus } from '../../shared/calls/run-status';
import { scrollEnd, useFollowEnd } from '../../shared/follow-end';
import { Icon, IconButton } from '../../shared/icon';
import { KeptScope } from '../../shared/kept';
import { t } from '../../shared/l10n';
import { onCodeRequest } from '../../shared/markdown/code-block';
import { CappedText, firstLine } from '../../shared/text/capped-text';
import { targetAt } from '../../shared/text/path-anchors';
import { paceTexts, tokenTexts } from '../../shared/usage-texts';
import { NEWEST, useNearby } from '../../shared/use-nearby';
import { useChat } from '../chat-context';
import { useFind } from '../find/use-find';
import { entryScope } from '../saved-state';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import type { EntryProps } from '../../shared/calls/call-context';
import { memo } from '../../shared/memo';
import { SummaryNotice, OutcomeNotice, RestoreNotice, RewindNotice } from './notices';
import { ReplyView } from './reply-view';
import { UserMessage } from './user-message';
import { useStepFolds } from './use-step-folds';

interface ConversationProps {
  readonly transcript: Transcript;
  /** A message that is being sent. */
  readonly sending: string | undefined;
  readonly empty: ComponentChildren;
}

/**
 * The conversation. Follows its end while the user is there. Only nearby entries are in the page, so a long
 * conversation costs no more than a short one.
 */
export function Conversation({ transcript, sending, empty }: ConversationProps): JSX.Element {
  const chat = useChat();
  // Scroll position of the previous page.
  const [left] = useState(chat.look.place);
  const { scroller, content, following, jump, stay } = useFollowEnd(restingPlace, left === undefined);
  const openLink = useLinks();
  const { entries, running } = transcript;
  const { layouts, onFold, unfold } = useStepFolds(transcript);
  const keyOf = useFind({ scroller, entries, stay, unfold });
  const [top, setTop] = useState<number>();
  const [goal, setGoal] = useState<Goal>();
  const found = chat.find.isOpen.value ? chat.find.match : undefined;
  const { drawn, heightOf } = useNearby({
    scroller,
    content,
    count: entries.length,
    isEmpty: (index) => isEmptyLayout(layouts.get(index)),
    following,
    start: left,
    held: [found?.entry, goal?.entry].filter((entry) => entry !== undefined),
    onPlace: (place) => chat.look.keepPlace(place),
    onTop: setTop,
  });
  const checkpoints = useMemo(() => restorableEntries(transcript), [transcript.changes, entries.length]);
  const pause = pausedAt(transcript);
  const isEmpty = entries.length === 0 && sending === undefined;
  const asked = entries.filter((entry) => entry.type === 'user').length;
  const isBack = useRef(left !== undefined);
  // A user who sends a message wants to see the answer.
  useLayoutEffect(() => {
    if (!isBack.current && (asked > 0 || sending !== undefined)) jump();
    isBack.current = false;
  }, [asked, sending]);
  useLayoutEffect(
    () => (content.current ? onCodeRequest(content.current, (request) => chat.post(request)) : undefined),
    [chat],
  );
  useFocusInside(scroller);
  useLayoutEffect(() => {
    const entry = goal && content.current?.querySelector(`:scope > [data-entry="${goal.entry}"]`);
    entry?.scrollIntoView({ block: 'start' });
  }, [goal]);
  const pinned = pinnedAt(entries, top);
  const jumpAndFocus = (): void => {
    jump();
    scroller.current?.focus();
  };
  const row = (index: number): JSX.Element | undefined => {
    const entry = entries[index];
    const isLast = index === entries.length - 1;
    const layout = layouts.get(index);
    if (isEmptyLayout(layout)) return undefined;
    return (
      entry && (
        <div
          key={keyOf(index)}
          class="entry"
          data-entry={index}
          role="article"
          aria-posinset={index + 1}
          aria-setsize={entries.length}
          // An entry that scrolls back into view is not new.
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
              before={entries[index - 1]}
              after={entries[index + 1]}
              layout={layout}
              onFold={onFold}
              isUnlooked={!(running && isLast) && isUnlooked(entries, index)}
              isAdvised={wasAdvised(entries, index)}
            />
          </KeptScope>
          {!(running && isLast) && usageLine(entries, index)}
        </div>
      )
    );
  };
  return (
    <div class="conversation">
      {pinned !== undefined && (
        <PinnedMessage
          text={pinned.text}
          onClick={() => {
            stay();
            setGoal({ entry: pinned.entry });
          }}
        />
      )}
      <div
        class="log"
        role="log"
        aria-label={t('Conversation')}
        aria-busy={running}
        // Searching for it in a long conversation on each change would cost more than drawing the new entries.
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
          <RunStatus transcript={transcript} />
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

/** Everything in the entry is folded into a line of an earlier one. */
function isEmptyLayout(layout: EntryLayout | undefined): boolean {
  return layout !== undefined && layout.items.length === 0 && !layout.hasTail;
}

/** Whether an earlier reply got the same advice. */
function wasAdvised(entries: readonly Entry[], index: number): boolean {
  const reply = entries[index];
  if (reply?.type !== 'reply' || !reply.advice) return false;
  const { protocol, message } = reply.advice;
  return entries.some(
    (entry, at) =>
      at < index &&
      entry.type === 'reply' &&
      entry.advice?.protocol === protocol &&
      entry.advice.message === message,
  );
}

/** An entry that the user wants to see. */
interface Goal {
  readonly entry: number;
}

/** The message whose answer is in sight, if it is not in sight itself. */
function pinnedAt(
  entries: readonly Entry[],
  top: number | undefined,
): { readonly entry: number; readonly text: string } | undefined {
  if (top === undefined || entries[top]?.type === 'user') return undefined;
  const entry = entries.findLastIndex(({ type }, index) => index < top && type === 'user');
  const message = entries[entry];
  return message?.type === 'user' ? { entry, text: message.text } : undefined;
}

interface PinnedMessageProps {
  readonly text: string;
  readonly onClick: () => void;
}

/** The user's message in one line, while they read its answer. */
function PinnedMessage({ text, onClick }: PinnedMessageProps): JSX.Element {
  const chat = useChat();
  return (
    <div class="pinned">
      <button type="button" class="pinned-message" title={t('Show your message')} onClick={onClick}>
        {visibleText(firstLine(text))}
      </button>
      <IconButton icon="search" label={t('Find')} onClick={() => chat.find.open()} />
    </div>
  );
}

/** Shown at the end of a run. */
function usageLine(entries: readonly Entry[], index: number): JSX.Element | undefined {
  const usage = runUsage(entries, index);
  const last = entries.findLast((entry, at) => at <= index && entry.type === 'reply');
  return usage && <UsageLine usage={usage} last={last?.type === 'reply' ? last : undefined} />;
}

/** Scrolls to the end, except that a waiting call is shown before its notes, and a greeting from its top. */
function restingPlace(log: HTMLElement): number {
  if (log.dataset['rest'] === 'beginning') return 0;
  const waiting =
    log.dataset['rest'] === 'call' &&
    (log.querySelector('.call-waiting:focus-within') ?? log.querySelector('.call-waiting'));
  if (!waiting) return scrollEnd(log);
  const top = waiting.getBoundingClientRect().top - log.getBoundingClientRect().top;
  return Math.min(scrollEnd(log), log.scrollTop + top - 8);
}

/** A message whose run has not started: its attachments are read, or the user is asked about them. */
function SentMessage({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      <section class="user-message">
        <h2 class="unseen">{t('Sending')}</h2>
        <CappedText label={t('Your message')} text={text} lines={20} scrolls={false} />
      </section>
      <p class="thinking">{t('Reading attachments')}</p>
    </>
  );
}

interface UsageLineProps {
  /** Usage of the whole run. */
  readonly usage: Usage;
  /** The last reply of the run. */
  readonly last: ReplyEntry | undefined;
}

/** Tokens used by a run, the cost if the price is known, and the speed of the last reply. */
function UsageLine({ usage, last }: UsageLineProps): JSX.Element {
  const parts = [...tokenTexts(usage), ...(last ? paceTexts(last) : [])];
  return (
    <p class="usage" title={t('Tokens the model read and wrote for this message')}>
      {parts.join(' · ')}
    </p>
  );
}

/**
 * Usage of the replies and summaries of the run that ends with this entry. Nothing if the run continues or no
 * endpoint reported usage. The cost is omitted unless it is known for each.
 */
export function runUsage(entries: readonly Entry[], index: number): Usage | undefined {
  const next = entries[index + 1];
  if (next && next.type !== 'user' && next.type !== 'restore' && next.type !== 'rewind') return undefined;
  // The following reply belongs to the same run.
  if (next?.type === 'rewind' && isReplyEdit(next)) return undefined;
  const start = entries.findLastIndex((entry, at) => at <= index && entry.type === 'user');
  const used = usagesIn(entries.slice(start + 1, index + 1));
  return used.length === 0 ? undefined : used.reduce(sum);
}

/** Includes sub-agents. */
function usagesIn(entries: readonly Entry[]): readonly Usage[] {
  return entries.flatMap((entry) => {
    if (entry.type === 'compaction') return entry.usage ? [entry.usage] : [];
    if (entry.type !== 'reply') return [];
    const subAgents = entry.parts.flatMap((part) =>
      part.type === 'call' && 'subAgent' in part.state ? usagesIn(part.state.subAgent.entries) : [],
    );
    return entry.usage ? [entry.usage, ...subAgents] : subAgents;
  });
}

function sum(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(one.cachedTokens !== undefined &&
      other.cachedTokens !== undefined && { cachedTokens: one.cachedTokens + other.cachedTokens }),
    ...(one.cost !== undefined && other.cost !== undefined && { cost: one.cost + other.cost }),
  };
}

/** When what has the focus is folded away, the conversation gets it. */
function useFocusInside(scroller: RefObject<HTMLElement | null>): void {
  const focus = scroller.current?.contains(document.activeElement) ? document.activeElement : null;
  useLayoutEffect(() => {
    if (focus?.isConnected === false && document.activeElement === document.body) scroller.current?.focus();
  });
}

/** A click or Enter on a link asks the host to open it; the page never navigates. */
function useLinks(): (event: MouseEvent | KeyboardEvent) => void {
  const chat = useChat();
  return (event) => {
    if (event instanceof KeyboardEvent && event.key !== 'Enter') return;
    if (!(event.target instanceof Element)) return;
    const url = event.target.closest('[data-url]')?.getAttribute('data-url');
    const target = targetAt(event.target);
    if (!url && !target) return;
    event.preventDefault();
    chat.post(url ? { type: 'open-link', url } : { type: 'open-path', ...target, path: target?.path ?? '' });
  };
}

/** One entry of the conversation. Unchanged entries are not redrawn. */
export const EntryView = memo((props: EntryProps): JSX.Element => {
  const { entry, isLast, running, pause, checkpoint, again, before } = props;
  switch (entry.type) {
    case 'user':
      return (
        <UserMessage
          text={entry.text}
          attachments={entry.attachments}
          checkpoint={checkpoint}
          again={again}
        />
      );
    case 'reply':
      // A replacement does not grow out of the entry it replaces.
      return <ReplyView key={entry.number} {...props} reply={entry} />;
    case 'outcome':
      return <OutcomeNotice outcome={entry.outcome} isNew={isLast} pause={pause} before={before} />;
    case 'compaction':
      return <SummaryNotice compaction={entry} running={running} />;
    case 'restore':
      return <RestoreNotice restore={entry} checkpoint={checkpoint} />;
    case 'rewind':
      return <RewindNotice rewind={entry} checkpoint={checkpoint} />;
    default:
      return never(entry);
  }
});
