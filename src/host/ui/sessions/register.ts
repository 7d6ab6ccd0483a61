import type * as vscode from 'vscode';
import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import type { SessionRef } from '../../services/sessions/session-keeper';
import { registerSessionsTree } from './sessions-tree';

interface OpenedChat {
  readonly focus: () => Promise<void>;
  /** Fires whenever a page of the chat starts. */
  readonly onOpened: vscode.Event<unknown>;
}

/** The list of saved sessions, and commands on them. */
export function registerSessions(
  { own }: Platform,
  { saved, checkpoints }: Services,
  chat: OpenedChat,
): void {
  own(registerSessionsTree(saved, chat.onOpened));
  own(
    registerCommands({
      openSession: async (session?: SessionRef) => {
        await (await saved.load()).openSession(session);
        await chat.focus();
      },
      searchSessions: async () => {
        if (await (await saved.load()).searchSessions()) await chat.focus();
      },
      renameSession: async (session?: SessionRef) => (await saved.load()).renameSession(session),
      deleteSession: async (session?: SessionRef) => (await saved.load()).deleteSession(session),
      exportSession: async (session?: SessionRef) => (await saved.load()).exportSession(session),
      // Ignores arguments of the caller: the user chooses.
      restoreCheckpoint: () => checkpoints.restore(),
    }),
  );
}
