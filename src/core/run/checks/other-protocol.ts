import type { ReplyCheck } from './reply-check';

/** Malformed replies in a row after which another protocol is suggested. */
const MALFORMED_REPLIES = 2;

/** Notices that a model does not follow its protocol. */
export function otherProtocol(): ReplyCheck {
  let malformedReplies = 0;
  return {
    look: ({ requests, otherForm, failure }, { request }) => {
      if (!request) return undefined;
      const isMalformed = requests.length > 0 && requests.every(({ type }) => type === 'malformed');
      malformedReplies = isMalformed ? malformedReplies + 1 : 0;
      if (otherForm !== undefined) {
        const message = 'The model writes its calls in the form of another protocol.';
        return { advice: { message, seen: otherForm } };
      }
      if (failure?.code === 'no-tools')
        return { advice: { message: 'The endpoint does not support native tools.' } };
      if (malformedReplies >= MALFORMED_REPLIES)
        return { advice: { message: 'The model has trouble with this protocol.' } };
      return undefined;
    },
  };
}
