import { ToolError } from '../../core/words/tool';
import type { TextFile } from '../../tools/ports/files';
import { mustBeWholeCharacters } from '../../tools/text/lines';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const MARKS: Readonly<Record<Encoding, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

/** Throws `ToolError` for anything that could not be written back byte for byte. */
export function decodeText(bytes: Buffer, name: string): TextFile {
  const { encoding, byteOrderMark } = detectEncoding(bytes);
  const body = byteOrderMark ? bytes.subarray(MARKS[encoding].length) : bytes;
  if (encoding === 'utf-8' && body.includes(0)) {
    throw new ToolError(`${name} is not text: ${fileType(bytes)}. Use a command that understands it.`);
  }
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(body);
    return { text, encoding, byteOrderMark };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ToolError(
      `${name} is not ${encoding} text: ${fileType(bytes)}. Use a command that understands it.`,
    );
  }
}

/** Throws `ToolError` for lone halves of surrogate pairs. */
export function encodeText(
  text: string,
  { encoding, byteOrderMark }: Omit<TextFile, 'text'>,
  name: string,
): Buffer {
  mustBeWholeCharacters(text, name);
  const body = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf-16be') body.swap16();
  // SAFETY: only detectEncoding creates these encodings.
  return byteOrderMark ? Buffer.concat([Buffer.from(MARKS[encoding as Encoding]), body]) : body;
}

/** By its byte order mark; UTF-8 without one. */
export function detectEncoding(bytes: Buffer): { encoding: Encoding; byteOrderMark: boolean } {
  const starts = (encoding: Encoding): boolean =>
    MARKS[encoding].every((byte, index) => bytes[index] === byte);
  const marked = (['utf-8', 'utf-16le', 'utf-16be'] as const).find(starts);
  return { encoding: marked ?? 'utf-8', byteOrderMark: marked !== undefined };
}

/** What a file that is not text probably is, for an error message. */
export function fileType(bytes: Buffer): string {
  return signatureOf(bytes)?.type ?? 'unknown binary data or another encoding';
}

/** Whether the first bytes tell that a file is no text. */
export function isKnownType(bytes: Buffer): boolean {
  return signatureOf(bytes) !== undefined;
}

function signatureOf(bytes: Buffer): { readonly type: string } | undefined {
  return SIGNATURES.find(({ at = 0, magic }) =>
    bytes.subarray(at, at + magic.length).equals(Buffer.from(magic, 'latin1')),
  );
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

/** As many whole lines from the beginning as fit; if the first line does not fit, its beginning. */
export function firstBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const kept = whole(Buffer.from(text).subarray(0, most).toString());
  const lastLine = kept.lastIndexOf('\n');
  return lastLine > 0 ? kept.slice(0, lastLine) : kept;
}

/** As many whole lines up to the end as fit; if the last line does not fit, its end. */
export function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  const kept = whole(bytes.subarray(bytes.length - most).toString());
  const firstLine = kept.indexOf('\n');
  return firstLine >= 0 && firstLine < kept.length - 1 ? kept.slice(firstLine + 1) : kept;
}

/** Without the replacement characters of a character that was cut. */
function whole(text: string): string {
  return text.replace(/^\ufffd{1,3}|\ufffd{1,3}$/g, '');
}
