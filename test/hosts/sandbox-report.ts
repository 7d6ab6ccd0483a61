import { tmpdir } from 'node:os';
import path from 'node:path';
import { Sandbox } from '../../src/node/sandbox/sandbox';
import { noSandbox } from '../../src/node/sandbox/settings';

/** For the last lines of a test run: whether the sandbox tests could run on this machine, or why not. */
export async function sandboxReport(): Promise<string> {
  const sandbox = new Sandbox({
    roots: [],
    settings: () => noSandbox,
    stateFolder: path.join(tmpdir(), 'parley-no-state'),
  });
  const status = await sandbox.status();
  await sandbox.close();
  return status.works ? 'The sandbox was probed and tested.' : `The sandbox was not tested. ${status.reason}`;
}
