import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';

/** What the walk that searches without ripgrep asks of a file system. Paths are absolute; links are not followed. */
export interface SearchedFiles extends FileSystemTraits {
  /** Nothing where it cannot be read. */
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /** Hands out the content until `take` wants no more; a piece may be used until then. Nothing of what cannot be read. */
  read(file: string, take: TakePiece): Promise<'too large' | undefined>;
}

/** Files that are read as a whole, by the thread that has the file system. */
export interface WholeFiles extends FileSystemTraits {
  list(folder: string): Promise<readonly SearchedEntry[]>;
  /** Nothing of what cannot be read. */
  read(file: string): Promise<Uint8Array | 'too large' | undefined>;
}

export interface FileSystemTraits {
  /** Between the names of a path. */
  readonly separator: '/' | '\\';
  /** How many of its answers are worth waiting for side by side. */
  readonly atOnce: number;
}

export interface SearchedEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

type TakePiece = (piece: Buffer, isLast: boolean) => boolean;

/** What a thread that searches asks of the one that has the files. */
interface FileRequest {
  readonly type: 'list' | 'read';
  readonly id: number;
  readonly path: string;
}

type FileReply = { readonly id: number } & (
  { readonly entries: readonly SearchedEntry[] } | { readonly content: Uint8Array | 'too large' | undefined }
);

/**
 * The files of the thread that has started this one. What it has not answered by the deadline (of `performance.now()`)
 * is not waited for, and what is asked later has no answer.
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
  // A timer counts whole milliseconds. None may be given up before the deadline: then nobody would say that it is missing.
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

/** Answers a message of such a thread; fulfilled when that is done. Nothing where the message is no question. */
export function answerFrom(
  files: WholeFiles,
  message: unknown,
  reply: (message: FileReply) => void,
): Promise<void> | undefined {
  if (!isRequest(message)) return undefined;
  const { type, id, path } = message;
  // A provider may fail in any way. That costs what was asked for, and neither the search nor this thread.
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
/** A link is not followed, and a pipe is not waited for. Windows has neither flag; there `undefined` counts as 0. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The files of this machine, for a thread that has nothing else to do: what blocks is several times quicker than what
 * does not, because of most files there is little to read.
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
        // It cannot be read, like those that may not be opened: ripgrep passes them over, too.
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
