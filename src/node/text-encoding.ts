import { ToolError } from '../core/tool';
import { mustBeWholeCharacters } from '../tools/whole-characters';
import type { TextFile } from '../tools/workspace';
import { fileType } from './file-type';

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
    throw new ToolError(`${name} is no text: ${fileType(bytes)}. Use a command that understands it.`);
  }
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(body);
    return { text, encoding, byteOrderMark };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ToolError(
      `${name} is no ${encoding} text: ${fileType(bytes)}. Use a command that understands it.`,
    );
  }
}

/** Throws `ToolError` for text that Unicode does not know: halves of surrogate pairs. */
export function encodeText(
  text: string,
  { encoding, byteOrderMark }: Omit<TextFile, 'text'>,
  name: string,
): Buffer {
  mustBeWholeCharacters(text, name);
  const body = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf-16be') body.swap16();
  // SAFETY: only detectEncoding makes the encodings that come here.
  return byteOrderMark ? Buffer.concat([Buffer.from(MARKS[encoding as Encoding]), body]) : body;
}

/** By its byte order mark; UTF-8 without one. */
export function detectEncoding(bytes: Buffer): { encoding: Encoding; byteOrderMark: boolean } {
  const starts = (encoding: Encoding): boolean =>
    MARKS[encoding].every((byte, index) => bytes[index] === byte);
  const marked = (['utf-8', 'utf-16le', 'utf-16be'] as const).find(starts);
  return { encoding: marked ?? 'utf-8', byteOrderMark: marked !== undefined };
}
