import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFiles } from '../../../src/tools/project-files';
import { createSurroundings } from '../../../src/node/surroundings';

describe('the files of a project', () => {
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-project-')))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function found(roots: readonly string[]): Promise<readonly string[]> {
    const surroundings = createSurroundings({
      roots,
      isTrusted: () => true,
      commandRules: () => ({ allow: [], deny: [] }),
      onSurvivors: () => undefined,
    });
    try {
      return await projectFiles(surroundings, new AbortController().signal).paths();
    } finally {
      surroundings.dispose();
    }
  }

  function write(...names: readonly string[]): void {
    for (const name of names) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), '');
    }
  }

  it('are listed by path, without ignored ones and secrets', async () => {
    write('b.txt', 'src/a.js', 'node_modules/x/index.js', '.env', 'src/id_rsa', 'out/x.js', '.git/config');
    writeFileSync(path.join(folder, '.gitignore'), 'node_modules\nout\n');
    assert.deepEqual(await found([folder]), ['.gitignore', 'b.txt', 'src/a.js']);
  });

  it('are none without a folder', async () => {
    assert.deepEqual(await found([]), []);
  });
});
