import type { Image } from '../core/attachment';
import { crc32 } from './crc32';

/** Whether an image of this type has its end; what follows it does not matter. Linear, never throws. */
export function hasImageEnd(bytes: Buffer, mediaType: Image['mediaType']): boolean {
  switch (mediaType) {
    case 'image/png':
      return hasPngEnd(bytes);
    case 'image/gif':
      return hasGifEnd(bytes);
    case 'image/webp':
      // What the file says of its own length, after these eight bytes.
      return bytes.length >= 8 && 8 + bytes.readUInt32LE(4) <= bytes.length;
    case 'image/jpeg':
      return hasJpegEnd(bytes);
  }
}

/** Chunks: length, type, data, check sum. The last one is IEND, and there is a picture before it. */
function hasPngEnd(bytes: Buffer): boolean {
  let at = 8;
  let hasPicture = false;
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return false;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return hasPicture;
    hasPicture ||= type === 'IDAT';
    at = end + 4;
  }
  return false;
}

/** Segments with their length up to the first scan; in a scan no marker but its own can be mistaken for the end. */
function hasJpegEnd(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    at += bytes[at + 1] === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return bytes.indexOf(Buffer.from([0xff, 0xd9]), at) >= 0;
}

/** A head, perhaps colours, then blocks by their first byte. */
function hasGifEnd(bytes: Buffer): boolean {
  let at = 13 + colourBytes(bytes[10]);
  for (;;) {
    switch (bytes[at]) {
      case 0x3b:
        return true;
      case 0x21:
        at = afterPieces(bytes, at + 2);
        break;
      case 0x2c:
        at = afterPieces(bytes, at + 11 + colourBytes(bytes[at + 9]));
        break;
      default:
        return false;
    }
  }
}

function colourBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Each piece begins with its length; an empty one is the last. */
function afterPieces(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length;
  return at + 1;
}
