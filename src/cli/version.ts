import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of Parley. The bundle is in a folder of the package. */
export function version(): string {
  const file = path.join(__dirname, '../package.json');
  // SAFETY: it is our own package.json, which always has a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
