import { createHash } from 'node:crypto';
import type { FileImage } from '../core/file-change';
import type { FileImages } from '../tools/workspace';

export function imageName(bytes: Uint8Array): FileImage {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Where nothing can be put back, nothing is kept. */
export const unkeptImages: FileImages = { nameOf: imageName, keep: () => Promise.resolve(false) };
