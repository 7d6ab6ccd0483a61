import assert from 'node:assert/strict';
import { workbenchUrl } from '../../hosts/workbench-url';

describe('workbenchUrl', () => {
  it('names the folder and the extension', () => {
    const url = new URL(workbenchUrl({ port: 4000, folder: '/tmp/my project', extension: '/a' }));
    assert.equal(url.origin, 'http://127.0.0.1:4000');
    assert.equal(url.searchParams.get('folder'), '/tmp/my project');
    assert.deepEqual(payload(url), [
      ['extensionDevelopmentPath', 'vscode-remote://127.0.0.1:4000/a'],
      ['skipWelcome', 'true'],
    ]);
  });

  it('names the tests', () => {
    const url = new URL(workbenchUrl({ port: 1, folder: '/w', extension: '/a', tests: '/t/index.js' }));
    assert.deepEqual(payload(url)[1], ['extensionTestsPath', 'vscode-remote://127.0.0.1:1/t/index.js']);
  });

  it('does not name the extension if it is installed', () => {
    assert.deepEqual(payload(new URL(workbenchUrl({ port: 1, folder: '/w' }))), [['skipWelcome', 'true']]);
  });

  it('asks for an empty window when there is no folder', () => {
    const url = new URL(workbenchUrl({ port: 1, extension: '/a' }));
    assert.equal(url.searchParams.get('folder'), null);
    assert.equal(url.searchParams.get('ew'), 'true');
  });
});

function payload(url: URL): unknown[] {
  // SAFETY: the payload of a window is a list.
  return JSON.parse(url.searchParams.get('payload') ?? '') as unknown[];
}
