import { parentPort } from 'node:worker_threads';
import type { FileSystemTraits, SearchedEntry, SearchedFiles, WholeFiles } from './searched-files';

/** What a thread that searches asks of the one that has the files. */
interface FileRequest {
  readonly type: 'list' | 'read';
  readonly id: number;
  readonly path: string;
}

type FileReply = { readonly id: number } & (
  { readonly entries: readonly SearchedEntry[] } | { readonly content: Uint8Array | 'too large' | undefined }
);

/** The files of the thread that has started this one. */
export function askedFiles({ separator, atOnce }: FileSystemTraits): SearchedFiles {
  const waiting = new Map<number, (reply: FileReply) => void>();
  let last = 0;
  // SAFETY: the other side is `answerFrom`.
  parentPort?.on('message', (reply: FileReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  const ask = (type: FileRequest['type'], path: string): Promise<FileReply> =>
    new Promise((resolve) => {
      const request: FileRequest = { type, id: ++last, path };
      waiting.set(request.id, resolve);
      parentPort?.postMessage(request);
    });
  return {
    separator,
    atOnce,
    list: async (folder) => {
      const reply = await ask('list', folder);
      return 'entries' in reply ? reply.entries : [];
    },
    read: async (file, take) => {
      const reply = await ask('read', file);
      if (!('content' in reply) || reply.content === undefined) return undefined;
      if (reply.content === 'too large') return reply.content;
      const { buffer, byteOffset, byteLength } = reply.content;
      take(Buffer.from(buffer, byteOffset, byteLength), true);
      return undefined;
    },
  };
}

/** Answers a message of such a thread. Returns whether it was a question. */
export function answerFrom(
  files: WholeFiles,
  message: unknown,
  reply: (message: FileReply) => void,
): boolean {
  if (!isRequest(message)) return false;
  const { type, id, path } = message;
  if (type === 'list') void files.list(path).then((entries) => reply({ id, entries }));
  else void files.read(path).then((content) => reply({ id, content }));
  return true;
}

function isRequest(message: unknown): message is FileRequest {
  return typeof message === 'object' && message !== null && 'id' in message && 'path' in message;
}
