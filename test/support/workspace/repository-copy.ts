import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '../../hosts/repository';

/** Folders that a copy links to, and those that it leaves out. */
const LINKED = ['node_modules', '.vscode-test'];
const LEFT_OUT = ['.git', 'dist', 'reports'];

/** A copy of the repository after `npm ci` that tests may change. */
export class RepositoryCopy {
  private constructor(readonly folder: string) {}

  static async create(): Promise<RepositoryCopy> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-copy-')));
    for (const name of await readdir(repository)) {
      const source = path.join(repository, name);
      if (LEFT_OUT.includes(name) || name.endsWith('.vsix')) continue;
      if (LINKED.includes(name)) await symlink(source, path.join(folder, name));
      else await cp(source, path.join(folder, name), { recursive: true });
    }
    return new RepositoryCopy(folder);
  }

  read(file: string): Promise<string> {
    return readFile(path.join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(path.join(this.folder, file), text);
  }

  /** Replaces a text in the file. */
  async edit(file: string, from: string, to: string): Promise<void> {
    const text = await this.read(file);
    if (!text.includes(from)) throw new Error(`${file} does not hold: ${from}`);
    await this.write(
      file,
      text.replace(from, () => to),
    );
  }

  async dispose(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
