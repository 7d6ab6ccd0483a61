import type { Model } from '../core/words/model';
import type { Protocol } from '../core/words/protocol';
import type { Contestant, ExamRoom } from './take-exam';

/** Of one reply, in tokens: an exam needs no more. */
export const LONGEST_REPLY = 400;

/** The temperature that helps models which are led astray. */
export const COOL = 0.2;

/** How a model is to answer. */
export interface Manner {
  /** Held to the form of its protocol. */
  readonly isForced: boolean;
  /** At the temperature `COOL`. */
  readonly isCool: boolean;
}

/** Where each contestant takes its exams. */
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

/** What a contestant is called whose form is forced. */
export const FORCED = '+forced';

export function contestantOf(protocol: Protocol, isForced: boolean): Contestant {
  return { id: isForced ? protocol.id + FORCED : protocol.id, protocol, isForced };
}
