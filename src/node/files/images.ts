import type { Image } from '../../core/words/attachment';
import type { ImageFile } from '../../tools/ports/files';

export interface ImageFacts {
  readonly mediaType: Image['mediaType'];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** It has a size and an end. Servers refuse the whole request if an image lacks them. */
  readonly isWhole: boolean;
}

type Head = Omit<ImageFacts, 'isWhole'>;

/** An image with the facts needed to judge it; nothing if it is not an image. */
export function imageFile(bytes: Buffer): ImageFile | undefined {
  const facts = readImage(bytes);
  if (!facts) return undefined;
  const { mediaType, ...rest } = facts;
  return { ...rest, size: bytes.length, image: { mediaType, data: bytes.toString('base64') } };
}

/** Judges by the bytes; nothing for other formats or an incomplete header. Never throws. */
export function readImage(bytes: Buffer): ImageFacts | undefined {
  const head = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
  if (!head) return undefined;
  return { ...head, isWhole: head.width > 0 && head.height > 0 && hasImageEnd(bytes, head.mediaType) };
}

function readPng(bytes: Buffer): Head | undefined {
  if (bytes.length < 24 || !holds(bytes, 0, '\x89PNG\r\n\x1a\n') || !holds(bytes, 12, 'IHDR'))
    return undefined;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): Head | undefined {
  if (bytes.length < 10 || !(holds(bytes, 0, 'GIF87a') || holds(bytes, 0, 'GIF89a'))) return undefined;
  return { mediaType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function readWebp(bytes: Buffer): Head | undefined {
  if (bytes.length < 30 || !holds(bytes, 0, 'RIFF') || !holds(bytes, 8, 'WEBP')) return undefined;
  const mediaType = 'image/webp';
  // Three kinds: with loss, without, and extended.
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const sizes = bytes.readUInt32LE(21);
      return { mediaType, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The size is in the first frame header; segments before it are skipped by their length. */
function readJpeg(bytes: Buffer): Head | undefined {
  if (!holds(bytes, 0, '\xff\xd8\xff')) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Any number of these may fill the space before a marker.
    if (marker === 0xff) at += 1;
    else if (FRAMES.has(marker)) {
      return {
        mediaType: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

const FRAMES = new Set([
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7],
  ...[0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
]);

function holds(bytes: Buffer, at: number, magic: string): boolean {
  return bytes.toString('latin1', at, at + magic.length) === magic;
}

/** Whether an image of this type is complete; data after its end does not matter. Linear, never throws. */
function hasImageEnd(bytes: Buffer, mediaType: Image['mediaType']): boolean {
  switch (mediaType) {
    case 'image/png':
      return hasPngEnd(bytes);
    case 'image/gif':
      return hasGifEnd(bytes);
    case 'image/webp':
      // The length that the file declares, without these eight bytes.
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

/** The check sum of PNG chunks. That of `node:zlib` is missing in the first versions of Node 20. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
