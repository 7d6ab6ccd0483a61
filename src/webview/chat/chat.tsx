import type { JSX } from 'preact';
import { KeepingStates } from '../shared/kept';
import { t } from '../shared/l10n';
import { EntryContext } from '../shared/calls/entry-context';
import { Announcer } from './announcer';
import { ChangedFiles } from './changed-files';
import { useChat } from './chat-context';
import { Composer } from './composer';
import { Conversation } from './conversation';
import { EmptyState } from './empty-state';
import { EntryView } from './entry-view';
import { RestrictedNotice } from './restricted-notice';
import { TodoList } from './todo-list';

export function Chat(): JSX.Element | null {
  const chat = useChat();
  const shown = chat.shown.value;
  if (!shown) return null;
  const { session, transcript, pickers } = shown;
  return (
    <main class="chat">
      <h1 class="unseen">{t('Parley chat')}</h1>
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
        <ChangedFiles key={`files-${session}`} changes={transcript.changes} />
      </KeepingStates>
      <RestrictedNotice />
      <Composer running={transcript.running} pickers={pickers} />
    </main>
  );
}
