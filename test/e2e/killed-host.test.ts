import { seed } from '../hosts/random-cases';
import { ExtensionHostKiller } from '../support/processes/kill-extension-hosts';
import { hasProcessList } from '../support/processes/process-list';

/** Each kill needs a start of the window; the long tests do it 200 times. */
describe('the extension host, killed in the middle of a run', () => {
  let kills: ExtensionHostKiller | undefined;
  before(async function () {
    if (!hasProcessList) this.skip();
    kills = await ExtensionHostKiller.open(seed);
  });
  after(() => kills?.close());

  it('G27.host-kill: loses nothing that was shown, and the session continues', async function () {
    this.timeout(600_000);
    await kills?.killHosts(5);
  });
});
