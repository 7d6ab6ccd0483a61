import type { ChatToHost } from '../../contract/chat';
import { CallHostContext } from '../shared/calls/call-context';
import { showPage, type PageHost } from '../shared/page-host';
import { Chat } from './chat';
import { ChatContext } from './chat-context';
import { ChatState } from './chat-state';
import type { SavedState } from './saved-state';

declare function acquireVsCodeApi(): PageHost<ChatToHost, SavedState>;

const chat = new ChatState(acquireVsCodeApi());
showPage(
  chat,
  <ChatContext.Provider value={chat}>
    <CallHostContext.Provider value={chat}>
      <Chat />
    </CallHostContext.Provider>
  </ChatContext.Provider>,
);
chat.post({ type: 'ready' });
