/** What a file that is no text probably is, for an error text. */
export function fileType(bytes: Buffer): string {
  const found = SIGNATURES.find(({ at = 0, magic }) =>
    bytes.subarray(at, at + magic.length).equals(Buffer.from(magic, 'latin1')),
  );
  return found?.type ?? 'unknown binary data or another encoding';
}

const SIGNATURES: readonly { type: string; magic: string; at?: number }[] = [
  { type: 'PNG image', magic: '\x89PNG' },
  { type: 'JPEG image', magic: '\xff\xd8\xff' },
  { type: 'GIF image', magic: 'GIF8' },
  { type: 'WebP image', magic: 'WEBP', at: 8 },
  { type: 'PDF document', magic: '%PDF-' },
  { type: 'ZIP archive (also Office documents and packages)', magic: 'PK\x03\x04' },
  { type: 'gzip archive', magic: '\x1f\x8b' },
  { type: '7z archive', magic: '7z\xbc\xaf\x27\x1c' },
  { type: 'tar archive', magic: 'ustar', at: 257 },
  { type: 'ELF program or library', magic: '\x7fELF' },
  { type: 'Windows program or library', magic: 'MZ' },
  { type: 'Mach-O program or library', magic: '\xcf\xfa\xed\xfe' },
  { type: 'WebAssembly module', magic: '\0asm' },
  { type: 'SQLite database', magic: 'SQLite format 3' },
  { type: 'Java class', magic: '\xca\xfe\xba\xbe' },
  { type: 'TrueType font', magic: '\0\x01\0\0' },
  { type: 'WOFF font', magic: 'wOF' },
];
