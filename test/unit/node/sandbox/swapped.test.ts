import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ToolError } from '../../../../src/core/words/tool';
import { noSandbox, type SandboxSettings } from '../../../../src/node/sandbox/settings';
import { isSandboxAvailable } from '../../../support/sandbox-available';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

/** What another command does between the scan of the workspace and the mounts. */
const swaps: readonly {
  readonly name: string;
  /** In the workspace. */
  readonly folder: string;
  /** What the link in its place holds. */
  readonly link: string;
  /** Whether the link's target has no secret file, so that `bwrap` would create one as a mount point. */
  readonly isEmpty?: boolean;
  /** `bwrap` cannot mount on it; else it would, and only a look at what it has mounted shows that. */
  readonly isMountable: boolean;
}[] = [
  {
    name: 'a link to a folder that commands do not see',
    folder: 'sub',
    link: '../outside',
    isMountable: false,
  },
  { name: 'a link to a folder that commands may read', folder: 'sub', link: '../shown', isMountable: true },
  {
    name: 'a link to an empty folder that commands may read',
    folder: 'sub',
    link: '../shown',
    isEmpty: true,
    isMountable: false,
  },
  { name: 'a link further down', folder: 'sub/deep', link: '../../shown', isMountable: true },
  { name: 'a link to where the folder is now', folder: 'sub', link: 'away', isMountable: true },
];

/** As a command that still runs could do it between the look at the workspace and the mounts of the next command. */
linux.describe('folders that are swapped while a sandbox is made', function () {
  this.timeout(60_000);
  let folder: string;
  let scratch: ScratchWorkspace;
  let swap: () => void = () => undefined;

  before(async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-swapped-')));
    for (const each of ['workspace/sub/deep', 'outside', 'shown/deep'])
      await mkdir(path.join(folder, each), { recursive: true });
    for (const each of ['workspace/sub', 'workspace/sub/deep', 'outside', 'shown', 'shown/deep'])
      await writeFile(path.join(folder, each, '.env'), 'TOKEN=a');
    const settings: SandboxSettings = {
      ...noSandbox,
      isEnabled: true,
      runUnasked: true,
      readPaths: [path.join(folder, 'shown')],
      // Read after the scan.
      get allowedDomains() {
        swap();
        swap = () => undefined;
        return [];
      },
    };
    const sandbox = { settings: () => settings, stateFolder: path.join(folder, 'state') };
    scratch = ScratchWorkspace.over(path.join(folder, 'workspace'), { sandbox });
  });
  afterEach(async () => {
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { name, folder: at, link, isEmpty = false, isMountable } of swaps) {
    it(`G38 lead no command outside: ${name}`, async () => {
      await scratch.surroundings.sandbox?.status();
      if (isEmpty) await rm(path.join(folder, 'shown/.env'));
      const outside = await entriesOutside();
      swap = () => {
        renameSync(scratch.path(at), scratch.path('away'));
        symlinkSync(link, scratch.path(at));
      };
      const outcome = await run(`echo spoilt > ${at}/spoilt`);
      if (isMountable) assert.match(outcome, /^The folders of the workspace have changed/u);
      else assert.match(outcome, /^bwrap: /u);
      assert.deepEqual(await entriesOutside(), outside);
      // The next one sees what there is now.
      assert.equal(await run('echo next'), 'next\n');
    });
  }

  async function entriesOutside(): Promise<readonly string[]> {
    const places = ['outside', 'shown'].map((each) => readdir(path.join(folder, each), { recursive: true }));
    return (await Promise.all(places)).map((names) => names.sort().join(' '));
  }

  /** What it printed, or why it was not started. */
  async function run(command: string): Promise<string> {
    const cwd = await scratch.files.resolve('.', 'list');
    const options = { command, cwd, inSandbox: true, keepLog: true };
    try {
      const started = await scratch.processes.start(options, new AbortController().signal);
      await started.ended;
      return started.log.excerpt().head;
    } catch (error) {
      if (error instanceof ToolError) return error.message;
      throw error;
    }
  }
});
