import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PathUse } from '../../../../src/core/words/verdict';
import { pathFileSystem } from '../../../../src/node/files/path-file-system';
import { componentsBelow } from '../../../../src/policy/paths/path-text';
import { judgePath, type PathRequest } from '../../../../src/policy/paths/paths';
import { brokenPathFiles, memoryPathFiles } from '../../../support/workspace/memory-path-files';
import { posix } from '../../../support/platform';
import { caseCount } from '../../../hosts/random-cases';

const USES: readonly PathUse[] = ['read', 'write', 'list', 'search', 'delete', 'move'];
const READS: readonly PathUse[] = ['read', 'list', 'search'];

interface Row {
  readonly name: string;
  readonly path: string;
  readonly uses: readonly PathUse[];
  readonly decision: 'auto' | 'ask' | 'deny';
  readonly reason?: RegExp;
  /** Below the temporary folder. */
  readonly resolved?: string;
}

const WRITE: readonly PathUse[] = ['write'];
const CHANGES: readonly PathUse[] = ['write', 'delete', 'move'];
const ENTRY: readonly PathUse[] = ['delete', 'move'];

/** `$` is the temporary folder. */
const rows: readonly Row[] = [
  // Inside
  { name: 'G6.inside', path: 'src/a.ts', uses: USES, decision: 'auto', resolved: 'ws/src/a.ts' },
  {
    name: 'G6.inside absolute',
    path: '$/ws/src/a.ts',
    uses: USES,
    decision: 'auto',
    resolved: 'ws/src/a.ts',
  },
  {
    name: 'G6.inside new',
    path: 'new/deep/a.ts',
    uses: USES,
    decision: 'auto',
    resolved: 'ws/new/deep/a.ts',
  },
  {
    name: 'G6.inside dots',
    path: './src/../src//a.ts',
    uses: USES,
    decision: 'auto',
    resolved: 'ws/src/a.ts',
  },
  {
    name: 'G6.inside missing/..',
    path: 'no/../src/a.ts',
    uses: USES,
    decision: 'auto',
    resolved: 'ws/src/a.ts',
  },
  { name: 'G6.inside climbing and back', path: '../ws/src/a.ts', uses: USES, decision: 'auto' },
  { name: 'G6.inside three dots', path: '.../a', uses: USES, decision: 'auto', resolved: 'ws/.../a' },
  { name: 'G6.inside root', path: '.', uses: READS, decision: 'auto', resolved: 'ws' },
  { name: 'G6.inside root', path: '.', uses: ENTRY, decision: 'deny', reason: /workspace folder/ },
  { name: 'G6.inside link', path: 'link-in/a.ts', uses: USES, decision: 'auto', resolved: 'ws/src/a.ts' },
  {
    name: 'G6.inside link read',
    path: 'link-file-in',
    uses: READS,
    decision: 'auto',
    resolved: 'ws/src/a.ts',
  },
  {
    name: 'G6.inside link entry',
    path: 'link-file-in',
    uses: ENTRY,
    decision: 'auto',
    resolved: 'ws/link-file-in',
  },
  {
    name: 'G6.inside dangling',
    path: 'dangling-in',
    uses: WRITE,
    decision: 'auto',
    resolved: 'ws/src/new.ts',
  },
  { name: 'G6.inside through root link', path: '$/ws-link/src/a.ts', uses: USES, decision: 'auto' },
  // Outside
  ...outside('dot-dot', '../outside/x', 'outside/x'),
  ...outside('dot-dot deep', 'src/../../outside/x', 'outside/x'),
  ...outside('dot-dot missing', 'no/../../outside/x', 'outside/x'),
  ...outside('absolute', '$/outside/x', 'outside/x'),
  ...outside('absolute missing', '$/nowhere/x', 'nowhere/x'),
  ...outside('sibling prefix', '../ws-evil/x', 'ws-evil/x'),
  ...outside('sibling prefix absolute', '$/ws-evil/x', 'ws-evil/x'),
  ...outside('parent', '..', ''),
  ...outside('symlink-parent', 'link-out/x', 'outside/x'),
  ...outside('symlink-parent missing', 'link-out/new/x', 'outside/new/x'),
  ...outside('symlink-parent dot-dot', 'link-out/../ws-evil/x', 'ws-evil/x'),
  ...outside('symlink-chain', 'chain-1/x', 'outside/x'),
  ...outside('case variance', '../WS/src/a.ts', 'WS/src/a.ts'),
  ...outside('unicode normalisation', '../caf\u00e9/x', 'caf\u00e9/x'),
  { name: 'G6.symlink-file', path: 'link-file-out', uses: READS, decision: 'ask', resolved: 'outside/x' },
  { name: 'G6.symlink-file', path: 'link-file-out', uses: CHANGES, decision: 'deny', reason: /outside/ },
  { name: 'G6.dangling', path: 'dangling-out', uses: READS, decision: 'ask', resolved: 'outside/new' },
  { name: 'G6.dangling', path: 'dangling-out', uses: CHANGES, decision: 'deny' },
  {
    name: 'G6.dangling parent',
    path: 'dangling-out/x',
    uses: WRITE,
    decision: 'deny',
    resolved: 'outside/new/x',
  },
  {
    name: 'G6.dangling dot-dot',
    path: 'dangling-out/../x',
    uses: WRITE,
    decision: 'deny',
    resolved: 'outside/x',
  },
  {
    name: 'G6.dangling chain',
    path: 'dangling-chain',
    uses: WRITE,
    decision: 'deny',
    resolved: 'outside/new',
  },
  { name: 'G6.circle', path: 'circle', uses: READS, decision: 'ask', reason: /cannot be resolved/ },
  { name: 'G6.circle', path: 'circle/x', uses: CHANGES, decision: 'deny', reason: /cannot be resolved/ },
  { name: 'G6.symlink-root', path: 'to-root', uses: ENTRY, decision: 'deny', reason: /workspace folder/ },
  // Not files
  { name: 'G6.proc', path: '/proc/self/environ', uses: USES, decision: 'deny' },
  { name: 'G6.proc cwd', path: '/proc/self/cwd/package.json', uses: USES, decision: 'deny' },
  { name: 'G6.proc link', path: 'to-proc', uses: USES, decision: 'deny' },
  ...throughSpecial('through-proc'),
  ...throughSpecial('through-proc/..'),
  ...throughSpecial('through-proc-chain'),
  ...throughSpecial('through-proc-chain/new/a.ts'),
  ...throughSpecial('through-proc-relative'),
  ...throughSpecial('through-proc-thread/a.ts'),
  ...throughSpecial('through-proc-root'),
  ...throughSpecial('through-dev-fd'),
  ...throughSpecial('link-in/../through-proc'),
  ...throughSpecial('src/../no/../through-proc'),
  { name: 'G6.proc not', path: 'beside-proc/a.ts', uses: USES, decision: 'auto' },
  { name: 'G6.device', path: '/dev/null', uses: USES, decision: 'deny' },
  { name: 'G6.device link', path: 'to-device', uses: USES, decision: 'deny' },
  { name: 'G6.fifo', path: 'fifo', uses: USES, decision: 'deny', reason: /regular/ },
  // Refused outright
  { name: 'G6.empty', path: '', uses: USES, decision: 'deny', reason: /empty/ },
  { name: 'G6.empty blank', path: ' ', uses: USES, decision: 'deny', reason: /empty/ },
  {
    name: 'G6.too long',
    path: 'a/'.repeat(100) + 'x'.repeat(4_000),
    uses: USES,
    decision: 'deny',
    reason: /long/,
  },
  { name: 'G6.too deep', path: 'a/'.repeat(257), uses: USES, decision: 'deny', reason: /levels/ },
  { name: 'G6.home', path: '~/x', uses: USES, decision: 'deny' },
  { name: 'G6.home of another', path: '~root/x', uses: USES, decision: 'deny' },
  { name: 'G6.url', path: 'https://example.com/x', uses: USES, decision: 'deny', reason: /URL/ },
  { name: 'G6.url file', path: 'file:///etc/passwd', uses: USES, decision: 'deny', reason: /URL/ },
  { name: 'G6.double slash', path: '//etc/passwd', uses: USES, decision: 'deny' },
  { name: 'G6.unc', path: '\\\\host\\share\\x', uses: USES, decision: 'deny' },
  { name: 'G6.device namespace', path: '\\\\?\\C:\\x', uses: USES, decision: 'deny' },
  { name: 'G6.kernel namespace', path: '\\??\\C:\\x', uses: USES, decision: 'deny' },
  { name: 'G6.drive', path: 'C:\\Windows', uses: USES, decision: 'deny' },
  { name: 'G6.nul', path: 'src/a.ts\0.png', uses: USES, decision: 'deny', reason: /control/ },
  { name: 'G6.control', path: 'src/a\u001b[2K', uses: USES, decision: 'deny', reason: /control/ },
  { name: 'G6.newline', path: 'src/a\nb', uses: USES, decision: 'deny', reason: /control/ },
  { name: 'G6.direction', path: 'src/\u202egpj.ts', uses: USES, decision: 'deny', reason: /direction/ },
  { name: 'G6.surrogate', path: 'src/\ud800', uses: USES, decision: 'deny', reason: /control/ },
  // Protected
  { name: 'G8.protected', path: '.git/config', uses: CHANGES, decision: 'ask', reason: /protected/ },
  { name: 'G8.protected', path: '.git/config', uses: READS, decision: 'auto' },
  { name: 'G8.protected missing', path: 'sub/.husky/pre-commit', uses: CHANGES, decision: 'ask' },
  { name: 'G8.protected absolute', path: '$/ws/.idea/x', uses: CHANGES, decision: 'ask' },
  { name: 'G8.protected case', path: '.GIT/config', uses: CHANGES, decision: 'ask' },
  { name: 'G8.protected invisible', path: '.g\u200bit/config', uses: CHANGES, decision: 'ask' },
  { name: 'G8.protected dots', path: 'src/../.git/config', uses: CHANGES, decision: 'ask' },
  { name: 'G8.protected link', path: 'to-git/config', uses: CHANGES, decision: 'ask' },
  { name: 'G8.protected link name', path: '.vscode/tasks.json', uses: CHANGES, decision: 'ask' },
  {
    name: 'G8.protected link target',
    path: 'conf/tasks.json',
    uses: CHANGES,
    decision: 'ask',
    reason: /other name/,
  },
  {
    name: 'G8.link in .git/hooks',
    path: 'dev/hook.sh',
    uses: CHANGES,
    decision: 'ask',
    reason: /hooks\/pre-commit/,
  },
  {
    name: 'G8.link .github/workflows',
    path: 'ci/x.yml',
    uses: CHANGES,
    decision: 'ask',
    reason: /other name/,
  },
  {
    name: 'G8.link in a protected folder',
    path: 'skills/any.md',
    uses: CHANGES,
    decision: 'ask',
    reason: /protected/,
  },
  { name: 'G8.link to a file beside', path: 'dev/other.sh', uses: CHANGES, decision: 'auto' },
  { name: 'G8.protected new link', path: 'to-new-agents', uses: WRITE, decision: 'ask' },
  { name: 'G8.folder with protected', path: 'sub', uses: ENTRY, decision: 'ask', reason: /sub\/deep\/\.git/ },
  { name: 'G8.folder with protected', path: '.github', uses: ENTRY, decision: 'ask' },
  { name: 'G8.folder without protected', path: 'src', uses: ENTRY, decision: 'auto' },
  { name: 'G8.venv', path: 'any/bin/activate', uses: CHANGES, decision: 'ask' },
  { name: 'G8.ordinary', path: '.github/dependabot.yml', uses: CHANGES, decision: 'auto' },
  {
    name: 'G8.installed',
    path: 'node_modules/a/index.js',
    uses: CHANGES,
    decision: 'ask',
    reason: /protected/,
  },
  { name: 'G8.installed', path: 'node_modules/a/index.js', uses: READS, decision: 'auto' },
  { name: 'G8.installed link', path: 'packages/mine/a.ts', uses: CHANGES, decision: 'auto' },
  { name: 'G8.fat dot', path: '.git./hooks/x', uses: CHANGES, decision: 'ask', reason: /protected/ },
  {
    name: 'G8.fat blank',
    path: 'a/.vscode /tasks.json',
    uses: CHANGES,
    decision: 'ask',
    reason: /protected/,
  },
  { name: 'G8.fat stream', path: '.git :x/y', uses: CHANGES, decision: 'ask' },
  { name: 'G8.fat short name', path: 'GIT~1/hooks/x', uses: CHANGES, decision: 'ask', reason: /protected/ },
  { name: 'G8.fat short name of two', path: 'GITHUB~1/WORKFL~1/x', uses: CHANGES, decision: 'ask' },
  { name: 'G8.fat sum', path: 'GI7D29~1/config', uses: CHANGES, decision: 'ask', reason: /protected/ },
  { name: 'G8.fat extension', path: 'MYPROJ~1.COD', uses: CHANGES, decision: 'ask', reason: /protected/ },
  { name: 'G8.fat ordinary', path: 'backup~1.txt', uses: USES, decision: 'auto' },
  { name: 'G8.fat ordinary', path: 'README~1.md', uses: USES, decision: 'auto' },
  { name: 'G8.fat ordinary', path: 'src/a.ts~', uses: USES, decision: 'auto' },
  { name: 'G9.fat dot', path: '.env.', uses: READS, decision: 'ask', reason: /secret/ },
  { name: 'G9.fat blank', path: 'src/id_rsa .', uses: READS, decision: 'ask', reason: /secret/ },
  { name: 'G9.fat stream', path: '.env:x', uses: READS, decision: 'ask', reason: /secret/ },
  { name: 'G9.fat short name', path: 'ENV~1', uses: READS, decision: 'ask', reason: /secret/ },
  { name: 'G9.fat extension', path: 'TERRAF~1.TFS', uses: READS, decision: 'ask', reason: /secret/ },
  // Secrets
  { name: 'G9.secret', path: '.env', uses: READS, decision: 'ask', reason: /secret/, resolved: 'ws/.env' },
  { name: 'G9.secret write', path: '.env', uses: WRITE, decision: 'ask', reason: /secret/ },
  { name: 'G9.secret move', path: '.env', uses: ['move'], decision: 'ask', reason: /secret/ },
  { name: 'G9.secret case', path: 'src/.ENV.Local', uses: READS, decision: 'ask' },
  { name: 'G9.secret link', path: 'to-env', uses: READS, decision: 'ask' },
  { name: 'G9.secret trailing slash', path: '.env/', uses: READS, decision: 'ask' },
  { name: 'G9.folder of that name', path: 'credentials', uses: ['list'], decision: 'auto' },
  { name: 'G9.template', path: '.env.example', uses: READS, decision: 'auto' },
];

function throughSpecial(place: string): readonly Row[] {
  return [{ name: 'G6.proc through', path: place, uses: USES, decision: 'deny', reason: /regular/ }];
}

function outside(name: string, asked: string, resolved: string): readonly Row[] {
  return [
    { name: `G6.${name}`, path: asked, uses: READS, decision: 'ask', reason: /^outside/, resolved },
    { name: `G6.${name}`, path: asked, uses: CHANGES, decision: 'deny', reason: /^outside/, resolved },
  ];
}

posix.describe('judgePath', () => {
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-paths-')));
    for (const name of [
      'ws/src',
      'ws/.git',
      'ws/sub/deep/.git',
      'ws/conf',
      'ws/ci',
      'ws/dev',
      'ws/skills',
      'ws/.git/hooks',
      'ws/.github',
      'ws/packages/mine',
      'ws/node_modules',
      'ws/.claude/skills',
      'ws/credentials',
      'ws-evil',
      'outside',
    ]) {
      mkdirSync(path.join(folder, name), { recursive: true });
    }
    for (const name of ['ws/src/a.ts', 'ws/.git/config', 'ws/.env', 'ws-evil/x', 'outside/x']) {
      writeFileSync(path.join(folder, name), '');
    }
    const links: Readonly<Record<string, string>> = {
      'ws-link': 'ws',
      'ws/link-in': 'src',
      'ws/link-file-in': 'src/a.ts',
      'ws/dangling-in': 'src/new.ts',
      'ws/link-out': '../outside',
      'ws/link-file-out': '../outside/x',
      'ws/dangling-out': path.join(folder, 'outside/new'),
      'ws/dangling-chain': 'src/../dangling-out',
      'ws/chain-1': 'chain-2',
      'ws/chain-2': './src/../link-out',
      'ws/circle': 'circle',
      'ws/to-root': '.',
      'ws/to-proc': '/proc/self/environ',
      // Each ends at an ordinary file of this workspace, if the process works in this folder.
      'ws/through-proc': `/proc/self/cwd/${path.relative(process.cwd(), path.join(folder, 'ws/src/a.ts'))}`,
      'ws/through-proc-chain': 'src/near/a.ts',
      'ws/src/near': '../through-proc-folder',
      'ws/through-proc-folder': `/proc/self/cwd/${path.relative(process.cwd(), path.join(folder, 'ws/src'))}`,
      'ws/through-proc-relative': `${'../'.repeat(20)}proc/self/root${folder}/ws/src/a.ts`,
      'ws/through-proc-thread': `/proc/thread-self/root${folder}/ws/src`,
      'ws/through-proc-root': `/tmp/../proc/1/../self/root${folder}/ws/src/a.ts`,
      'ws/through-dev-fd': `/dev/fd/../../..${folder}/ws/src/a.ts`,
      'ws/beside-proc': path.join(folder, 'ws/proc'),
      'ws/to-device': '/dev/zero',
      'ws/to-git': '.git',
      'ws/to-new-agents': 'AGENTS.md',
      'ws/to-env': '.env',
      'ws/.vscode': 'conf',
      'ws/.git/hooks/pre-commit': '../../dev/hook.sh',
      'ws/.github/workflows': '../ci',
      'ws/.claude/skills/x': '../../skills',
      'ws/node_modules/mine': '../packages/mine',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(folder, name));
    execFileSync('mkfifo', [path.join(folder, 'ws/fifo')]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const judge = (request: Omit<PathRequest, 'roots'> & { roots?: readonly string[] }) =>
    judgePath({ roots: [path.join(folder, 'ws')], ...request }, pathFileSystem);

  for (const row of rows) {
    const shown = row.path.length > 40 ? `${row.path.slice(0, 40)}…` : row.path;
    it(`${row.name}: ${row.uses.join(' ')} ${JSON.stringify(shown)} → ${row.decision}`, async () => {
      for (const use of row.uses) {
        const place = await judge({ path: row.path.replace('$', folder), use });
        assert.equal(place.verdict.decision, row.decision, `${use}: ${place.verdict.reason}`);
        if (row.reason !== undefined) assert.match(place.verdict.reason, row.reason);
        if (row.decision === 'auto') assert.equal(place.verdict.reason, 'inside the workspace');
        if (/^outside|cannot be resolved/.test(place.verdict.reason)) assert.ok(place.verdict.isOutside);
        if (row.resolved !== undefined) assert.equal(place.resolved, path.join(folder, row.resolved));
      }
    });
  }

  it('G2.restricted: whatever needs a question because it lies outside says so, for Restricted Mode', async () => {
    for (const row of rows) {
      for (const use of row.uses) {
        const { root, verdict } = await judge({ path: row.path.replace('$', folder), use });
        if (root === undefined && verdict.decision === 'ask')
          assert.ok(verdict.isOutside, `${use} ${row.path}`);
      }
    }
  });

  it('G6.no folder: reads ask, the rest is denied', async () => {
    for (const use of USES) {
      for (const asked of ['a.ts', path.join(folder, 'ws/src/a.ts')]) {
        const { verdict } = await judge({ roots: [], path: asked, use });
        assert.equal(verdict.decision, READS.includes(use) ? 'ask' : 'deny');
        assert.equal(verdict.reason, 'no folder is open');
        assert.ok(verdict.isOutside);
      }
    }
  });

  it('G6.virtual: special folders of this machine are special only for folders on a machine', async () => {
    const request = { roots: ['/dev/repo'], path: 'a.ts' };
    const tree = { platform: 'posix', caseSensitive: true, files: { '/dev/repo/a.ts': 'file' } } as const;
    for (const use of USES) {
      const real = await judgePath({ ...request, use }, memoryPathFiles(tree));
      assert.equal(real.verdict.decision, 'deny', use);
      const virtual = await judgePath(
        { ...request, use },
        memoryPathFiles({ ...tree, hasSpecialFolders: false }),
      );
      assert.equal(virtual.verdict.decision, 'auto', use);
    }
  });

  it('takes a root that is a link, and names places below it', async () => {
    const root = path.join(folder, 'ws-link');
    const place = await judge({ roots: [root], path: 'src/a.ts', use: 'write' });
    assert.equal(place.verdict.decision, 'auto');
    assert.equal(place.resolved, path.join(folder, 'ws/src/a.ts'));
    assert.equal(place.root, root);
    assert.equal(place.display, 'src/a.ts');
    const git = await judge({ roots: [root], path: path.join(root, '.git/config'), use: 'write' });
    assert.equal(git.verdict.decision, 'ask');
  });

  it('starts relative paths at the working folder, else at the first root, and finds the innermost root', async () => {
    const roots = [path.join(folder, 'outside'), path.join(folder, 'ws'), path.join(folder, 'ws/src')];
    const first = await judge({ roots, path: 'x', use: 'write' });
    assert.equal(first.resolved, path.join(folder, 'outside/x'));
    const there = await judge({ roots, cwd: path.join(folder, 'ws/src'), path: 'a.ts', use: 'write' });
    assert.equal(there.root, path.join(folder, 'ws/src'));
    assert.equal(there.display, 'a.ts');
  });

  it('judges only names below the root', async () => {
    const root = path.join(folder, '.codex/work');
    mkdirSync(root, { recursive: true });
    for (const asked of ['a.ts', path.join(root, 'a.ts')]) {
      assert.equal((await judge({ roots: [root], path: asked, use: 'write' })).verdict.decision, 'auto');
    }
  });

  it('G5.own data is never changed unasked', async () => {
    const ownFolders = [path.join(folder, 'ws/src/storage')];
    const inside = await judge({ path: 'src/storage/sessions/1.jsonl', use: 'write', ownFolders });
    assert.equal(inside.verdict.decision, 'ask');
    const beside = await judge({ path: 'src/storage-2/a', use: 'write', ownFolders });
    assert.equal(beside.verdict.decision, 'auto');
  });

  it('G9.secret names can be added', async () => {
    const place = await judge({ path: 'vault.kdbx', use: 'read', secretNames: ['*.kdbx'] });
    assert.equal(place.verdict.decision, 'ask');
  });

  it('G7.decides nothing when the file system fails', async () => {
    for (const use of USES) {
      const { verdict } = await judgePath({ roots: ['/ws'], path: 'a.ts', use }, brokenPathFiles);
      assert.equal(verdict.decision, READS.includes(use) ? 'ask' : 'deny');
    }
  });

  it('G6.case variance on a file system that ignores case', async () => {
    const files = memoryPathFiles({
      platform: 'posix',
      caseSensitive: false,
      files: { '/Work/ws/src/a.ts': 'file' },
    });
    const same = await judgePath({ roots: ['/Work/ws'], path: '/WORK/WS/SRC/A.ts', use: 'write' }, files);
    assert.equal(same.verdict.decision, 'auto');
    const sibling = await judgePath({ roots: ['/Work/ws'], path: '../WS-evil/x', use: 'write' }, files);
    assert.equal(sibling.verdict.decision, 'deny');
  });
});

describe('judgePath on macOS', () => {
  it('refuses the streams of a file', async () => {
    const files = memoryPathFiles({
      platform: 'posix',
      caseSensitive: false,
      files: { '/ws/a.txt': 'file' },
    });
    for (const asked of ['a.txt/..namedfork/rsrc', 'a.txt/..NamedFork/data', '/ws/a.txt/..namedfork/rsrc']) {
      const { verdict } = await judgePath({ roots: ['/ws'], path: asked, use: 'read' }, files);
      assert.equal(verdict.decision, 'deny', asked);
      assert.match(verdict.reason, /stream/);
    }
  });

  it('compares names however their accents are composed', () => {
    const [composed, split] = ['caf\u00e9', 'cafe\u0301'];
    const mac = { platform: 'posix', caseSensitive: false, composesNames: true } as const;
    assert.deepEqual(componentsBelow(`/w/${composed}`, `/w/${split}/a`, mac), ['a']);
    assert.deepEqual(componentsBelow(`/w/${split}`, `/W/${composed}/a`, mac), ['a']);
    // Elsewhere they are two folders.
    const others = [
      { platform: 'posix', caseSensitive: true },
      { platform: 'win32', caseSensitive: false },
    ] as const;
    for (const rules of others) {
      const root = rules.platform === 'win32' ? 'C:\\' : '/';
      assert.equal(componentsBelow(root + composed, root + split, rules), undefined);
    }
  });
});

describe('judgePath on Windows', () => {
  const files = memoryPathFiles({
    platform: 'win32',
    caseSensitive: false,
    files: { 'C:\\ws\\src\\a.ts': 'file' },
  });
  const cases: readonly { readonly name: string; readonly path: string; readonly decision: string }[] = [
    { name: 'inside', path: 'src\\a.ts', decision: 'auto' },
    { name: 'inside slash', path: 'src/new.ts', decision: 'auto' },
    { name: 'inside absolute', path: 'c:/WS/src/a.ts', decision: 'auto' },
    { name: 'dot-dot', path: '..\\other\\x', decision: 'deny' },
    { name: 'absolute', path: 'C:\\Windows\\x', decision: 'deny' },
    { name: 'other drive', path: 'D:\\ws\\src\\a.ts', decision: 'deny' },
    { name: 'sibling prefix', path: '..\\ws-evil\\x', decision: 'deny' },
    { name: 'unc', path: '\\\\host\\share\\x', decision: 'deny' },
    { name: 'unc slash', path: '//host/share/x', decision: 'deny' },
    { name: 'device namespace', path: '\\\\?\\C:\\ws\\src\\a.ts', decision: 'deny' },
    { name: 'device namespace dot', path: '\\\\.\\C:\\ws\\src\\a.ts', decision: 'deny' },
    { name: 'kernel namespace', path: '\\??\\C:\\ws\\src\\a.ts', decision: 'deny' },
    { name: 'stream', path: 'src\\a.ts:hidden', decision: 'deny' },
    { name: 'stream of a folder', path: '.git::$INDEX_ALLOCATION\\config', decision: 'deny' },
    { name: 'short name', path: 'PROGRA~1\\x', decision: 'deny' },
    { name: 'short name of .git', path: 'GIT~1\\config', decision: 'deny' },
    { name: 'reserved name', path: 'src\\con', decision: 'deny' },
    { name: 'reserved name with extension', path: 'NUL.txt', decision: 'deny' },
    { name: 'reserved name with blanks', path: 'aux .txt', decision: 'deny' },
    { name: 'reserved name superscript', path: 'com¹', decision: 'deny' },
    { name: 'drive-relative', path: 'C:src\\a.ts', decision: 'deny' },
    { name: 'root-relative', path: '\\Windows\\x', decision: 'deny' },
    { name: 'protected', path: '.git\\config', decision: 'ask' },
    { name: 'protected trailing dot', path: '.git.\\config', decision: 'ask' },
    { name: 'protected trailing blank', path: '.GIT \\config', decision: 'ask' },
    { name: 'secret trailing dot', path: '.env.', decision: 'ask' },
    { name: 'name with a tilde', path: 'a~b.txt', decision: 'auto' },
    { name: 'name that begins like a device', path: 'console.ts', decision: 'auto' },
  ];
  for (const { name, path: asked, decision } of cases) {
    it(`G6.windows ${name}: ${asked} → ${decision}`, async () => {
      const { verdict } = await judgePath({ roots: ['C:\\ws'], path: asked, use: 'write' }, files);
      assert.equal(verdict.decision, decision, verdict.reason);
    });
  }

  for (const name of [
    'a?.txt',
    'a*.txt',
    'src\\a|b.ts',
    'a<b',
    'a"b',
    'a.txt.',
    'b.txt ',
    'src.\\c.ts',
    'd. .',
  ]) {
    for (const use of ['read', 'write', 'delete'] as const) {
      it(`W10: refuses a name that Windows would change or not find: ${JSON.stringify(name)}, ${use}`, async () => {
        const { verdict } = await judgePath({ roots: ['C:\\ws'], path: name, use }, files);
        assert.equal(verdict.decision, 'deny', verdict.reason);
        assert.match(verdict.reason, /Windows/);
        const posixFiles = memoryPathFiles({ platform: 'posix', caseSensitive: true, files: {} });
        const elsewhere = await judgePath({ roots: ['/ws'], path: name, use }, posixFiles);
        assert.equal(elsewhere.verdict.decision, 'auto', elsewhere.verdict.reason);
      });
    }
  }

  const workspaces: readonly {
    readonly name: string;
    readonly root: string;
    readonly real: string;
    readonly aliases?: Readonly<Record<string, string>>;
  }[] = [
    { name: 'W3: on a share', root: '\\\\server\\share\\ws', real: '\\\\server\\share\\ws' },
    { name: 'W3: that is a share', root: '\\\\server\\share', real: '\\\\server\\share' },
    {
      name: 'W3: of WSL',
      root: '\\\\wsl.localhost\\Debian\\home\\u\\ws',
      real: '\\\\wsl.localhost\\Debian\\home\\u\\ws',
    },
    {
      name: 'W3: on a mapped drive',
      root: 'M:\\ws',
      real: '\\\\server\\share\\ws',
      aliases: { 'M:': '\\\\server\\share' },
    },
    {
      name: 'W3: that is a mapped drive',
      root: 'M:\\',
      real: '\\\\server\\share\\',
      aliases: { 'M:\\': '\\\\server\\share\\' },
    },
    { name: 'W3: on a drive of subst', root: 'S:\\ws', real: 'C:\\work\\ws', aliases: { 'S:': 'C:\\work' } },
    {
      name: 'W12: named by a short name',
      root: 'C:\\Users\\RUNNER~1\\ws',
      real: 'C:\\Users\\runneradmin\\ws',
      aliases: { 'C:\\Users\\RUNNER~1': 'C:\\Users\\runneradmin' },
    },
  ];
  for (const { name, root, real, aliases = {} } of workspaces) {
    const at = (folder: string, rest: string): string => `${folder.replace(/\\$/, '')}\\${rest}`;
    const shared = memoryPathFiles({
      platform: 'win32',
      caseSensitive: false,
      files: { [at(real, 'src\\a.ts')]: 'file', [at(real, '.env')]: 'file' },
      aliases,
    });
    const judged = (asked: string, use: PathUse = 'write'): ReturnType<typeof judgePath> =>
      judgePath({ roots: [root], path: asked, use }, shared);

    it(`${name}: is a workspace as any other`, async () => {
      for (const asked of ['src\\a.ts', at(root, 'src\\a.ts'), at(real, 'src/a.ts'), 'src\\new.ts']) {
        for (const use of ['read', 'write', 'search'] as const) {
          const first = await judged(asked, use);
          assert.equal(first.verdict.decision, 'auto', `${asked}: ${first.verdict.reason}`);
          const second = await judged(first.resolved ?? '', use);
          assert.equal(second.verdict.decision, 'auto', `${first.resolved}: ${second.verdict.reason}`);
          assert.equal(second.resolved, first.resolved);
          assert.equal(second.display, first.display);
        }
      }
      assert.equal((await judged(root, 'list')).verdict.decision, 'auto');
    });

    it(`${name}: keeps its rules`, async () => {
      for (const folder of [root, real]) {
        assert.equal((await judged(at(folder, '.git\\config'))).verdict.decision, 'ask');
        assert.equal((await judged(at(folder, '.env'), 'read')).verdict.decision, 'ask');
        for (const outside of ['src\\a.ts:x', 'GIT~1\\config', 'src\\con', '..\\..\\..\\..\\..\\other\\x'])
          assert.equal((await judged(at(folder, outside))).verdict.decision, 'deny', outside);
      }
      for (const other of [
        '\\\\evil\\share\\ws\\src\\a.ts',
        '\\\\?\\C:\\ws\\a.ts',
        '\\\\server\\other\\x',
        'C:\\PROGRA~1\\x',
      ])
        assert.equal((await judged(other)).verdict.decision, 'deny', other);
    });
  }

  it('resolves below a root on a share', async () => {
    const share = memoryPathFiles({ platform: 'win32', caseSensitive: false, files: {} });
    const place = await judgePath({ roots: ['\\\\host\\share\\ws'], path: 'a\\b.ts', use: 'write' }, share);
    assert.equal(place.verdict.decision, 'auto', place.verdict.reason);
    assert.equal(place.resolved, '\\\\host\\share\\ws\\a\\b.ts');
    assert.equal(place.display, 'a/b.ts');
  });
});

describe('a path that begins with the name of its folder', () => {
  const one = ['/w/ws'];
  const two = ['/w/ws', '/w/lib'];
  const rows: readonly {
    readonly name: string;
    readonly path: string;
    readonly meant: string;
    readonly roots?: readonly string[];
    readonly use?: PathUse;
    readonly files?: Readonly<Record<string, 'file' | 'directory'>>;
  }[] = [
    { name: 'means the folder', path: 'ws/src/a.js', meant: 'src/a.js' },
    { name: 'means the folder for a new file', path: 'ws/new/b.js', meant: 'new/b.js', use: 'write' },
    { name: 'means the folder itself, to look into it', path: 'ws', meant: '.', use: 'list' },
    { name: 'means the folder itself with a slash', path: 'ws/', meant: '.', use: 'search' },
    { name: 'is a name of a file to write, if it is all', path: 'ws', meant: './ws', use: 'write' },
    { name: 'loses the name once', path: 'ws/ws/src/a.js', meant: './ws/src/a.js' },
    {
      name: 'counts as written where that exists',
      path: 'ws/b.js',
      meant: './ws/b.js',
      files: { '/w/ws/ws/a.js': 'file' },
    },
    {
      name: 'counts as written where a file has the name',
      path: 'ws/b.js',
      meant: './ws/b.js',
      files: { '/w/ws/ws': 'file' },
    },
    { name: 'counts as written after a dot', path: './ws/src/a.js', meant: './ws/src/a.js' },
    { name: 'counts as written if it climbs', path: 'ws/../../x', meant: '../x' },
    { name: 'counts as written in another case', path: 'WS/src/a.js', meant: './WS/src/a.js' },
    { name: 'may begin with another folder', path: 'lib/c.js', meant: '/w/lib/c.js', roots: two },
    {
      name: 'means the first folder before others',
      path: 'ws/src/a.js',
      meant: 'src/a.js',
      roots: ['/w/ws', '/other/ws'],
    },
    {
      name: 'means none of two other folders',
      path: 'lib/c.js',
      meant: './lib/c.js',
      roots: ['/w/ws', '/w/lib', '/other/lib'],
    },
    { name: 'is judged where it leads', path: 'ws/.env', meant: '.env' },
    {
      name: 'is judged where it leads, to write',
      path: 'ws/.git/config',
      meant: '.git/config',
      use: 'write',
    },
  ];
  for (const { name, path: asked, meant, roots = one, use = 'read', files: more = {} } of rows) {
    it(name, async () => {
      const tree = {
        '/w/ws/src/a.js': 'file',
        '/w/ws/.env': 'file',
        '/w/lib/c.js': 'file',
        ...more,
      } as const;
      const files = memoryPathFiles({ platform: 'posix', caseSensitive: true, files: tree });
      const request = { roots, use };
      const { isWithoutFolderName, ...judged } = await judgePath(
        { ...request, path: asked, knowsFolderNames: true },
        files,
      );
      const expected = await judgePath({ ...request, path: meant }, files);
      assert.deepEqual(judged, expected);
      // A command is a program's business.
      const asWritten = await judgePath({ ...request, path: asked }, files);
      assert.equal(isWithoutFolderName ?? false, asWritten.resolved !== judged.resolved);
    });
  }

  it('ignores case where the file system does', async () => {
    const files = memoryPathFiles({
      platform: 'win32',
      caseSensitive: false,
      files: { 'C:\\W\\ws\\a.ts': 'file' },
    });
    const request = { roots: ['C:\\W\\ws'], use: 'read', knowsFolderNames: true } as const;
    assert.equal((await judgePath({ ...request, path: 'WS\\a.ts' }, files)).display, 'a.ts');
    assert.equal((await judgePath({ ...request, path: 'ws/D:/x' }, files)).verdict.decision, 'deny');
  });

  it('is judged as what exists, or as the path without the name, and never leads outside', async () => {
    const name = fc.constantFrom('ws', 'lib', 'src', 'a.js', '.env', '.git', '.', '..', 'new');
    const paths = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
    const trees = fc.subarray([
      '/w/ws/src/a.js',
      '/w/ws/ws/a.js',
      '/w/ws/lib/a.js',
      '/w/lib/src/a.js',
      '/w/ws/.env',
    ]);
    const seen = new Set<boolean>();
    await fc.assert(
      fc.asyncProperty(
        paths,
        trees,
        fc.constantFrom(...USES),
        fc.constantFrom(one, two),
        async (asked, tree, use, roots) => {
          const files = memoryPathFiles({
            platform: 'posix',
            caseSensitive: true,
            files: Object.fromEntries(
              [...tree, '/w/ws/x', '/w/lib/x'].map((file) => [file, 'file' as const]),
            ),
          });
          const request = { roots, use };
          const asWritten = await judgePath({ ...request, path: asked }, files);
          const { isWithoutFolderName = false, ...judged } = await judgePath(
            { ...request, path: asked, knowsFolderNames: true },
            files,
          );
          seen.add(isWithoutFolderName);
          const [first = '', ...rest] = asked.split('/');
          const root = roots.find((each) => each.endsWith(`/${first}`)) ?? '';
          const real = [root, ...rest].join('/');
          assert.deepEqual(
            judged,
            isWithoutFolderName ? await judgePath({ ...request, path: real }, files) : asWritten,
          );
          if (!isWithoutFolderName) return;
          assert.ok(roots.some((each) => `${judged.resolved ?? ''}/`.startsWith(`${each}/`)));
          assert.equal(await files.kind(`/w/ws/${first}`), undefined);
        },
      ),
      { numRuns: caseCount(4_000) },
    );
    assert.deepEqual(seen, new Set([true, false]));
  });
});
