import type { FileImage } from '../core/words/file-change';
import type { SessionFolder } from './folder';
import { hashOf } from './record';

/**
 * Contents of files before they were changed, by hash. Each is stored beside the session file that mentions it and is
 * removed with that file. A session that continues in another file finds the contents of all its files.
 */
export class ImageStore {
  constructor(private readonly folder: SessionFolder) {}

  /** On the disk when fulfilled. */
  async keep(file: string, bytes: Uint8Array): Promise<void> {
    const name = `${file}${nameEnd(hashOf(bytes))}`;
    if (!(await this.folder.names()).includes(name)) await this.folder.put(name, bytes);
  }

  /** Nothing if it was not stored, or has changed since. */
  async read(image: FileImage): Promise<Uint8Array | undefined> {
    const names = await this.folder.names();
    for (const name of names.filter((each) => each.endsWith(nameEnd(image)))) {
      const bytes = await this.folder.read(name);
      if (hashOf(bytes) === image) return bytes;
    }
    return undefined;
  }
}

/** Files that begin with the id of a session are deleted with it. */
function nameEnd(image: FileImage): string {
  return `-${image}.image`;
}
