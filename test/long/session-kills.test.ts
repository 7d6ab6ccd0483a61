import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seed } from '../hosts/random-cases';
import { ExtensionHostKiller } from '../support/processes/kill-extension-hosts';
import { killAgents } from '../support/processes/kill-agents';

describe('sessions of processes killed at random moments, long run', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-agent-kill-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (let session = 0; session < 10; session++) {
    it(`G27.agent-kill: session ${session + 1} of 10, killed 20 times`, async function () {
      this.timeout(600_000);
      await killAgents(folder, 20, seed + session);
    });
  }

  for (let session = 0; session < 10; session++) {
    it(`G27.host-kill: session ${session + 1} of 10 in the real extension host, killed 20 times`, async function () {
      this.timeout(900_000);
      const kills = await ExtensionHostKiller.open(seed + session);
      try {
        await kills.killHosts(20);
      } finally {
        await kills.close();
      }
    });
  }
});
