import type { CommandId } from './commands';

export const container = { id: 'parley', title: 'Parley', icon: 'media/parley.svg' } as const;

export const views = {
  chat: { id: 'parley.chat', name: 'Chat', type: 'webview', initialSize: 4 },
  sessions: { id: 'parley.sessions', name: 'Sessions', initialSize: 1 },
  tools: { id: 'parley.tools', name: 'Tools', initialSize: 2 },
} as const;

/** Buttons in the title bars of the views; the first number is the order, `…` puts it into the menu behind the dots. */
export const titleButtons: readonly {
  readonly view: string;
  readonly command: CommandId;
  readonly group: string;
}[] = [
  { view: views.chat.id, command: 'newSession', group: 'navigation@1' },
  { view: views.chat.id, command: 'showCalls', group: 'navigation@2' },
  { view: views.chat.id, command: 'selectModel', group: '1_choose@1' },
  { view: views.chat.id, command: 'selectProtocol', group: '1_choose@2' },
  { view: views.chat.id, command: 'setApiKey', group: '1_choose@3' },
  { view: views.chat.id, command: 'showLog', group: '2_look@1' },
  { view: views.chat.id, command: 'exportSession', group: '2_look@2' },
  { view: views.sessions.id, command: 'newSession', group: 'navigation@1' },
  { view: views.sessions.id, command: 'searchSessions', group: 'navigation@2' },
  { view: views.tools.id, command: 'enableAllTools', group: 'navigation@1' },
  { view: views.tools.id, command: 'disableAllTools', group: 'navigation@2' },
  { view: views.tools.id, command: 'resetToolToggles', group: 'navigation@3' },
];

/** What can be done with a session in the list: on the row itself, and in its context menu. */
export const sessionButtons: readonly { readonly command: CommandId; readonly group: string }[] = [
  { command: 'renameSession', group: 'inline@1' },
  { command: 'deleteSession', group: 'inline@2' },
  { command: 'openSession', group: '1_session@1' },
  { command: 'renameSession', group: '1_session@2' },
  { command: 'exportSession', group: '1_session@3' },
  { command: 'deleteSession', group: '2_delete@1' },
];
