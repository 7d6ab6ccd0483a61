import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { caseCount } from '../../../hosts/random-cases';
import { contents } from '../../../support/processes/file-editor-process';
import { letTimePass } from '../../../support/turns';

const EDIT_LOOP = path.resolve('out/test/support/processes/file-editor-process.js');
const ROUNDS = caseCount(30);
const AT_ONCE = 3;

describe('edits of a process that is killed', () => {
  let top: string;
  before(() => {
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-kill-')));
  });
  after(() => rmSync(top, { recursive: true, force: true }));

  it('G27.kill at random moments leaves each file with the old or the new bytes', async function () {
    this.timeout(60_000);
    const moments = fc.sample(fc.nat(60), ROUNDS);
    let created = 0;
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const folders = Array.from({ length: AT_ONCE }, (_, at) => path.join(top, String(round + at)));
      await Promise.all(folders.map((folder, at) => editUntilKilled(folder, moments[round + at] ?? 0)));
      for (const folder of folders) created += mustBeWhole(folder);
    }
    assert.ok(created > 0, 'no round came to create a file');
  });
});

/** After so many milliseconds. */
async function editUntilKilled(folder: string, after: number): Promise<void> {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'a.txt'), contents[1] ?? '');
  const child = spawn(process.execPath, [EDIT_LOOP, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await letTimePass(after);
  child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL');
}

/** How many files were created. */
function mustBeWhole(folder: string): number {
  mustBeOneOf(path.join(folder, 'a.txt'));
  const made = path.join(folder, 'new');
  // Unfinished files have a different name.
  const names = existsSync(made) ? readdirSync(made).filter((name) => !name.startsWith('.parley-')) : [];
  for (const name of names) mustBeOneOf(path.join(made, name));
  return names.length;
}

function mustBeOneOf(file: string): void {
  const text = readFileSync(file, 'utf8');
  assert.ok(contents.includes(text), `${file} has ${text.length} characters`);
}
