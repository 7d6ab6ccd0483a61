import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { caseCount, seed } from '../../hosts/random-cases';
import { killAgents } from '../../support/processes/kill-agents';

/** A Node process with everything of the extension host but VS Code; `test/e2e/killed-host.test.ts` kills a real one. */
describe('an agent that is killed at any moment', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-agent-kill-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('G27.agent-kill: loses nothing that was acknowledged, and its session goes on', async function () {
    this.timeout(180_000);
    await killAgents(folder, caseCount(10), seed);
  });
});
