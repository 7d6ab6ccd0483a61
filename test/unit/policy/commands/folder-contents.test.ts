import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderReaders } from '../../../../src/policy/commands/folder-readers';
import type { Entry, FileKind } from '../../../../src/policy/paths/path-file-system';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { limits } from '../../../../src/base/limits';
import { commandPorts } from '../../../support/workspace/command-ports';
import { posix } from '../../../support/platform';

/** For each program a command that reads all of the folder `secret`. */
const reading: Readonly<Record<string, string>> = {
  grep: 'grep -rn x secret',
  egrep: 'egrep -r x secret',
  fgrep: 'fgrep --recursive x secret',
  rgrep: 'rgrep x secret',
  pcregrep: 'pcregrep -r x secret',
  pcre2grep: 'pcre2grep -r x secret',
  rg: 'rg x secret',
  ag: 'ag x secret',
  ack: 'ack x secret',
  ugrep: 'ugrep -r x secret',
  'git grep': 'git grep --no-index x secret',
  'git diff': 'git diff --no-index out secret',
  diff: 'diff -r out secret',
  colordiff: 'colordiff out secret',
  tar: 'tar cf x.tar secret',
  gtar: 'gtar cf x.tar secret',
  bsdtar: 'bsdtar cf x.tar -C secret deep',
  zip: 'zip -r x.zip secret',
  '7z': '7z a x.7z secret',
  '7za': '7za a x.7z secret',
  '7zz': '7zz a x.7z secret',
  cp: 'cp -r secret out',
  rsync: 'rsync -a secret/ out',
  gzip: 'gzip -rc secret',
  gunzip: 'gunzip -rcf secret',
  zcat: 'zcat -rf secret',
  pigz: 'pigz -rc secret',
  zstd: 'zstd -rc secret',
  findstr: 'findstr /s x secret',
  copy: 'copy secret out',
  xcopy: 'xcopy secret out',
  robocopy: 'robocopy secret out',
  'copy-item': 'copy-item -recurse secret out',
};

/** They read the working folder, for they name no other. */
const readingHere: readonly string[] = [
  'grep -r x',
  'grep -nR x',
  'grep -d recurse x',
  'grep --directories=recurse x',
  'grep --rec x',
  'grep -r -e x',
  'grep -r -A 3 src',
  'grep -r --context 3 src',
  'rgrep x',
  'rg x',
  'rg src',
  'rg -A 3 src',
  'rg --max-count 3 src',
  'rg --hidden x',
  'rg -g a src',
  'rg -- src',
  'ag x src',
  'git grep x',
  'git grep x HEAD',
  'git --no-pager grep x',
  'zip -R x.zip out',
  '7z a x.7z',
  'rg x .',
  'rg -uu . .',
];

const harmless: readonly string[] = [
  'grep x src/a.ts',
  'grep -rn x src',
  'grep -rn -A 3 x src',
  'grep -rn x src out',
  'grep -c x',
  'rg x src',
  'rg -n x src/a.ts',
  'rg -tts x src',
  'rg --hidden --no-ignore x src',
  'grep --recursive --line-number x src',
  'cp -r src out',
  'diff -r src out',
  'tar cf x.tar src',
  'git diff',
  'git diff src',
  'git grep -n x src',
  'ls secret',
  'find . -type f',
  'du -s .',
];

describe('commands that read whole folders', () => {
  const ports = commandPorts();
  let root: string;
  before(async () => {
    await ports.grammar();
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-folders-')));
    for (const folder of ['src/deep', 'secret/deep', 'out'])
      mkdirSync(path.join(root, folder), { recursive: true });
    for (const file of ['src/a.ts', 'src/deep/b.ts', 'secret/deep/.env'])
      writeFileSync(path.join(root, file), '');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  async function judge(command: string, more: { readonly secretNames?: readonly string[] } = {}) {
    const request = {
      command,
      shell: 'posix',
      // Also by a rule of exactly these words.
      allow: [command],
      deny: [],
      roots: [root],
      cwd: root,
    } as const;
    return judgeCommand({ ...request, ...more }, ports);
  }

  it('has a row here for each entry of the table', () => {
    assert.deepEqual(Object.keys(reading).sort(), Object.keys(folderReaders).sort());
  });

  for (const [program, command] of Object.entries(reading)) {
    it(`G9.folder ${program}: ${command} asks for the secret file in it`, async () => {
      const { decision, reason } = await judge(command);
      assert.equal(decision, 'ask');
      assert.match(reason, /secret file: .*secret\/deep\/\.env/u);
    });
  }

  for (const command of readingHere) {
    it(`G9.folder ${command} reads the working folder and asks`, async () => {
      const { decision, reason } = await judge(command);
      assert.equal(decision, 'ask');
      assert.match(reason, /secret file: secret\/deep\/\.env/u);
    });
  }

  for (const command of harmless) {
    it(`lets ${command} pass`, async () => {
      const { decision, reason } = await judge(command);
      assert.equal(decision, 'auto', reason);
    });
  }

  it('G9.folder asks for what the user counts as secret', async () => {
    assert.equal((await judge('rg x src', { secretNames: ['b.*'] })).decision, 'ask');
  });

  for (const { target, reason } of [
    { target: '/etc', reason: /outside the workspace: linked\/link/u },
    { target: '../secret/deep/.env', reason: /secret file: linked\/link/u },
    { target: '../secret', reason: /secret file: linked\/link\/deep\/\.env/u },
    { target: '..', reason: /secret file: linked\/link\/secret\/deep\/\.env/u },
    { target: '../src', reason: /^matches rg/u },
    { target: '.', reason: /^matches rg/u },
  ]) {
    posix.it(`G9.folder follows a link to ${target}`, async () => {
      const folder = path.join(root, 'linked');
      mkdirSync(folder);
      symlinkSync(target, path.join(folder, 'link'));
      try {
        assert.match((await judge('rg x linked')).reason, reason);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  it('G9.folder asks if the folder is unreadable or too large', async () => {
    const failing = { ...ports.files, entries: async () => Promise.reject(new Error('no permission')) };
    const request = {
      command: 'rg x src',
      shell: 'posix',
      allow: ['rg'],
      deny: [],
      roots: [root],
      cwd: root,
    } as const;
    assert.match((await judgeCommand(request, { ...ports, files: failing })).reason, /cannot be read/u);

    let looks = 0;
    const many = Array.from({ length: limits.commandFolderEntries }, (_, at) => entry(`${at}.ts`, 'file'));
    const endless = {
      ...ports.files,
      entries: async () => {
        looks++;
        return [entry('deeper', 'directory'), ...many];
      },
    };
    assert.match(
      (await judgeCommand(request, { ...ports, files: endless })).reason,
      /too many files below src/u,
    );
    assert.equal(looks, 1);
  });

  it('looks through the folders of a command once, however often it names them', async () => {
    let looks = 0;
    const counting = {
      ...ports.files,
      entries: async (place: string) => {
        looks++;
        return ports.files.entries(place);
      },
    };
    const command = `grep -r x ${'src '.repeat(200)}`;
    const request = { command, shell: 'posix', allow: ['grep'], deny: [], roots: [root], cwd: root } as const;
    const { decision, reason } = await judgeCommand(request, { ...ports, files: counting });
    assert.equal(decision, 'auto', reason);
    assert.equal(looks, 2);
  });
});

function entry(name: string, kind: FileKind): Entry {
  return { name, kind };
}
