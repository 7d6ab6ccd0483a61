import { redactData } from '../../../base/redact';
import type { RequestsToHost } from '../../../contract/lab-requests';
import type { LabParts, LabTab, PagePort } from './lab-parts';
import type { ReplyInspector } from './reply-inspector';

/** Shows the page one reply of the conversation, and how its text became calls. */
export function requestsTab(
  { secrets }: LabParts,
  inspector: ReplyInspector,
  inspectLast: () => void,
  { tell, show }: PagePort,
): LabTab<RequestsToHost> {
  const listening = inspector.onChange(() => tell({ type: 'requests-changed' }));
  // SAFETY: only texts change, and each stays a text.
  const safe = <Value>(value: Value): Value => redactData(value, (text) => secrets.redact(text)) as Value;
  return {
    handlers: {
      'inspected-reply': async () => safe(await inspector.shown()),
      'sent-request': async () => safe(await inspector.request()),
      'inspect-last': inspectLast,
      'copy-section': ({ section }) => inspector.copy(section),
      'parse-again': async (message) => safe(await inspector.parse(message)),
      'continue-with': async ({ reading }) => safe(await inspector.goOn(reading)),
      'parse-inspected': async ({ reading }) => {
        const opened = await inspector.forParse(reading);
        if (opened && 'problem' in opened) return opened;
        if (opened) show({ tab: 'parse', reply: opened });
        return undefined;
      },
    },
    dispose: () => listening.dispose(),
  };
}
