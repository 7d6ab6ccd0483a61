import assert from 'node:assert/strict';
import { localFolders } from '../../../src/host/local-folders';

describe('localFolders', () => {
  it('G6.virtual: leaves out folders of virtual file systems, whose paths mean something else here', () => {
    const folder = (scheme: string, path: string) => ({ uri: { scheme, path } });
    const local = folder('file', '/home/me/project');
    assert.deepEqual(localFolders([folder('vscode-vfs', '/etc'), local, folder('untitled', '/')]), [local]);
  });
});
