import { detect } from 'chardet';
import { TextDecoder } from 'node:util';
import { isKnownType } from './text-encoding';

/** What the editor's settings say about the encoding of a file. */
export interface EncodingSettings {
  /** VS Code's name: `gbk`, `shiftjis`, `iso88591`. */
  readonly encoding: string;
  readonly isGuessed: boolean;
}

export type FileEncoding =
  | { readonly type: 'binary' }
  /** A text in an encoding that nobody has told. */
  | { readonly type: 'unknown' }
  /** By its label in the Encoding Standard, which `TextDecoder` and ripgrep know. */
  | { readonly type: 'text'; readonly encoding: string };

/** The encoding of a file that is not UTF-8, by its first bytes. Without settings nothing is guessed. */
export function fileEncoding(bytes: Buffer, settings: EncodingSettings | undefined): FileEncoding {
  if (isKnownType(bytes)) return { type: 'binary' };
  const wide = wideEncoding(bytes);
  if (bytes.includes(0)) {
    if (!wide) return { type: 'binary' };
    // The editor knows UTF-16 by its zeros, whatever the settings.
    return settings ? { type: 'text', encoding: wide } : { type: 'unknown' };
  }
  const guessed = settings?.isGuessed ? encodingLabel(detect(bytes) ?? '') : undefined;
  const encoding = guessed ?? (settings && encodingLabel(settings.encoding));
  return encoding === undefined || encoding === 'utf-8' ? { type: 'unknown' } : { type: 'text', encoding };
}

/** UTF-16 without a byte order mark: all its zeros are on one side, and it reads as text. */
function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const sides = new Set<number>();
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) sides.add(at % 2);
  if (sides.size !== 1) return undefined;
  const encoding = sides.has(1) ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(bytes);
  // The last character may be cut.
  return /[\0-\x08\x0e-\x1f\p{Cn}\p{Co}]|\ufffd(?!$)/u.test(text) ? undefined : encoding;
}

/** The label of an encoding that VS Code or `chardet` names; `undefined` if the standard does not have it. */
export function encodingLabel(name: string): string | undefined {
  const label = name
    .toLowerCase()
    .replace(/bom$/, '')
    .replace(/^(utf|windows|iso)(\d+)/, '$1-$2')
    .replace(/^iso-8859(\d+)$/, 'iso-8859-$1')
    .replace(/^koi8([ru])$/, 'koi8-$1')
    .replace(/^euc(jp|kr)$/, 'euc-$1')
    .replace(/^shiftjis$/, 'shift_jis')
    .replace(/^big5hkscs$/, 'big5')
    .replace(/^macroman$/, 'macintosh');
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
