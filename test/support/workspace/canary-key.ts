import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A key that no other text contains by chance, with characters that differ in each encoding. */
export const canaryKey = 'canary+7Qz/51e9c=Wk';

/** The forms of the key in a text: plain, URL-encoded, in JSON, in Base64 at any offset. */
const FORMS: readonly string[] = [
  canaryKey,
  encodeURIComponent(canaryKey),
  encodeURIComponent(canaryKey).toLowerCase(),
  ...[0, 1, 2].map((offset) =>
    // Without the characters that depend on the neighbouring text.
    Buffer.from('\0'.repeat(offset) + canaryKey)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : offset + 1, -2),
  ),
  Buffer.from(canaryKey).toString('hex'),
];

/** Returns the form in which the text contains the key, if any. */
export function canaryIn(text: string): string | undefined {
  // VS Code keeps some of its state in UTF-16.
  const plain = text.replaceAll('\0', '');
  return FORMS.find((form) => text.includes(form) || plain.includes(form));
}

/** Returns the files below a folder that contain the key in any form. */
export function filesWithCanary(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => canaryIn(readFileSync(file, 'latin1')) !== undefined);
}
