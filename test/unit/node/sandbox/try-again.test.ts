import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Sandbox } from '../../../../src/node/sandbox/sandbox';
import { noSandbox } from '../../../../src/node/sandbox/settings';
import { findProgram } from '../../../../src/node/processes/start-program';
import { linux } from '../../../support/platform';

linux.describe('a sandbox that did not work', () => {
  const { PATH } = process.env;
  let folder: string;
  let sandbox: Sandbox;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-programs-'));
    sandbox = new Sandbox({ roots: [], settings: () => noSandbox, stateFolder: path.join(folder, 'state') });
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is tried again only on request', async function () {
    const bwrap = await findProgram('bwrap', { cwd: '/', roots: [] });
    if (bwrap === undefined || !(await sandbox.status()).works) this.skip();
    const other = new Sandbox({
      roots: [],
      settings: () => noSandbox,
      stateFolder: path.join(folder, 'state'),
    });
    process.env['PATH'] = folder;
    const missing = { works: false, reason: 'bwrap is not installed. Install the package bubblewrap.' };
    assert.deepEqual(await other.tryAgain(), missing);
    await symlink(bwrap, path.join(folder, 'bwrap'));
    assert.deepEqual(await other.status(), missing);
    assert.deepEqual(await other.tryAgain(), { works: true, program: bwrap });
    // A working sandbox is not checked again.
    await rm(path.join(folder, 'bwrap'));
    assert.deepEqual(await other.tryAgain(), { works: true, program: bwrap });
    await other.close();
  });
});
