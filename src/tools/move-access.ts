import type { Access } from '../core/tool';
import type { Place } from './workspace';

/** One end of a move, or what a deletion takes away, with what people should know of it. */
export function moveAccess(place: Place, ...known: readonly string[]): Access {
  const { verdict, display } = place;
  const notes = [
    ...known,
    ...(verdict.runsCode ? ['builds, tests or scripts may run what stands in it'] : []),
  ];
  return {
    effect: 'write',
    target: display,
    kind: 'move',
    verdict,
    ...(notes.length > 0 && { notes }),
  };
}
