// Recompresses the entries of a ZIP file with zopfli, which is slower than zlib and compresses better.
// Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.7 local header, 4.3.12 central directory, 4.3.16 end of central directory).
import { inflateRawSync } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;
/** Bit 3 of the flags: sizes follow the data instead of being in the header. Cleared, because we write them into the header. */
const SIZES_BEHIND = 1 << 3;

/** Larger entries, in bytes, are not recompressed; zopfli would take minutes. */
const MOST = 2_000_000;

/** Compressed data by content. Several packages contain the same files. */
const known = new Map();

/** Recompresses an archive; names, contents and attributes stay. ZIP64, comments and encryption are not supported. */
export async function denser(zip) {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== END) throw new Error('The archive has no end of central directory.');
  const count = zip.readUInt16LE(end + 10);
  const locals = [];
  const centrals = [];
  let at = zip.readUInt32LE(end + 16);
  let offset = 0;
  for (let entry = 0; entry < count; entry++) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw new Error('The central directory of the archive is damaged.');
    const nameLength = zip.readUInt16LE(at + 28);
    const next = at + 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const name = zip.subarray(at + 46, at + 46 + nameLength);
    const { method, data } = await densest(zip, at);
    const central = Buffer.from(zip.subarray(at, next));
    central.writeUInt16LE(central.readUInt16LE(8) & ~SIZES_BEHIND, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(offset, 42);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(LOCAL, 0);
    // Both headers have the same fields from "version needed" to "name length".
    central.copy(local, 4, 6, 30);
    locals.push(local, name, data);
    centrals.push(central);
    offset += local.length + name.length + data.length;
    at = next;
  }
  const list = Buffer.concat(centrals);
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt32LE(list.length, 12);
  tail.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, tail]);
}

/** The smallest encoding of the entry whose central header is at `at`. */
async function densest(zip, at) {
  const method = zip.readUInt16LE(at + 10);
  const crc = zip.readUInt32LE(at + 16);
  const packedLength = zip.readUInt32LE(at + 20);
  const length = zip.readUInt32LE(at + 24);
  const header = zip.readUInt32LE(at + 42);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const packed = zip.subarray(start, start + packedLength);
  const asItIs = { method, data: packed };
  if (length === 0 || length > MOST || ![STORED, DEFLATED].includes(method)) return asItIs;
  const key = `${crc} ${length}`;
  if (!known.has(key)) {
    const content = method === DEFLATED ? inflateRawSync(packed) : packed;
    const data = Buffer.from(await deflateAsync(content, { numiterations: 3, blocksplitting: false }));
    const choices = [asItIs, { method: STORED, data: content }, { method: DEFLATED, data }];
    known.set(
      key,
      choices.reduce((best, each) => (each.data.length < best.data.length ? each : best)),
    );
  }
  return known.get(key);
}
