import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  /** The Unix permissions of the file. */
  readonly mode: number;
  read(): Buffer;
}

const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;

/** Returns the entries of a zip archive, in the order of its directory. */
export function zipEntries(archive: Buffer): readonly ZipEntry[] {
  const end = archive.lastIndexOf(Buffer.from(Uint32Array.of(END_OF_DIRECTORY).buffer));
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const entry = zipEntry(archive, at);
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    return entry;
  });
}

function zipEntry(archive: Buffer, at: number): ZipEntry {
  const method = archive.readUInt16LE(at + 10);
  const size = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  return {
    name: archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)),
    mode: (archive.readUInt32LE(at + 38) >>> 16) & 0o777,
    read: () => {
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const bytes = archive.subarray(start, start + size);
      return method === DEFLATED ? inflateRawSync(bytes) : bytes;
    },
  };
}
