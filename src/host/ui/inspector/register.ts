import type { ReplyRef } from '../../../core/transcript/references';
import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import type { Lab } from '../lab/lab';
import { Inspector } from './inspector';
import type { RequestLog } from './request-log';

/** Returns what shows how a reply was read; without a name, the newest. */
export function registerInspector(
  platform: Platform,
  { conversation, checkpoints, prepareRun }: Services,
  parts: { readonly lab: Lab; readonly requests: RequestLog },
): (reply: ReplyRef | undefined) => Promise<void> {
  // The inspector starts no run that could be stopped.
  const prepareNow = () => prepareRun(new AbortController().signal, { isPreview: true });
  const inspector = platform.own(
    new Inspector({ ...platform, ...parts, conversation, checkpoints, prepareRun: prepareNow }),
  );
  platform.own(registerCommands({ inspectReply: () => inspector.open() }));
  return (reply) => inspector.open(reply);
}
