import { ABSENT, FOLDER, UNKNOWN, type FileChange, type FileImage } from '../core/file-change';
import type { RunContext } from '../core/tool';
import type { Place, Snapshot, Surroundings } from './workspace';

type Recorder = Pick<Surroundings, 'files' | 'images'>;

/**
 * Makes a change of files, of which it tells before and after. What they hold is on the disk before the change begins,
 * so that the user can have it back; what cannot be kept keeps nobody from the change.
 */
export async function recordChange<T>(
  places: readonly Place[],
  change: () => Promise<T>,
  { files, images }: Recorder,
  { onFileChange, signal }: Pick<RunContext, 'onFileChange' | 'signal'>,
): Promise<T> {
  const told: FileChange[] = [];
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
      told.push(started);
      // Told first: whatever is kept is kept after it, and then both are there when the change begins.
      onFileChange(started);
      if (typeof content === 'object') await images.keep(content.bytes);
    }
    signal.throwIfAborted();
    return await change();
  } finally {
    for (const [index, started] of told.entries()) {
      // SAFETY: as many places were told of, or more were not reached.
      const content = await look(places[index]!, files);
      onFileChange({ ...started, after: imageOf(content, images) });
      // So that what the user changes later can be compared with it.
      if (typeof content === 'object') await images.keep(content.bytes);
    }
  }
}

type Content = Snapshot | undefined | FileImage;

async function look(place: Place, files: Recorder['files']): Promise<Content> {
  try {
    return await files.snapshot(place);
  } catch {
    // Too large, no file, no permission: the change itself meets the same and says so, or does not need to read it.
    const info = await files.stat(place).catch(() => undefined);
    return info?.kind === 'folder' ? FOLDER : UNKNOWN;
  }
}

function imageOf(content: Content, images: Recorder['images']): FileImage {
  if (typeof content === 'string') return content;
  return content ? images.nameOf(content.bytes) : ABSENT;
}
