import assert from 'node:assert/strict';
import type { PathUse } from '../../../../src/core/words/verdict';
import { judgePath } from '../../../../src/policy/paths/paths';
import { memoryPathFiles } from '../../../support/workspace/memory-path-files';

const stored = memoryPathFiles({
  platform: 'posix',
  caseSensitive: true,
  files: {
    '/home/me/ws/.env': 'file',
    '/home/me/ws/notes.env.txt': 'file',
    '/home/me/lib/src/a.ts': 'file',
    '/home/me/lib/plain.txt': 'file',
    '/home/me/lib/.env': 'file',
    '/home/me/lib/.bashrc': 'file',
    '/home/me/lib/.config/x.txt': 'file',
    '/home/me/x.txt': 'file',
    '/etc/hosts': 'file',
  },
});
const links: Readonly<Record<string, string>> = {
  '/home/me/ws/key': '/home/me/lib/src/a.ts',
  '/home/me/ws/.env.local': '/home/me/lib/plain.txt',
};
const files = { ...stored, realpath: (path: string) => stored.realpath(links[path] ?? path) };

const rows: readonly {
  readonly path: string;
  readonly use?: PathUse;
  /** What may be allowed beyond this call. */
  readonly offer: string;
}[] = [
  { path: '.env', offer: 'file /home/me/ws/.env' },
  { path: '.env', use: 'search', offer: 'file /home/me/ws/.env' },
  { path: '.env', use: 'write', offer: 'none' },
  { path: '.env', use: 'move', offer: 'none' },
  { path: 'notes.env.txt', offer: 'none' },
  { path: '../lib/src/a.ts', offer: 'folder /home/me/lib/src' },
  { path: '../lib', use: 'list', offer: 'folder /home/me/lib' },
  { path: '../lib', use: 'search', offer: 'folder /home/me/lib' },
  { path: '../lib/missing.txt', offer: 'folder /home/me/lib' },
  { path: '../lib/src/a.ts', use: 'write', offer: 'none' },
  { path: '../lib/src', use: 'delete', offer: 'none' },
  { path: 'key', offer: 'folder /home/me/lib/src' },
  { path: '../lib/.env', offer: 'file /home/me/lib/.env' },
  { path: '.env.local', offer: 'file /home/me/lib/plain.txt' },
  { path: '../lib/.bashrc', offer: 'file /home/me/lib/.bashrc' },
  { path: '../lib/.config', use: 'list', offer: 'folder /home/me/lib/.config' },
  // So high up that it would contain the workspace, or half the machine.
  { path: '../x.txt', offer: 'none' },
  { path: '/', use: 'list', offer: 'none' },
  { path: '/home', use: 'list', offer: 'none' },
  { path: '/etc/hosts', offer: 'none' },
];

describe('what reading may be allowed for a session', () => {
  for (const { path, use = 'read', offer } of rows) {
    it(`${use} ${path}: ${offer}`, async () => {
      const { verdict } = await judgePath({ roots: ['/home/me/ws'], path, use }, files);
      const { grant } = verdict;
      const [, what = ''] = /^read-(file|folder)-in-session$/.exec(grant?.type ?? '') ?? [];
      assert.equal(grant && 'path' in grant ? `${what} ${grant.path}` : 'none', offer);
    });
  }

  it('says that a file outside is a secret one', async () => {
    const { verdict } = await judgePath({ roots: ['/home/me/ws'], path: '../lib/.env', use: 'read' }, files);
    assert.equal(verdict.reason, 'secret file, outside the workspace');
  });
});
