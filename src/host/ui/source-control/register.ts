import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import type { MessageWriting } from './message-writing';

/** Commit messages in the view Source Control. */
export function registerSourceControl(platform: Platform, services: Services): void {
  let writing: Promise<MessageWriting> | undefined;
  const start = async (): Promise<MessageWriting> => {
    const { MessageWriting: Writing } = await import('./message-writing');
    return platform.own(new Writing({ ...platform, ...services }));
  };
  platform.own(
    registerCommands({
      writeCommitMessage: async (source?: unknown) => (await (writing ??= start())).write(source),
      stopCommitMessage: async () => (await writing)?.stop(),
    }),
  );
}
