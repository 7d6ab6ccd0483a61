import { existsSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../hosts/repository';

/** Returns the path of a file that `npm run build` makes, also if it ships compressed as `name.br`. */
export function distFile(name: string): string {
  const file = path.join(repository, 'dist', name);
  if (!existsSync(file) && !existsSync(`${file}.br`))
    throw new Error(`dist/${name} is missing. Run \`npm run build\` first.`);
  return file;
}
