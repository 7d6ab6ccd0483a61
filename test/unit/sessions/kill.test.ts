import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionStore } from '../../../src/sessions/session-store';

const SESSION_LOOP = path.resolve('out/test/support/session-loop.js');
const ROUNDS = 20;

describe('a session of a process that is killed', () => {
  let top: string;
  before(() => (top = mkdtempSync(path.join(tmpdir(), 'parley-session-kill-'))));
  after(() => rmSync(top, { recursive: true, force: true }));

  it('G27.session-kill: everything that was acknowledged is there', async function () {
    this.timeout(60_000);
    for (let round = 0; round < ROUNDS; round++) {
      const folder = path.join(top, String(round));
      const acknowledged = await writeUntilKilled(folder);
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

/** How many runs it said were written. */
async function writeUntilKilled(folder: string): Promise<number> {
  const child = spawn(process.execPath, [SESSION_LOOP, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += String(text)));
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await wait(Math.random() * 60);
  child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL');
  return said.split('\n').length - 1;
}
