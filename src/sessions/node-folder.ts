import { randomUUID } from 'node:crypto';
import { close, closeSync, fsync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { whileBusy } from '../base/busy';
import type { FileHead, NewFile, SessionFolder } from './folder';

/** A folder of the file system. */
export class NodeSessionFolder implements SessionFolder {
  constructor(private readonly folder: string) {}

  async names(): Promise<readonly string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async head(name: string, most: number): Promise<FileHead> {
    const handle = await open(this.path(name), 'r');
    try {
      const { size, mtimeMs } = await handle.stat();
      const bytes = Buffer.alloc(Math.min(most, size));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return { bytes: bytes.subarray(0, bytesRead), size, modified: mtimeMs };
    } finally {
      await handle.close();
    }
  }

  read(name: string): Promise<Uint8Array> {
    return readFile(this.path(name));
  }

  create(name: string): NewFile {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = new OpenFile(openSync(this.path(name), 'wx', 0o600));
    // The name must survive a power cut too. Windows cannot open folders and does not need this.
    if (process.platform !== 'win32') file.syncFirst(openSync(this.folder, 'r'));
    return file;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = `${this.path(name)}.${randomUUID()}.tmp`;
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await whileBusy(() => rename(temporary, this.path(name)));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.syncFolder();
  }

  rename(from: string, to: string): Promise<void> {
    return whileBusy(() => rename(this.path(from), this.path(to)));
  }

  remove(name: string): Promise<void> {
    return rm(this.path(name), { force: true });
  }

  private path(name: string): string {
    return path.join(this.folder, name);
  }

  /** Makes a new name survive a power cut. Windows cannot open folders and does not need this. */
  private async syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

class OpenFile implements NewFile {
  private syncing = 0;
  private isClosed = false;
  private folder: number | undefined;

  constructor(private readonly descriptor: number) {}

  /** Takes over the open folder and flushes it together with the file. */
  syncFirst(folder: number): void {
    this.folder = folder;
  }

  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.descriptor, bytes, at);
  }

  sync(onError: (error: unknown) => void): void {
    const { folder } = this;
    this.folder = undefined;
    if (folder !== undefined) {
      fsync(folder, (error) => {
        if (error) onError(error);
        close(folder);
      });
    }
    this.syncing++;
    fsync(this.descriptor, (error) => {
      this.syncing--;
      if (error) onError(error);
      if (this.isClosed) this.release();
    });
  }

  close(): void {
    this.isClosed = true;
    this.release();
  }

  private release(): void {
    if (this.syncing > 0) return;
    if (this.folder !== undefined) closeSync(this.folder);
    closeSync(this.descriptor);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
