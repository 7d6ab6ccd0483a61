import type { CommandId } from './commands';

/** Only what tools reach has a path that a mention can hold: files of the disk, or of the file system of the window. */
const IS_FILE = 'resourceScheme == file || virtualWorkspace';

/** Where commands stand outside of Parley's own views. */
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
    menu: 'terminal/context',
    command: 'addTerminalSelectionToChat',
    group: 'parley@1',
    when: 'terminalTextSelected',
  },
  { menu: 'terminal/context', command: 'addTerminalToChat', group: 'parley@2' },
  { menu: 'terminal/title/context', command: 'addTerminalToChat', group: 'parley@1' },
];

/**
 * Second keys after Ctrl+K (⌘K on macOS) that neither VS Code 1.104 and 1.139 nor their built-in extensions use on any
 * system. Terminals keep the first key for themselves.
 */
export const keybindings: readonly {
  readonly command: CommandId;
  readonly key: string;
  readonly when: string;
}[] = [
  { command: 'focusChat', key: 'ctrl+k g', when: '!terminalFocus' },
  { command: 'addToChat', key: 'ctrl+k a', when: 'editorTextFocus' },
  { command: 'fixProblem', key: 'ctrl+k x', when: 'editorTextFocus' },
];
