import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A key that no other text holds by chance, with characters that look different in each encoding. */
export const CANARY = 'canary+7Qz/51e9c=Wk';

/** How the key may stand in a text: as it is, URL-encoded, in JSON, in Base64 at any offset. */
const FORMS: readonly string[] = [
  CANARY,
  encodeURIComponent(CANARY),
  encodeURIComponent(CANARY).toLowerCase(),
  ...[0, 1, 2].map((offset) =>
    // Without the characters that depend on what stands around.
    Buffer.from('\0'.repeat(offset) + CANARY)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(offset === 0 ? 0 : offset + 1, -2),
  ),
  Buffer.from(CANARY).toString('hex'),
];

/** The form in which the text holds the key, if it does. */
export function canaryIn(text: string): string | undefined {
  // VS Code keeps some of its state in UTF-16.
  const plain = text.replaceAll('\0', '');
  return FORMS.find((form) => text.includes(form) || plain.includes(form));
}

/** The files below a folder that hold the key in any form. */
export function filesWithCanary(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => canaryIn(readFileSync(file, 'latin1')) !== undefined);
}
