import type { Model } from '../core/words/model';
import type { Protocol } from '../core/words/protocol';
import type { Contestant, ExamRoom } from './take-exam';

/** Of one reply, in tokens: an exam needs no more. */
export const LONGEST_REPLY = 400;

/** Of one reply in a job. Models that think need more, and there is no exact text to compare. */
export function replyTokensFor(thinks: boolean | undefined): number {
  return thinks === true ? LONGEST_REPLY * 8 : LONGEST_REPLY;
}

/** The temperature that helps models that vary too much. */
export const COOL = 0.2;

/** How a model should answer. */
export interface Manner {
  /** With the form of its protocol enforced. */
  readonly isForced: boolean;
  /** At the temperature `COOL`. */
  readonly isCool: boolean;
}

/** The room for the exams of each contestant. */
export async function examRooms(
  open: (manner: Manner) => Promise<Model>,
  common: Omit<ExamRoom, 'model'>,
): Promise<(contestant: Contestant) => ExamRoom> {
  const [free, forced, freeAndCool, forcedAndCool] = await Promise.all([
    open({ isForced: false, isCool: false }),
    open({ isForced: true, isCool: false }),
    open({ isForced: false, isCool: true }),
    open({ isForced: true, isCool: true }),
  ]);
  return ({ isForced, help }) => {
    const [plain, cool] = isForced ? [forced, forcedAndCool] : [free, freeAndCool];
    return {
      ...common,
      model: help === 'cool' ? cool : plain,
      promptForm: help === 'short' || help === 'example' ? help : common.promptForm,
    };
  };
}

/** Suffix of a contestant's id if its form is forced. */
export const FORCED = '+forced';

export function contestantOf(protocol: Protocol, isForced: boolean): Contestant {
  return { id: isForced ? protocol.id + FORCED : protocol.id, protocol, isForced };
}
