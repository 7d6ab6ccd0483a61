import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the extension development folder, if there is one: the folder of the extension, or a new folder below
 * `data` with links to several. A window of a server keeps only the last folder that it gets.
 */
export async function developmentFolder(
  extensions: readonly string[],
  data: string,
): Promise<string | undefined> {
  if (extensions.length <= 1) return extensions[0];
  const folder = path.join(data, 'development');
  await mkdir(folder);
  for (const [index, extension] of extensions.entries()) {
    await symlink(extension, path.join(folder, `${index}-${path.basename(extension)}`));
  }
  return folder;
}
