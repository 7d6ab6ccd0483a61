import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { findRipgrep } from '../../../src/node/search/ripgrep';
import { findShell } from '../../../src/node/processes/processes';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

describe('programs that Parley starts by itself', () => {
  it('takes the shell of Windows from the folder of the system', () => {
    const { program, shell } = findShell('C:\\work', { platform: 'win32', systemRoot: 'D:\\Windows' });
    assert.equal(program, 'D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    assert.equal(shell, 'powershell');
  });

  it('G1.search: runs no ripgrep from the workspace', async () => {
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
    const scratch = await ScratchWorkspace.create({ [`work/bin/${name}`]: '', [`tools/${name}`]: '' });
    const searched = process.env['PATH'];
    try {
      for (const folder of ['work/bin', 'tools']) chmodSync(scratch.path(path.join(folder, name)), 0o755);
      process.env['PATH'] = [scratch.path('work/bin'), scratch.path('tools')].join(path.delimiter);
      const tools = scratch.path(path.join('tools', name));
      const found = (...roots: string[]) => findRipgrep({ roots, vsCodeFolder: scratch.path('code') });
      assert.equal(found(scratch.path('work')), tools);
      assert.equal(found(scratch.root), undefined);
    } finally {
      process.env['PATH'] = searched;
      await scratch.dispose();
    }
  });

  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const { version, folder } of [
    { version: 'newer', folder: `@vscode/ripgrep-universal/bin/${process.platform}-${process.arch}` },
    { version: 'older', folder: '@vscode/ripgrep/bin' },
  ]) {
    for (const modules of ['node_modules', 'node_modules.asar.unpacked']) {
      it(`finds the ripgrep of ${version} versions of VS Code in ${modules}`, async () => {
        const file = `${modules}/${folder}/${name}`;
        const scratch = await ScratchWorkspace.create({ [file]: '' });
        const searched = process.env['PATH'];
        process.env['PATH'] = '';
        try {
          chmodSync(scratch.path(file), 0o755);
          assert.equal(findRipgrep({ roots: [], vsCodeFolder: scratch.root }), path.join(scratch.root, file));
          assert.equal(findRipgrep({ roots: [] }), undefined);
        } finally {
          process.env['PATH'] = searched;
          await scratch.dispose();
        }
      });
    }
  }
});
