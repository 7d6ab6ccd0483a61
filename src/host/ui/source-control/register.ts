import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import { MessageWriting } from './message-writing';

/** Commit messages in the view Source Control. */
export function registerSourceControl(platform: Platform, services: Services): void {
  const writing = platform.own(new MessageWriting({ ...platform, ...services }));
  platform.own(
    registerCommands({
      writeCommitMessage: (source?: unknown) => writing.write(source),
      stopCommitMessage: () => writing.stop(),
    }),
  );
}
