import { limits } from '../../base/limits';
import { ABSENT, FOLDER, UNKNOWN, type FileChange, type FileImage } from '../../core/words/file-change';
import type { RunContext } from '../../core/words/tool';
import type { FileImages, Files, Place, Snapshot } from '../ports/files';
import type { CommandChange } from '../ports/processes';
import type { Surroundings } from '../ports/surroundings';
import { lineCounts } from './line-counts';
import { below } from './paths';

type Recorder = Pick<Surroundings, 'files' | 'images'>;

/**
 * Changes files and reports them before and after. Their contents are on disk before the change begins, so that the
 * user can restore them. What cannot be stored does not prevent the change.
 */
export async function recordChange<T>(
  places: readonly Place[],
  change: () => Promise<T>,
  { files, images }: Recorder,
  { onFileChange, signal }: Pick<RunContext, 'onFileChange' | 'signal'>,
): Promise<T> {
  const reported: FileChange[] = [];
  const contents: Content[] = [];
  try {
    for (const place of places) {
      signal.throwIfAborted();
      const content = await look(place, files);
      const mode = typeof content === 'object' ? content.mode : undefined;
      const started: FileChange = {
        path: place.resolved,
        display: place.display,
        before: imageOf(content, images),
        ...(mode !== undefined && { mode }),
      };
      reported.push(started);
      contents.push(content);
      // Report first: the content is stored after the report, so both are there when the change begins.
      onFileChange(started);
      if (typeof content === 'object') await images.keep(content.bytes);
    }
    signal.throwIfAborted();
    return await change();
  } finally {
    for (const [index, started] of reported.entries()) {
      // SAFETY: `reported` has an entry for each of the first places, in their order.
      const content = await look(places[index]!, files);
      onFileChange({ ...started, after: imageOf(content, images), ...lines(contents[index], content) });
      // So that what the user changes later can be compared with it.
      if (typeof content === 'object') await images.keep(content.bytes);
    }
  }
}

/** Reports a change that was already made. The content before it may be unknown. */
export async function recordMade(
  { path, display, before, mode }: CommandChange,
  { files, images }: Recorder,
  { onFileChange }: Pick<RunContext, 'onFileChange'>,
): Promise<void> {
  const started: FileChange = {
    path,
    display,
    before: before === 'unknown' ? UNKNOWN : before ? images.nameOf(before) : ABSENT,
    ...(mode !== undefined && { mode }),
  };
  onFileChange(started);
  if (before instanceof Uint8Array) await images.keep(before);
  const place: Place = {
    resolved: path,
    display,
    verdict: { decision: 'auto', reason: 'inside the workspace' },
  };
  const content = await look(place, files);
  onFileChange({ ...started, after: imageOf(content, images) });
  if (typeof content === 'object') await images.keep(content.bytes);
}

type Content = Snapshot | undefined | FileImage;

function lines(before: Content, after: Content): Pick<FileChange, 'lines'> {
  if (typeof before === 'string' || typeof after === 'string') return {};
  const counts = lineCounts(before?.bytes, after?.bytes);
  return counts ? { lines: counts } : {};
}

async function look(place: Place, files: Recorder['files']): Promise<Content> {
  try {
    return await files.snapshot(place);
  } catch {
    // Too large, not a file, no permission: the change itself fails the same way and says so, or does not need to read
    // it.
    const info = await files.stat(place).catch(() => undefined);
    return info?.kind === 'folder' ? FOLDER : UNKNOWN;
  }
}

/** The name of a file's content. */
export function imageOf(content: Content, images: Pick<FileImages, 'nameOf'>): FileImage {
  if (typeof content === 'string') return content;
  return content ? images.nameOf(content.bytes) : ABSENT;
}

/** The note for a place whose files `filesAt` does not list. */
export const UNRECORDED = 'its files are too many or too large to be restored';

/**
 * The files that a change of a place affects: the files and links below a folder, or the place itself. Nothing for a
 * folder with more files than are recorded.
 */
export async function filesAt(
  place: Place,
  files: Pick<Files, 'list' | 'stat' | 'separator'>,
  signal: AbortSignal,
): Promise<readonly Place[] | undefined> {
  if ((await files.stat(place))?.kind !== 'folder') return [place];
  const found: Place[] = [];
  const folders = [place];
  let bytes = 0;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    signal.throwIfAborted();
    for (const { name, kind, size = 0 } of await files.list(folder)) {
      const inside = below(folder, name, files);
      if (kind === 'folder') folders.push(inside);
      else found.push(inside);
      // A file too large to read whole is not stored and takes no space.
      if (size <= limits.readWholeFileBytes) bytes += size;
      // Folders count too, or a tree of empty folders would never end.
      if (found.length + folders.length > limits.recordedFiles || bytes > limits.recordedBytes)
        return undefined;
    }
  }
  return found;
}

/** The new place of a file at or below a place that moves. */
export function placeAfterMove(file: Place, from: Place, to: Place): Place {
  const rest = (whole: string, start: string): string => whole.slice(start.length);
  return {
    ...to,
    resolved: to.resolved + rest(file.resolved, from.resolved),
    display: to.display + rest(file.display, from.display),
  };
}
