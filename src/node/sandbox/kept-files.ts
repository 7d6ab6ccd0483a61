import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { BytePath } from './byte-paths';
import { isSame, type SeenFile } from './guarded-tree';
import type { PrivateFolder } from './private-folder';
import { readOrdinary } from './read-file';

interface KeptFile {
  readonly seen: SeenFile;
  /** Where its content is in the pack; absent if it is too large or could not be read. */
  readonly at?: number;
}

/** The contents of workspace files before a command, in one file per process. Reads only changed files again. */
export class KeptFiles {
  private readonly files = new Map<BytePath, KeptFile>();
  private pack: Promise<FileHandle> | undefined;
  private size = 0;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly folder: PrivateFolder) {}

  keep(files: ReadonlyMap<BytePath, SeenFile>): Promise<void> {
    const kept = this.turn.then(() => this.keepAll(files));
    // What failed for one command is tried again for the next.
    this.turn = kept.catch(() => undefined);
    return kept;
  }

  /**
   * Returns the content of a file in the state `seen`; `undefined` if another command has changed it since and a newer
   * content was kept.
   */
  async read(path: BytePath, seen: SeenFile): Promise<Uint8Array | undefined> {
    const kept = this.files.get(path);
    if (kept?.at === undefined || !isSame(kept.seen, seen)) return undefined;
    const pack = await this.opened();
    const { buffer, bytesRead } = await pack.read(Buffer.alloc(kept.seen.size), 0, kept.seen.size, kept.at);
    return bytesRead === kept.seen.size ? buffer : undefined;
  }

  async close(): Promise<void> {
    const pack = await this.pack;
    this.pack = undefined;
    await pack?.close();
  }

  private async keepAll(files: ReadonlyMap<BytePath, SeenFile>): Promise<void> {
    const fresh = [...files].filter(([path, seen]) => {
      const known = this.files.get(path);
      return known === undefined || !isSame(known.seen, seen);
    });
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      const contents = await Promise.all(
        fresh
          .slice(at, at + AT_ONCE)
          .map(async ([path, seen]) => ({ path, seen, bytes: await this.content(path, seen) })),
      );
      for (const { path, seen, bytes } of contents) this.files.set(path, await this.store(seen, bytes));
    }
  }

  private async content(path: BytePath, { size }: SeenFile): Promise<Buffer | undefined> {
    if (size > limits.sandboxKeptFileBytes || this.size > limits.sandboxKeptBytes) return undefined;
    return readOrdinary(path);
  }

  private async store(seen: SeenFile, bytes: Buffer | undefined): Promise<KeptFile> {
    // The file was changed while it was read.
    if (bytes?.length !== seen.size) return { seen };
    const at = this.size;
    this.size += bytes.length;
    await (await this.opened()).write(bytes, 0, bytes.length, at);
    return { seen, at };
  }

  private opened(): Promise<FileHandle> {
    this.pack ??= this.folder.get().then((folder) => open(path.join(folder, 'kept'), 'wx+', 0o600));
    return this.pack;
  }
}

const AT_ONCE = 32;
