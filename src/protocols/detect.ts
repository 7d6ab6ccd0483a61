import { protocolNames } from './names';

/** Text is not taken for calls in this form: it has the longest marks. */
const WITHOUT_SIGN = 'vcp';

/** The id of the protocol that a recorded reply is written in: the one whose sign comes first. */
export function detectProtocol(reply: string): string {
  let first = { id: WITHOUT_SIGN, index: Infinity };
  for (const { id, sign } of protocolNames) {
    const index = sign?.exec(reply)?.index ?? Infinity;
    if (index < first.index) first = { id, index };
  }
  return first.id;
}
