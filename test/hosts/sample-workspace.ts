import { cp, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from './repository';

/** Makes a copy of the sample project that tests may change. The caller removes it. */
export async function copySampleWorkspace(): Promise<string> {
  // The real path, because VS Code reports it if the temporary folder is a link.
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-')));
  const folder = path.join(parent, 'sample-workspace');
  await cp(path.join(repository, 'test/fixtures/sample-workspace'), folder, { recursive: true });
  return folder;
}
