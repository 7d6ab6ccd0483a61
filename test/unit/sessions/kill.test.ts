import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionStore } from '../../../src/sessions/session-store';
import { caseCount } from '../../hosts/random-cases';
import { letTimePass } from '../../support/turns';

const SESSION_LOOP = path.resolve('out/test/support/processes/session-writer-process.js');
const ROUNDS = caseCount(20);

describe('a session of a process that is killed', () => {
  let top: string;
  before(() => (top = mkdtempSync(path.join(tmpdir(), 'parley-session-kill-'))));
  after(() => rmSync(top, { recursive: true, force: true }));

  it('G27.session-kill: everything that was acknowledged is there', async function () {
    this.timeout(60_000);
    for (const [round, after] of fc.sample(fc.nat(60), ROUNDS).entries()) {
      const folder = path.join(top, String(round));
      const acknowledged = await writeUntilKilled(folder, after);
      const store = new SessionStore(new NodeSessionFolder(folder));
      const [session, ...others] = await store.list();
      assert.deepEqual(others, []);
      const { events, damaged } = (await store.load(session?.id ?? '')) ?? { events: [], damaged: -1 };
      assert.equal(damaged, 0);
      const runs = events.flatMap((event) => (event.type === 'run-start' ? [event.time] : []));
      assert.deepEqual(runs, [...runs.keys()]);
      const ended = events.filter(
        (event) => event.type === 'run-end' && event.outcome.type === 'done',
      ).length;
      assert.ok(ended >= acknowledged && acknowledged > 0, `${ended} of ${acknowledged}`);
    }
  });
});

/** How many runs it said were written when it was killed after so many milliseconds. */
async function writeUntilKilled(folder: string, after: number): Promise<number> {
  const child = spawn(process.execPath, [SESSION_LOOP, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += String(text)));
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await letTimePass(after);
  child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL');
  return said.split('\n').length - 1;
}
