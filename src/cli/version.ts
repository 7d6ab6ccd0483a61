import { readFileSync } from 'node:fs';
import path from 'node:path';

/** That of Parley. The bundle lies in a folder of the package. */
export function version(): string {
  const file = path.join(__dirname, '../package.json');
  // SAFETY: it is our own, and no package is made without a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
