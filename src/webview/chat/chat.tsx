import type { JSX } from 'preact';
import { visibleText } from '../../base/text';
import { waitingCalls } from '../../core/transcript/activity';
import { isDone } from '../../core/transcript/todos';
import type { Transcript } from '../../core/transcript/transcript';
import { EntryContext } from '../shared/calls/call-context';
import { Icon } from '../shared/icon';
import { KeepingStates } from '../shared/kept';
import { t, translatedTitle } from '../shared/l10n';
import { ChangedFiles } from './changed-files';
import { useChat } from './chat-context';
import { Composer } from './composer/composer';
import { Conversation, EntryView } from './conversation/conversation';
import { EmptyState } from './empty-state';
import { FindBar } from './find/find-bar';
import type { Shown } from './saved-state';
import { TodoList } from './todo-list';
import { WaitingBar } from './waiting-bar';

export function Chat(): JSX.Element | null {
  const chat = useChat();
  const shown = chat.shown.value;
  if (!shown) return null;
  const { session, transcript, pickers } = shown;
  // On a low page, the waiting card gets the space of everything that is not needed to answer it.
  const isWaiting = waitingCalls(transcript).length > 0;
  return (
    <main class={isWaiting ? 'chat chat-waiting' : 'chat'}>
      <h1 class="unseen">{t('Parley chat')}</h1>
      <FindBar />
      <KeepingStates states={chat.look}>
        <EntryContext.Provider value={EntryView}>
          <Conversation
            key={session}
            transcript={transcript}
            sending={chat.outbox.value.sending}
            empty={<EmptyState model={pickers.model} />}
          />
        </EntryContext.Provider>
        <Announcer transcript={transcript} />
        <TodoList key={`todos-${session}`} todos={transcript.todos} />
        {awaitsReview(shown) && <CarryOut />}
        <ChangedFiles
          key={`files-${session}`}
          changes={transcript.changes}
          run={Math.max(
            0,
            transcript.entries.findLastIndex(({ type }) => type === 'user'),
          )}
          running={transcript.running}
        />
        <WaitingBar transcript={transcript} />
      </KeepingStates>
      <RestrictedNotice />
      <Composer running={transcript.running} pickers={pickers} />
    </main>
  );
}

/** The planning agent has made a plan, and no run that would change it is in progress. */
function awaitsReview({ transcript, pickers }: Shown): boolean {
  const { running, entries, todos } = transcript;
  if (running || pickers.agent.value !== 'plan' || entries.at(-1)?.type !== 'reply') return false;
  return todos.some((todo) => !isDone(todo));
}

/** Shown below a plan: nothing was changed yet, and this is the next step. */
function CarryOut(): JSX.Element {
  const chat = useChat();
  return (
    <div class="notice carry-out">
      <p>{t('Nothing has been changed yet. Describe what to change in the plan, or carry it out.')}</p>
      <button type="button" class="button" onClick={() => chat.post({ type: 'carry-out' })}>
        {t('Carry out')}
      </button>
    </div>
  );
}

/** Tells screen readers that a call waits, because the focus is never taken from a user who types. */
function Announcer({ transcript }: { readonly transcript: Transcript }): JSX.Element {
  const waiting = waitingCalls(transcript);
  const approvals = waiting
    .flatMap((call) => (call.for === 'approval' ? [`${call.name}, ${translatedTitle(call.title)}`] : []))
    .join('; ');
  const questions = waiting.flatMap((call) => (call.for === 'answer' ? [call.question] : [])).join('; ');
  return (
    <div class="unseen" role="status">
      {approvals !== '' && <p>{visibleText(t('Waiting for your approval: {0}', approvals))}</p>}
      {questions !== '' && <p>{visibleText(t('Waiting for your answer: {0}', questions))}</p>}
    </div>
  );
}

/** Shown above the message box while the workspace is not trusted: what is off, and the next step. */
function RestrictedNotice(): JSX.Element | null {
  const chat = useChat();
  if (chat.isTrusted.value) return null;
  return (
    <div class="notice restricted">
      <Icon name="shield" />
      <p>
        {t('Restricted Mode: Parley can only read files in this workspace until you trust it.')}{' '}
        <button type="button" class="link-button" onClick={() => chat.post({ type: 'manage-trust' })}>
          {t('Manage Workspace Trust')}
        </button>
      </p>
    </div>
  );
}
