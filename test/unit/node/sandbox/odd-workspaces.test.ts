import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findRules } from '../../../../src/node/files/rules-files';
import { noSandbox, type SandboxSettings } from '../../../../src/node/sandbox/settings';
import { isSandboxAvailable } from '../../../support/sandbox-available';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

/** What a command may leave, or a workspace contain, without blocking the next command. */
linux.describe('a sandbox in a workspace that holds', function () {
  let folder: string;
  let scratch: ScratchWorkspace;
  let settings: SandboxSettings;

  before(async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-odd-')));
    await mkdir(path.join(folder, 'workspace'));
    settings = { ...noSandbox, isEnabled: true, runUnasked: true };
    const sandbox = { settings: () => settings, stateFolder: path.join(folder, 'state') };
    scratch = ScratchWorkspace.over(path.join(folder, 'workspace'), { sandbox });
  });
  afterEach(async () => {
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('folders deeper than any path reaches', async () => {
    const name = 'd'.repeat(200);
    const deeper = `for i in $(seq 25); do mkdir ${name} && cd ${name} || exit 1; done; mkdir .vscode; echo made`;
    assert.match(await run(deeper), /made/u);
    await run('mkdir .vscode');
    assert.equal(await run('echo next'), 'next\n');
    assert.ok(!existsSync(scratch.path('.vscode')));
    await run(`rm -rf ${name}`);
  });

  it('named pipes in the place of settings', async () => {
    await run('mkfifo .gitmodules .gitconfig FETCH_HEAD; mkdir store; mkfifo store/commondir store/HEAD');
    await scratch.write('part/.git', 'gitdir: ../store\n');
    assert.equal(await run('echo next'), 'next\n');
  });

  it('what ignore files for agents name, also those of folders below', async () => {
    const names = ['private/a', 'plain', 'src/a', 'src/b', 'src/deep/b', 'src/made'];
    for (const name of names) await scratch.write(name, `${name}\n`);
    await scratch.write('.parleyignore', 'private/\n/plain\n');
    await scratch.write('src/.cursorignore', 'b\n');
    assert.equal(
      await run(`cat ${names.join(' ')} 2> /dev/null; ls private 2> /dev/null`),
      'src/a\nsrc/made\n',
    );
    // Each command is judged by the files as they are then.
    await scratch.write('src/.cursorignore', 'made\n');
    assert.equal(await run('cat src/b src/made 2> /dev/null'), 'src/b\n');
  });

  it('a file that a rules file imports', async () => {
    for (const name of ['docs/rules.md', 'docs/other.md']) await scratch.write(name, 'before\n');
    await scratch.write('AGENTS.md', '@docs/rules.md\n');
    await findRules({ roots: [scratch.root], isTrusted: () => true });
    await run('for f in docs/*; do echo after > $f; done; rm -f docs/rules.md; mv docs elsewhere');
    assert.equal(await readFile(scratch.path('docs/rules.md'), 'utf8'), 'before\n');
    assert.equal(await readFile(scratch.path('docs/other.md'), 'utf8'), 'after\n');
  });

  it('links of secret names', async () => {
    await scratch.write('values', 'TOKEN=a');
    for (const [name, to] of Object.entries({
      '.env': 'values',
      'a/.env': '../missing',
      'b/.env': '/etc/hostname',
      'c/.env': '..',
      'd/.env': '.env',
      'e/server.key': path.join(folder, 'outside'),
    })) {
      await mkdir(path.dirname(scratch.path(name)), { recursive: true });
      await symlink(to, scratch.path(name));
    }
    assert.equal(await run('cat values 2> /dev/null; ls missing 2> /dev/null; echo next'), 'next\n');
    assert.ok(!existsSync(scratch.path('missing')));
  });

  it('a secret file in a folder that is shown to be read, and removed later', async () => {
    const shown = path.join(folder, 'shown');
    await mkdir(shown);
    settings = { ...settings, readPaths: [shown] };
    const read = `cat ${shown}/.env ${shown}/a.txt 2> /dev/null; echo next`;
    await writeFile(path.join(shown, 'a.txt'), 'a\n');
    assert.equal(await run(read), 'a\nnext\n');
    await writeFile(path.join(shown, '.env'), 'TOKEN=a');
    assert.equal(await run(read), 'a\nnext\n');
    await rm(path.join(shown, '.env'));
    assert.equal(await run(read), 'a\nnext\n');
  });

  it('names of every kind', async () => {
    const odd = [
      ' a',
      'a b',
      '-rf',
      'a\nb',
      "a'b",
      '"',
      '\\040',
      '*',
      '$(b)',
      'ä',
      '\u{1f600}',
      '--',
      'a\tb',
    ];
    for (const name of odd) await scratch.write(`${name}/.vscode/settings.json`, '{}');
    assert.equal(
      await run('for each in */; do touch -- "$each.vscode/x" 2> /dev/null && echo "$each"; done; echo next'),
      'next\n',
    );
    assert.equal(await run('rm -rf -- * 2> /dev/null; ls -A | wc -l'), `${odd.length + 1}\n`);
  });

  async function run(command: string): Promise<string> {
    const cwd = await scratch.files.resolve('.', 'list');
    const options = { command, cwd, inSandbox: true, keepLog: true, timeoutMs: 20_000 };
    const started = await scratch.processes.start(options, new AbortController().signal);
    await started.ended;
    return started.log.excerpt().head;
  }
});
