import type { Access } from '../core/tool';
import type { Place } from './workspace';

/** One end of a move, or what a deletion takes away; `what` lies there, for people. */
export function moveAccess(place: Place, what?: string): Access {
  const { verdict, display } = place;
  const notes = [
    ...(what === undefined ? [] : [what]),
    ...(verdict.runsCode ? ['builds, tests or scripts may run what stands in it'] : []),
  ];
  return {
    effect: 'write',
    target: display,
    kind: 'move',
    verdict,
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
}
