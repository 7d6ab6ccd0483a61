import assert from 'node:assert/strict';
import { localFolders, toolFolders, virtualFolders } from '../../../../src/host/platform/local-folders';

describe('localFolders', () => {
  it('G6.virtual: leaves out folders of virtual file systems, whose paths mean something else here', () => {
    const folder = (scheme: string, path: string) => ({ uri: { scheme, path } });
    const local = folder('file', '/home/me/project');
    assert.deepEqual(localFolders([folder('vscode-vfs', '/etc'), local, folder('untitled', '/')]), [local]);
  });
});

describe('virtualFolders', () => {
  const folder = (scheme: string, authority: string, path: string) => ({ uri: { scheme, authority, path } });
  const local = folder('file', '', '/home/me/project');
  const one = folder('vscode-vfs', 'github', '/a');
  const other = folder('vscode-vfs', 'github', '/b');
  const foreign = folder('vscode-vfs', 'azurerepos', '/c');

  it('are those of the first file system', () => {
    assert.deepEqual(virtualFolders([one, foreign, other]), [one, other]);
    assert.deepEqual(toolFolders([one, foreign, other]), [one, other]);
  });

  it('count only if no folder is on this machine', () => {
    assert.deepEqual(virtualFolders([one, local]), []);
    assert.deepEqual(toolFolders([one, local]), [local]);
    assert.deepEqual(virtualFolders([]), []);
  });
});
