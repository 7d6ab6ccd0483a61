import { ToolError } from '../core/tool';
import { grouped } from './amounts';
import type { Files, FileInfo, Place } from './workspace';

/** What lies at a place, for people: a folder says how much goes with it. */
export async function entryText(
  place: Place,
  info: FileInfo,
  files: Files,
  signal: AbortSignal,
): Promise<string> {
  if (info.kind === 'link') return 'a link; what it leads to stays';
  if (info.kind !== 'folder') return 'a file';
  const { files: found, isMore } = await files.count(place, signal);
  if (isMore) return `a folder with more than ${grouped(found)} files`;
  if (found === 0) return 'a folder without files';
  return found === 1 ? 'a folder with 1 file' : `a folder with ${grouped(found)} files`;
}

/** Throws `ToolError` when what was shown is not what lies there any more. */
export async function mustBeAsShown(
  place: Place,
  shown: string,
  files: Files,
  signal: AbortSignal,
): Promise<void> {
  const info = await files.stat(place);
  if (info && (await entryText(place, info, files, signal)) === shown) return;
  throw new ToolError(
    `${place.display} has changed since this was shown, so nothing was done. Look at it again.`,
  );
}
