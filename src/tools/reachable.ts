import { liesIn } from './places';
import type { Files, Place } from './workspace';

/**
 * Which of the files that somebody else names may be shown: those that need no question, and those that the approval of
 * the place they lie in covers. The rest is left out.
 */
export function reachable(files: Files, scope: Place): (path: string) => Promise<Place | undefined> {
  const known = new Map<string, Promise<Place | undefined>>();
  const look = async (path: string): Promise<Place | undefined> => {
    const place = await files.resolve(path, 'read').catch(() => undefined);
    if (!place) return undefined;
    if (place.resolved === scope.resolved) return place;
    if (place.verdict.decision === 'auto') return place;
    // Neither secret nor hidden: then the question about the folder was about this file, too.
    const isCovered = place.verdict.grant?.type === 'read-folder-in-session';
    return isCovered && scope.verdict.isOutside === true && liesIn(scope, place, files) ? place : undefined;
  };
  return (path) => {
    const found = known.get(path) ?? look(path);
    known.set(path, found);
    return found;
  };
}
