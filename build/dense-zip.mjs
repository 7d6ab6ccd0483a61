// Packs the entries of a ZIP file again, as densely as its format allows: zopfli takes the time that `zlib` does not.
// The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.7 local header, 4.3.12 central directory, 4.3.16 its end).
import { inflateRawSync } from 'node:zlib';
import { deflateAsync } from '@gfx/zopfli';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;
/** Bit 3 of the flags: sizes stand behind the data instead of in the header. They are in the header here. */
const SIZES_BEHIND = 1 << 3;

/** Bytes beyond which an entry is left as it is: zopfli would take minutes for a program. */
const MOST = 2_000_000;

/** Packed contents by what they were, because several packages hold the same files. */
const known = new Map();

/** The same archive with denser entries: their names, contents and attributes stay. It must be without ZIP64, comments and encryption. */
export async function denser(zip) {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== END) throw new Error('The archive does not end as expected.');
  const count = zip.readUInt16LE(end + 10);
  const locals = [];
  const centrals = [];
  let at = zip.readUInt32LE(end + 16);
  let offset = 0;
  for (let entry = 0; entry < count; entry++) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw new Error('The list of the archive is not as expected.');
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
    // From "version needed" to "name length" both headers have the same fields.
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

/** How the entry that is listed at `at` takes the fewest bytes. */
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
