import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import type { Disposable } from '../../base/disposable';
import { bytePath, toBuffer, type BytePath } from './byte-paths';

/** `O_PATH` of Linux, which Node does not name: the folder itself, whatever its permissions are. */
const ONLY_PLACE = 0o10000000;
const FLAGS = ONLY_PLACE | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A folder that was opened at its path, with no link on the way. Its entries are reached through the descriptor, so
 * whoever exchanges a folder above them with a link afterwards leads nothing elsewhere. Linux only.
 */
export class OpenFolder implements Disposable {
  private constructor(private readonly descriptor: number) {}

  /** Returns `undefined` if there is no such folder, or if a part of its path is a link. */
  static at(path: BytePath): OpenFolder | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(toBuffer(path), FLAGS);
    } catch {
      return undefined;
    }
    const folder = new OpenFolder(descriptor);
    if (folder.path === path) return folder;
    folder.dispose();
    return undefined;
  }

  /** Where it is now. */
  get path(): BytePath {
    return bytePath(readlinkSync(this.self, { encoding: 'buffer' }));
  }

  /** A path to this folder for calls of `node:fs` in this process. */
  get self(): string {
    return `/proc/self/fd/${this.descriptor}`;
  }

  /** A path to this folder for programs that this process starts. */
  get fromOthers(): string {
    return `/proc/${process.pid}/fd/${this.descriptor}`;
  }

  /** A path to an entry for calls of `node:fs` in this process. If it may be a link, use calls that do not follow. */
  entry(name: string): Buffer {
    return toBuffer(`${this.self}/${name}` as BytePath);
  }

  dispose(): void {
    closeSync(this.descriptor);
  }
}
