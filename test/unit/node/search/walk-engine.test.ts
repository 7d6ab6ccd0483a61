import assert from 'node:assert/strict';
import type { SearchedFiles } from '../../../../src/node/search/walk';
import { createWalkEngine } from '../../../../src/node/search/walk-engine';
import type { SearchEngine, SearchEnd } from '../../../../src/node/search/search-engine';
import { letTimePass } from '../../../support/turns';

const TIMEOUT_MS = 1_000;

/** Long enough to find every file on a busy machine, beside one that never answers. */
const PATIENCE_MS = 3_000;

/** Files as a provider gives them: folders with a file each. */
const provider: SearchedFiles = {
  separator: '/',
  atOnce: 2,
  list: async (folder) => {
    if (folder !== '/top') return [{ name: 'a.txt', kind: 'file' }];
    return Array.from({ length: 4 }, (_, index) => ({ name: `${index}`, kind: 'folder' }));
  },
  read: async (path) => (path === '/top' ? undefined : Buffer.from('needle')),
};

const never = new Promise<never>(() => undefined);

function engineOver(files: Partial<SearchedFiles>, timeoutMs = TIMEOUT_MS): SearchEngine {
  return createWalkEngine({
    startAt: async (target) => ({ top: '/top', target, inRepository: false }),
    secretNames: [],
    files: { ...provider, ...files },
    timeoutMs,
  });
}

async function listed(engine: SearchEngine): Promise<SearchEnd & { readonly paths: readonly string[] }> {
  const paths: string[] = [];
  const end = await engine.list(
    { path: '/top', rules: 'all' },
    (path) => paths.push(path),
    new AbortController().signal,
  );
  return { ...end, paths: paths.sort() };
}

async function searched(engine: SearchEngine, query: string) {
  const place = { resolved: '/top', display: '.', verdict: { decision: 'auto', reason: '' } } as const;
  const how = { isRegex: false, caseSensitive: true, context: 0, max: 10, maxPerFile: 10 };
  const { files, cut } = await engine.text({ place, query, ...how }, new AbortController().signal);
  return { paths: files.map(({ path }) => path).sort(), ...(cut && { cut }) };
}

const ALL = ['0/a.txt', '1/a.txt', '2/a.txt', '3/a.txt'];

describe('a search in files of a provider', () => {
  it('finds them', async () => {
    assert.deepEqual(await listed(engineOver({})), { paths: ALL });
    assert.deepEqual(await searched(engineOver({}), 'needle'), { paths: ALL });
  });

  it('reports its findings when the time is up', async () => {
    const list: SearchedFiles['list'] = async (folder) => {
      await letTimePass(20);
      return [
        { name: 'a.txt', kind: 'file' },
        { name: 'inner', kind: 'folder' },
        ...(folder.length > 4_000 ? [] : [{ name: 'other', kind: 'folder' } as const]),
      ];
    };
    const { paths, cut } = await listed(engineOver({ list }));
    assert.equal(cut, 'time');
    assert.ok(paths.length > 0);
  });

  it('keeps its findings however long the ignore rules take', async () => {
    // This many rules for this many files take minutes.
    const many = Array.from({ length: 30_000 }, (_, index) => `${index}`);
    const list: SearchedFiles['list'] = async (folder) => {
      await letTimePass(150);
      if (folder.endsWith('/slow')) {
        return ['.gitignore', ...many].map((name) => ({ name, kind: 'file' }));
      }
      const inner = folder.split('/').length < 6 ? 'inner' : 'slow';
      return [
        { name: 'a.txt', kind: 'file' },
        { name: inner, kind: 'folder' },
      ];
    };
    const read = async (): Promise<Buffer> => Buffer.from(many.map((each) => `*${each}*x*\n`).join(''));
    const { paths, cut } = await listed(engineOver({ list, read }));
    assert.equal(cut, 'time');
    assert.ok(paths.length > 0);
  });

  const without = (...folders: readonly string[]): readonly string[] =>
    ALL.filter((path) => !folders.some((folder) => path.startsWith(folder)));

  /** The folder comes last, beside one more. */
  for (const { name, answer, cut, beside } of [
    { name: 'that never comes', answer: async () => never, cut: { cut: 'time' }, beside: ['0'] },
    { name: 'that fails', answer: async () => Promise.reject(new Error('Offline')), cut: {}, beside: [] },
  ] as const) {
    it(`keeps what it has found beside a file ${name}`, async () => {
      const read: SearchedFiles['read'] = (path) =>
        path.startsWith('/top/1/') ? answer() : provider.read(path);
      assert.deepEqual(await searched(engineOver({ read }, PATIENCE_MS), 'needle'), {
        paths: without('1'),
        ...cut,
      });
    });

    it(`keeps what it has found beside a folder ${name}`, async () => {
      const list: SearchedFiles['list'] = (path) => (path === '/top/1' ? answer() : provider.list(path));
      const engine = engineOver({ list }, PATIENCE_MS);
      assert.deepEqual(await listed(engine), { paths: without('1'), ...cut });
      // The files beside it are known only when there is no time left to read them.
      assert.deepEqual(await searched(engine, 'needle'), { paths: without('1', ...beside), ...cut });
    });
  }

  it('is not searched with a regular expression', async () => {
    const place = { resolved: '/top', display: '.', verdict: { decision: 'auto', reason: '' } } as const;
    const how = { isRegex: true, caseSensitive: true, context: 0, max: 10, maxPerFile: 10 };
    await assert.rejects(
      engineOver({}).text({ place, query: '(e+)+$', ...how }, new AbortController().signal),
      /^ToolError: A virtual workspace cannot be searched with a regular expression/,
    );
  });

  it('stops when its caller does', async () => {
    const stop = new AbortController();
    const list = engineOver({ list: async () => never }).list(
      { path: '/top', rules: 'all' },
      () => undefined,
      stop.signal,
    );
    stop.abort();
    await assert.rejects(list, { name: 'AbortError' });
  });
});
