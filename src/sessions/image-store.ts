import type { FileImage } from '../core/words/file-change';
import type { SessionFolder } from './folder';
import { hashOf } from './record';

/**
 * What files held before they were changed, by hash, each beside the session file that tells of it and removed with that.
 * A session that goes on in another file finds those of all its files.
 */
export class ImageStore {
  constructor(private readonly folder: SessionFolder) {}

  /** On the disk when fulfilled. */
  async keep(file: string, bytes: Uint8Array): Promise<void> {
    const name = `${file}${nameEnd(hashOf(bytes))}`;
    if (!(await this.folder.names()).includes(name)) await this.folder.put(name, bytes);
  }

  /** Nothing when it was not kept, or is not what was kept any more. */
  async read(image: FileImage): Promise<Uint8Array | undefined> {
    const names = await this.folder.names();
    for (const name of names.filter((each) => each.endsWith(nameEnd(image)))) {
      const bytes = await this.folder.read(name);
      if (hashOf(bytes) === image) return bytes;
    }
    return undefined;
  }
}

/** Any file of a session that begins with its id goes when the session is deleted. */
function nameEnd(image: FileImage): string {
  return `-${image}.image`;
}
