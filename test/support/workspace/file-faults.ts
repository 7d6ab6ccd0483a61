import { createRequire } from 'node:module';
import path from 'node:path';

type Step = (...given: unknown[]) => Promise<unknown>;

// SAFETY: only the asynchronous functions of this module are used. The compiled sources call the same object, so a
// function replaced here is replaced for them.
const fileSystem = createRequire(path.resolve('package.json'))('node:fs/promises') as Record<string, Step>;

const FUNCTIONS = [
  'access',
  'link',
  'lstat',
  'mkdir',
  'open',
  'opendir',
  'readdir',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
];
const ON_HANDLES = [
  'chmod',
  'chown',
  'close',
  'read',
  'readFile',
  'stat',
  'sync',
  'truncate',
  'write',
  'writeFile',
];

/** Calls `before` before each file system step of the work, with its number and name. */
export async function withEachStep<T>(
  before: (index: number, name: string, given: readonly unknown[]) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let count = 0;
  let isOwn = false;
  const originals = new Map(FUNCTIONS.map((name) => [name, fileSystem[name]]));
  const wrap =
    (name: string, original: Step): Step =>
    async (...given) => {
      if (isOwn) return original(...given);
      isOwn = true;
      try {
        await before(count++, name, given);
      } catch (error) {
        // A failed close still closes the file.
        if (name === 'handle.close') await original(...given);
        throw error;
      } finally {
        isOwn = false;
      }
      const result = await original(...given);
      if (name === 'open') wrapHandle(result);
      return result;
    };
  const wrapHandle = (handle: unknown): void => {
    // SAFETY: `open` returns a handle, and the names are those of its asynchronous methods.
    const methods = handle as Record<string, Step>;
    for (const name of ON_HANDLES) {
      const original = methods[name];
      if (original) methods[name] = wrap(`handle.${name}`, original.bind(handle));
    }
  };
  for (const [name, original] of originals) if (original) fileSystem[name] = wrap(name, original);
  try {
    return await work();
  } finally {
    for (const [name, original] of originals) if (original) fileSystem[name] = original;
  }
}

/** Returns the names of the steps, in order. */
export async function stepsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const steps: string[] = [];
  await withEachStep(async (_, name) => void steps.push(name), work);
  return steps;
}
