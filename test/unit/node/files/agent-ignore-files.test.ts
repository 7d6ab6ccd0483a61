import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '../../../../src/base/limits';
import { secretNamesOf } from '../../../../src/node/files/agent-ignore-files';
import { createFiles } from '../../../../src/node/files/files';
import { createSearch } from '../../../../src/node/search/search';
import { ripgrepPath } from '../../../support/workspace/scratch-workspace';
import { secretFilter } from '../../../../src/policy/secrets';

describe('the ignore files for agents of a workspace', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-ignore-')));
    mkdirSync(path.join(root, 'private'));
    for (const file of ['private/a.txt', 'b.txt']) write(file, 'words');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text);
  const isSecret = (name: string): boolean =>
    secretFilter({ platform: 'posix', added: secretNamesOf({ roots: [root] }) })(`${root}/${name}`);

  for (const name of [
    '.parleyignore',
    '.aiexclude',
    '.cursorignore',
    '.clineignore',
    '.rooignore',
    '.geminiignore',
    '.aiderignore',
    '.codeiumignore',
  ]) {
    it(`include ${name}, and are read again when they change`, () => {
      equal(isSecret('private/a.txt'), false);
      write(name, 'private/');
      equal(isSecret('private/a.txt'), true);
      write(name, 'private/x');
      equal(isSecret('private/a.txt'), false);
      rmSync(path.join(root, name));
      equal(isSecret('private/x'), false);
    });
  }

  it('name everything if one cannot be read', () => {
    write('.parleyignore', '#'.repeat(limits.agentIgnoreBytes + 1));
    equal(isSecret('b.txt'), true);
    rmSync(path.join(root, '.parleyignore'));
    mkdirSync(path.join(root, '.parleyignore'));
    equal(isSecret('b.txt'), true);
  });

  it('G9.ignore: ask before a file or folder is read, searched or listed, and also before it is made', async () => {
    write('.parleyignore', 'private/\nnew.txt');
    symlinkSync(path.join(root, 'private/a.txt'), path.join(root, 'link.txt'));
    const files = createFiles({ roots: [root] });
    for (const asked of [
      'private/a.txt',
      'private',
      'PRIVATE/a.txt',
      './b.txt/../private',
      'link.txt',
      'new.txt',
    ]) {
      for (const use of ['read', 'list', 'search', 'write'] as const) {
        const { verdict } = await files.resolve(asked, use).catch(() => ({ verdict: { decision: 'deny' } }));
        const isOther = asked === 'PRIVATE/a.txt' || verdict.decision === 'deny';
        equal(isOther ? 'ask' : verdict.decision, 'ask', `${use} ${asked}`);
      }
    }
    equal((await files.resolve('b.txt', 'read')).verdict.decision, 'auto');
  });

  for (const ripgrep of [ripgrepPath(), false] as const) {
    it(`leave out of searches what they name ${ripgrep === false ? 'without' : 'with'} ripgrep`, async () => {
      write('.parleyignore', 'private/');
      const search = createSearch({ roots: [root], ripgrep });
      const folder = await createFiles({ roots: [root] }).resolve('.', 'search');
      const { signal } = new AbortController();
      const found = await search.files({ folder, matches: (each) => each.endsWith('.txt'), max: 9 }, signal);
      deepEqual([found.paths, found.withheld], [['b.txt'], 1]);
      // Text is searched with ripgrep only.
      if (ripgrep === false) return;
      const query = {
        place: folder,
        query: 'words',
        isRegex: false,
        caseSensitive: false,
        context: 0,
        max: 9,
        maxPerFile: 9,
      };
      deepEqual(
        (await search.text(query, signal)).files.map((file) => file.path),
        ['b.txt'],
      );
    });
  }
});
