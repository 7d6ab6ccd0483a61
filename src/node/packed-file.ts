import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** The bytes of a file that ships in a packed form, with `.br` behind its name: a fifth less in the package. */
export async function readPacked(file: string): Promise<Buffer<ArrayBuffer>> {
  return promisify(brotliDecompress)(await readFile(`${file}.br`));
}
