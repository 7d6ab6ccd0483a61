import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * The folder to name as the one under development, if there is one: that of the extension, or a new one below `data` with links to
 * several. A window of a server keeps only the last folder that it is told.
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
