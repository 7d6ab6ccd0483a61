import { render } from 'preact';
import type { ChatToHost, HostToChat } from '../../contract/chat';
import { CallHostContext } from '../shared/calls/call-context';
import type { PageHost } from '../shared/page-host';
import { Chat } from './chat';
import { ChatContext } from './chat-context';
import { ChatState } from './chat-state';
import type { SavedState } from './saved-state';

declare function acquireVsCodeApi(): PageHost<ChatToHost, SavedState>;

const chat = new ChatState(acquireVsCodeApi());
window.addEventListener('message', (event: MessageEvent<HostToChat>) => chat.receive(event.data));
const root = document.getElementById('root');
if (root) {
  render(
    <ChatContext.Provider value={chat}>
      <CallHostContext.Provider value={chat}>
        <Chat />
      </CallHostContext.Provider>
    </ChatContext.Provider>,
    root,
  );
}
chat.post({ type: 'ready' });
