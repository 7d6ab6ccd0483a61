import { ToolError } from '../core/tool';

/** What a model can do about a failure of the file system; anything else comes back as it is. */
export function fileError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  const text = TEXTS[error.code];
  return text === undefined ? error : new ToolError(`${name}: ${text}`, { cause: error });
}

const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'nothing is there. List the folder to see what exists.',
  ENOTDIR: 'a part of the path is a file, not a folder. List the folder to see what exists.',
  EISDIR: 'it is a folder. Give the path of a file.',
  EEXIST: 'something is there already. Read it first.',
  ELOOP: 'it has become a link. Look at the folder again.',
  EACCES: 'the system does not permit it. Ask the user.',
  EPERM: 'the system does not permit it. Ask the user.',
  EROFS: 'the file system is read-only. Ask the user.',
  EXDEV: 'the two places are on different disks. Use a command.',
  ENOSPC: 'the disk is full. Ask the user.',
  ENAMETOOLONG: 'the name is too long. Choose a shorter one.',
};
