import type { Transcript } from '../../../core/transcript';

/** A request is out and nothing of its reply is there yet to show that something happens. */
export function isWaitingForModel({ running, entries }: Transcript): boolean {
  if (!running) return false;
  const last = entries.at(-1);
  if (last?.type !== 'reply') return true;
  const part = last.parts.at(-1);
  if (last.ended === undefined) return part === undefined;
  return last.parts.every((each) => each.type !== 'call' || isOver(each.state.type));
}

function isOver(state: string): boolean {
  return state === 'ended' || state === 'malformed';
}
