import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';

/** The file system that a search without ripgrep uses. Paths are absolute; links are not followed. */
export interface SearchedFiles extends FileSystemTraits {
  /** Empty if the folder cannot be read. */
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /**
   * Emits the content until `take` returns false. A piece is valid only during the call. Emits nothing if the file
   * cannot be read.
   */
  read(file: string, take: TakePiece): Promise<'too large' | undefined>;
}

/** Files that the owning thread reads as a whole. */
export interface WholeFiles extends FileSystemTraits {
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /** `undefined` if it cannot be read. */
  read(file: string): Promise<Uint8Array | 'too large' | undefined>;
}

export interface FileSystemTraits {
  /** Separates the names in a path. */
  readonly separator: '/' | '\\';
  /** How many requests are worth sending in parallel. */
  readonly atOnce: number;
}

export interface SearchedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

type TakePiece = (piece: Buffer, isLast: boolean) => boolean;

/** A request from the searching thread to the thread that has the files. */
interface FileRequest {
  readonly type: 'list' | 'read';
  readonly id: number;
  readonly path: string;
}

type FileReply = { readonly id: number } & (
  { readonly entries: readonly SearchedEntry[] } | { readonly content: Uint8Array | 'too large' | undefined }
);

/**
 * Files provided by the thread that started this one. After the deadline (in terms of `performance.now()`), pending and
 * later requests get no answer.
 */
export function askedFiles({ separator, atOnce }: FileSystemTraits, deadline: number): SearchedFiles {
  const waiting = new Map<number, (reply?: FileReply) => void>();
  let last = 0;
  // SAFETY: the other side is `answerFrom`.
  parentPort?.on('message', (reply: FileReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  const giveUp = (): void => waiting.forEach((resolve) => resolve());
  // Timers count whole milliseconds. Giving up before the deadline would hide that files are missing.
  setTimeout(giveUp, Math.ceil(deadline - performance.now()) + 1);
  const ask = (type: FileRequest['type'], path: string): Promise<FileReply | undefined> =>
    new Promise((resolve) => {
      if (performance.now() > deadline) return resolve(undefined);
      const request: FileRequest = { type, id: ++last, path };
      waiting.set(request.id, resolve);
      parentPort?.postMessage(request);
    });
  return {
    separator,
    atOnce,
    list: async (folder) => {
      const reply = await ask('list', folder);
      return reply && 'entries' in reply ? reply.entries : [];
    },
    read: async (file, take) => {
      const reply = await ask('read', file);
      if (!reply || !('content' in reply) || reply.content === undefined) return undefined;
      if (reply.content === 'too large') return reply.content;
      const { buffer, byteOffset, byteLength } = reply.content;
      take(Buffer.from(buffer, byteOffset, byteLength), true);
      return undefined;
    },
  };
}

/** Answers a message of such a thread; resolves when that is done. Ignores messages that are not requests. */
export function answerFrom(
  files: WholeFiles,
  message: unknown,
  reply: (message: FileReply) => void,
): Promise<void> | undefined {
  if (!isRequest(message)) return undefined;
  const { type, id, path } = message;
  // A provider may fail in any way. Only the requested file is then missing; the search and this thread continue.
  return type === 'list'
    ? files
        .list(path)
        .catch(() => [])
        .then((entries) => reply({ id, entries }))
    : files
        .read(path)
        .catch(() => undefined)
        .then((content) => reply({ id, content }));
}

function isRequest(message: unknown): message is FileRequest {
  return typeof message === 'object' && message !== null && 'id' in message && 'path' in message;
}

const PIECE = 256 * 1024;
/** Does not follow links or wait for pipes. Windows has neither flag; `undefined` then counts as 0. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The files on disk, for a thread that does nothing else: because most files are small, blocking calls are several
 * times faster.
 */
export function createDiskToSearch(): SearchedFiles {
  const buffer = Buffer.allocUnsafeSlow(PIECE);
  return {
    separator: path.sep === '\\' ? '\\' : '/',
    atOnce: 1,
    list: async (folder) =>
      (orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? []).map((entry) => ({
        name: entry.name,
        kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other',
      })),
    read: async (file, take) => {
      const handle = orNothing(() => openSync(file, FLAGS));
      if (handle === undefined) return undefined;
      try {
        for (;;) {
          const count = readSync(handle, buffer);
          const isLast = count < buffer.length;
          if (!take(buffer.subarray(0, count), isLast) || isLast) return undefined;
        }
      } catch (error) {
        if (!isFileError(error)) throw error;
        // The file cannot be read. ripgrep skips such files too.
        return undefined;
      } finally {
        closeSync(handle);
      }
    },
  };
}

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isFileError(error)) return undefined;
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
