import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRules } from '../../../../src/node/files/rules-files';
import { createSurroundings, type OwnedSurroundings } from '../../../../src/node/surroundings';
import { ripgrepPath } from '../../../support/workspace/scratch-workspace';

/** What the user adds to the names of secret files holds everywhere, and at once. */
describe('G9.added: names that the user adds', () => {
  let root: string;
  let added: readonly string[];
  let surroundings: OwnedSurroundings;
  const { signal } = new AbortController();

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-places-')));
    for (const name of ['a.vault', 'b.txt', 'AGENTS.md']) writeFileSync(path.join(root, name), 'a plum\n');
    added = [];
  });
  afterEach(async () => {
    await surroundings.endCommands();
    surroundings.dispose();
    rmSync(root, { recursive: true });
  });

  it('keep files, commands, rules and a search from them', async () => {
    const secretNames = (): readonly string[] => added;
    surroundings = createSurroundings({
      roots: [root],
      isTrusted: () => true,
      commandRules: () => ({ allow: ['cat'], deny: [] }),
      ripgrep: ripgrepPath(),
      secretNames,
    });
    const { files, processes, search } = surroundings;
    const looks = async (): Promise<unknown> => {
      const place = await files.resolve('.', 'read');
      const query = {
        query: 'plum',
        isRegex: false,
        caseSensitive: true,
        context: 0,
        maxPerFile: 9,
        max: 9,
      };
      const found = await search.text({ ...query, place }, signal);
      return {
        read: (await files.resolve('a.vault', 'read')).verdict.decision,
        command: (await processes.judge('cat a.vault', place)).verdict.decision,
        found: found.files.map((file) => file.path).sort(),
        rules: (await findRules({ roots: [root], isTrusted: () => true, secretNames })).files.length,
      };
    };
    assert.deepEqual(await looks(), {
      read: 'auto',
      command: 'auto',
      found: ['AGENTS.md', 'a.vault', 'b.txt'],
      rules: 1,
    });
    added = ['*.vault', 'agents.md'];
    assert.deepEqual(await looks(), { read: 'ask', command: 'ask', found: ['b.txt'], rules: 0 });
  });
});
