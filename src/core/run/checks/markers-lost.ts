import type { RunModel } from '../../context/run-model';
import { wholeReply } from '../../words/messages';
import type { ReplyCheck } from './reply-check';

/** Warns once per run that calls cannot arrive, because the server drops a marker of the protocol. */
export function markersLost({ losesMarkers }: Pick<RunModel, 'losesMarkers'>): ReplyCheck {
  let hasWarned = !losesMarkers;
  return {
    before: ({ request }) => {
      if (!request || hasWarned) return undefined;
      hasWarned = true;
      return {
        warning: wholeReply({
          code: 'markers-lost',
          level: 'warning',
          message:
            'The server drops control tokens that begin calls in this protocol, so they cannot arrive. Use another protocol.',
          hint: 'With llama.cpp, --special makes the server pass them on.',
        }),
        advice: { message: 'The server drops the markers of this protocol.' },
      };
    },
    look: () => undefined,
  };
}
