import { ToolError, type Access } from '../../core/words/tool';
import type { FileInfo, Files, Place } from '../ports/files';
import { grouped } from '../text/amounts';

/** Describes what is at a place, for people; for a folder with the number of its files. */
export async function entryText(
  place: Place,
  info: FileInfo,
  files: Pick<Files, 'count'>,
  signal: AbortSignal,
): Promise<string> {
  if (info.kind === 'link') return 'a link; its target stays';
  if (info.kind !== 'folder') return 'a file';
  const { files: found, isMore } = await files.count(place, signal);
  if (isMore) return `a folder with more than ${grouped(found)} files`;
  if (found === 0) return 'a folder without files';
  return found === 1 ? 'a folder with 1 file' : `a folder with ${grouped(found)} files`;
}

/** Throws `ToolError` if the place no longer holds what was shown. */
export async function mustBeAsShown(
  place: Place,
  shown: string,
  files: Pick<Files, 'count' | 'stat'>,
  signal: AbortSignal,
): Promise<void> {
  const info = await files.stat(place);
  if (info && (await entryText(place, info, files, signal)) === shown) return;
  throw new ToolError(
    `${place.display} has changed since this was shown, so nothing was done. Look at it again.`,
  );
}

export function readAccess({ verdict, display }: Place): Access {
  return { effect: 'read', target: display, kind: 'path', verdict };
}

export function editAccess({ verdict, display }: Place): Access {
  const { note } = verdict;
  return { effect: 'write', target: display, kind: 'edit', verdict, ...(note && { notes: [note] }) };
}

/** One end of a move, or what a deletion removes, with what people should know about it. */
export function moveAccess(place: Place, ...known: readonly string[]): Access {
  const { verdict, display } = place;
  const why = verdict.runsCode ? 'builds, tests or scripts may run its contents' : verdict.note;
  const notes = why === undefined ? known : [...known, why];
  return {
    effect: 'write',
    target: display,
    kind: 'move',
    verdict,
    ...(notes.length > 0 && { notes }),
  };
}
