import { lstat } from 'node:fs/promises';
import { holdsKey, withoutKeys } from '../../../policy/secrets';
import { bytePath, toBuffer, type BytePath } from '../byte-paths';
import { realBytes } from '../guarded-tree';
import type { PrivateFolder } from '../private-folder';
import { readOrdinary } from '../read-file';

/** What replaces settings that contain a key. */
export type SecretCopy = BytePath | 'hidden';

/** Makes copies of settings without the keys in them. */
export class SecretCopies {
  private readonly made = new Map<string, Promise<string>>();

  constructor(private readonly folder: PrivateFolder) {}

  /** Returns only the files that contain a key. */
  async of(files: readonly BytePath[]): Promise<ReadonlyMap<BytePath, SecretCopy>> {
    const found = new Map<BytePath, SecretCopy>();
    for (const file of files) {
      const copy = await this.copy(file);
      if (copy) found.set(file, copy);
    }
    return found;
  }

  /** Makes a copy of settings without keys, even of settings that contain none. The file may be a link. */
  async bare(file: BytePath): Promise<BytePath | undefined> {
    const real = await realBytes(file);
    const text = real === undefined ? '' : (await readOrdinary(real))?.toString();
    const bare = withoutKeys(text ?? '');
    return bare === undefined || bare === '' ? undefined : this.write(bare);
  }

  private async copy(file: BytePath): Promise<SecretCopy | undefined> {
    const text = (await readOrdinary(file))?.toString();
    // A file that is too large to read could contain a key.
    if (text === undefined) return (await isOrdinary(file)) ? 'hidden' : undefined;
    if (!holdsKey(text)) return undefined;
    const bare = withoutKeys(text);
    return bare === undefined ? 'hidden' : this.write(bare);
  }

  private async write(text: string): Promise<BytePath> {
    const made = this.made.get(text) ?? this.folder.write(text);
    this.made.set(text, made);
    return bytePath(await made);
  }
}

async function isOrdinary(file: BytePath): Promise<boolean> {
  const stats = await lstat(toBuffer(file)).catch(() => undefined);
  return stats?.isFile() ?? false;
}
