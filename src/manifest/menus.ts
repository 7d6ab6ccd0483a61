import type { CommandId } from './commands';
import { panels, views } from './views';

/**
 * Only resources that tools can reach have a path for a mention: files on disk, or in the file system of the window.
 */
const IS_FILE = 'resourceScheme == file || virtualWorkspace';

/** Menus outside of Parley's own views. */
export const menuItems: readonly {
  readonly menu: string;
  readonly command: CommandId;
  readonly group: string;
  readonly when?: string;
}[] = [
  { menu: 'editor/context', command: 'addToChat', group: 'parley@1' },
  { menu: 'editor/title/context', command: 'addFileToChat', group: 'parley@1', when: IS_FILE },
  { menu: 'explorer/context', command: 'addFileToChat', group: 'parley@1', when: IS_FILE },
  {
    menu: 'editor/title',
    command: 'newSession',
    group: 'navigation@1',
    when: `activeWebviewPanelId == ${panels.chat.id}`,
  },
  {
    menu: 'editor/title',
    command: 'backgroundCommands',
    group: 'navigation@0',
    when: `activeWebviewPanelId == ${panels.chat.id} && parley.backgroundCommands`,
  },
  {
    menu: 'terminal/context',
    command: 'addTerminalSelectionToChat',
    group: 'parley@1',
    when: 'terminalTextSelected',
  },
  {
    menu: 'scm/title',
    command: 'writeCommitMessage',
    group: 'navigation',
    when: 'scmProvider == git && !parley.writingCommitMessage',
  },
  {
    menu: 'scm/title',
    command: 'stopCommitMessage',
    group: 'navigation',
    when: 'scmProvider == git && parley.writingCommitMessage',
  },
  { menu: 'terminal/context', command: 'addTerminalToChat', group: 'parley@2' },
  { menu: 'terminal/title/context', command: 'addTerminalToChat', group: 'parley@1' },
];

/**
 * Mostly second keys after Ctrl+K (⌘K on macOS) that neither VS Code 1.104 and 1.139 nor their built-in extensions use on any
 * system. Terminals keep the first key for themselves.
 */
export const keybindings: readonly {
  readonly command: CommandId;
  readonly key: string;
  readonly when: string;
}[] = [
  { command: 'focusChat', key: 'ctrl+k g', when: '!terminalFocus' },
  { command: 'addToChat', key: 'ctrl+k a', when: 'editorTextFocus' },
  { command: 'stopCommitMessage', key: 'escape', when: 'parley.writingCommitMessage' },
  { command: 'fixProblem', key: 'ctrl+k x', when: 'editorTextFocus' },
  // The first is about the view's frame, the second about its page.
  {
    command: 'findInChat',
    key: 'ctrl+f',
    when: `focusedView == ${views.chat.id} || view == ${views.chat.id}`,
  },
  {
    command: 'findInChat',
    key: 'ctrl+f',
    // The tab stays the active editor when the focus leaves it.
    when: `activeWebviewPanelId == ${panels.chat.id} && !sideBarFocus && !auxiliaryBarFocus && !panelFocus`,
  },
];

/** Buttons in the title bars of the views; the first number is the order, `…` puts it into the menu behind the dots. */
export const titleButtons: readonly {
  readonly view: string;
  readonly command: CommandId;
  readonly group: string;
  readonly when?: string;
}[] = [
  { view: views.chat.id, command: 'newSession', group: 'navigation@1' },
  {
    view: views.chat.id,
    command: 'backgroundCommands',
    group: 'navigation@0',
    when: 'parley.backgroundCommands',
  },
  { view: views.chat.id, command: 'openSession', group: 'navigation@2' },
  { view: views.chat.id, command: 'showCalls', group: 'navigation@3' },
  { view: views.chat.id, command: 'openChatInEditor', group: '0_place@1' },
  { view: views.chat.id, command: 'moveChat', group: '0_place@2' },
  { view: views.chat.id, command: 'selectModel', group: '1_choose@1' },
  { view: views.chat.id, command: 'selectProtocol', group: '1_choose@2' },
  { view: views.chat.id, command: 'setApiKey', group: '1_choose@3' },
  { view: views.chat.id, command: 'openWalkthrough', group: '3_help@1' },
  { view: views.chat.id, command: 'findInChat', group: '2_look@0' },
  { view: views.chat.id, command: 'openDocs', group: '3_help@2' },
  { view: views.chat.id, command: 'showLog', group: '2_look@1' },
  { view: views.chat.id, command: 'exportSession', group: '2_look@2' },
  { view: views.sessions.id, command: 'newSession', group: 'navigation@1' },
  { view: views.sessions.id, command: 'searchSessions', group: 'navigation@2' },
  { view: views.tools.id, command: 'enableAllTools', group: 'navigation@1' },
  { view: views.tools.id, command: 'disableAllTools', group: 'navigation@2' },
  { view: views.tools.id, command: 'resetToolToggles', group: '1_reset@1' },
  { view: views.tools.id, command: 'openLab', group: '2_lab@1' },
  { view: views.tools.id, command: 'addMcpServer', group: '3_mcp@1' },
  { view: views.tools.id, command: 'manageMcpServers', group: '3_mcp@2' },
  { view: views.tools.id, command: 'openMcpConfig', group: '3_mcp@3' },
];

/** Content of an empty view. */
export const welcomes: readonly { readonly view: string; readonly text: string }[] = [
  {
    view: views.sessions.id,
    text: 'No conversations in this workspace yet. Messages you send in the chat are kept here. [Get started](command:parley.openWalkthrough)',
  },
];

interface RowButton {
  readonly view: string;
  readonly command: CommandId;
  readonly group: string;
  /** Condition on `viewItem` of the row. */
  readonly row?: string;
}

/** Actions on a row of a view: inline, and in its context menu. */
export const rowButtons: readonly RowButton[] = [
  { view: views.sessions.id, command: 'renameSession', group: 'inline@1' },
  { view: views.sessions.id, command: 'deleteSession', group: 'inline@2' },
  { view: views.sessions.id, command: 'openSession', group: '1_session@1' },
  { view: views.sessions.id, command: 'renameSession', group: '1_session@2' },
  { view: views.sessions.id, command: 'exportSession', group: '1_session@3' },
  { view: views.sessions.id, command: 'deleteSession', group: '2_delete@1' },
  { view: views.tools.id, command: 'tryInLab', group: '0_try@1', row: 'viewItem =~ /^tool\\b/' },
  { view: views.tools.id, command: 'copyToolName', group: '1_copy@1', row: 'viewItem =~ /^tool\\b/' },
  {
    view: views.tools.id,
    command: 'defineToolAlways',
    group: '1_define@1',
    row: 'viewItem =~ /^tool/ && !(viewItem =~ / always\\b/)',
  },
  {
    view: views.tools.id,
    command: 'defineToolOnDemand',
    group: '1_define@2',
    row: 'viewItem =~ /^tool/ && !(viewItem =~ / onDemand\\b/)',
  },
  ...serverButtons([
    ['approveMcpServer', 'approve', 1],
    ['reviewMcpTools', 'review', 2],
    ['signInMcpServer', 'signIn', 3],
    ['restartMcpServer', 'restart', 4],
    ['stopMcpServer', 'stop', 5],
    ['showMcpLog', 'mcp', 6],
  ]),
  { view: views.tools.id, command: 'openMcpConfig', group: '1_server@7', row: 'viewItem =~ / mcp\\b/' },
  { view: views.tools.id, command: 'forgetMcpInputs', group: '1_server@8', row: 'viewItem =~ / inputs\\b/' },
  {
    view: views.tools.id,
    command: 'signOutMcpServer',
    group: '1_server@9',
    row: 'viewItem =~ / signedIn\\b/',
  },
  {
    view: views.tools.id,
    command: 'keepToolInWorkspace',
    group: '2_settings@1',
    row: 'workspaceFolderCount > 0 && isWorkspaceTrusted && viewItem =~ /^tool/ && !(viewItem =~ /^\\w+ workspace(?! user)/)',
  },
  {
    view: views.tools.id,
    command: 'keepToolForUser',
    group: '2_settings@2',
    row: 'viewItem =~ /^tool/ && !(viewItem =~ /^\\w+ user\\b/)',
  },
  {
    view: views.tools.id,
    command: 'resetTool',
    group: '2_settings@3',
    row: 'viewItem =~ / (workspace|user)\\b/',
  },
];

/** Actions on the row of a server, inline and in its menu. */
function serverButtons(
  given: readonly (readonly [command: CommandId, action: string, order: number])[],
): readonly RowButton[] {
  return given.flatMap(([command, action, order]) =>
    [`inline@${order}`, `1_server@${order}`].map((group) => ({
      view: views.tools.id,
      command,
      group,
      row: `viewItem =~ / ${action}\\b/`,
    })),
  );
}
