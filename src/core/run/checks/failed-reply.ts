import { ending, type ReplyCheck } from './reply-check';

/** The endpoint failed, or the reply was cut off. */
export const failedReply: ReplyCheck = {
  look: ({ failure }) => failure && ending({ type: 'failed', message: failure.message, canContinue: true }),
};
