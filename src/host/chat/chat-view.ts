import * as vscode from 'vscode';
import { views } from '../../manifest/views';
import { ChatPage, type ChatPageParts } from './chat-page';

/** Shows the conversation in the sidebar. The page is a fold over what is posted here; a reload asks for it again. */
export function registerChatView(parts: ChatPageParts): ChatView {
  let shown: vscode.WebviewView | undefined;
  const provider = vscode.window.registerWebviewViewProvider(views.chat.id, {
    resolveWebviewView(view) {
      shown = view;
      const page = new ChatPage(view, parts);
      view.onDidDispose(() => {
        page.dispose();
        if (shown === view) shown = undefined;
      });
    },
  });
  return {
    isSeen: () => shown?.visible === true && vscode.window.state.focused,
    dispose: () => void provider.dispose(),
  };
}

export interface ChatView extends vscode.Disposable {
  /** Whether the user can see the chat and is at this window. */
  readonly isSeen: () => boolean;
}
