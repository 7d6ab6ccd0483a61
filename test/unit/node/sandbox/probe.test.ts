import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { whyImpossible } from '../../../../src/node/sandbox/probe';
import { Sandbox } from '../../../../src/node/sandbox/sandbox';
import { noSandbox } from '../../../../src/node/sandbox/settings';
import { runCli } from '../../../support/processes/run-cli';
import { linux } from '../../../support/platform';

/** Programs named `bwrap`. */
interface Fake {
  readonly name: string;
  readonly script: string;
  readonly reason: RegExp;
}

const RUNS_COMMAND = 'while [ "$1" != -- ]; do shift; done; shift;';

const fakes: readonly Fake[] = [
  {
    name: 'hangs, and has left a daemon that keeps its output open',
    script: 'setsid sleep 20 & echo $! > "${0%/*}/daemon"; sleep 60',
    reason: /^bwrap did not end within 5 seconds\. Try again\.$/u,
  },
  {
    name: 'only says that it worked',
    script: 'printf held',
    reason: /^The test program did not run in it\.$/u,
  },
  { name: 'does nothing', script: ':', reason: /^The test program did not run in it\.$/u },
  {
    name: 'runs the command without any boundary',
    script: `${RUNS_COMMAND} exec "$@"`,
    reason: /^A program in it could write outside\.$/u,
  },
  {
    name: 'hides what the command could do',
    script: `${RUNS_COMMAND} "$@"; for each; do rm -f "$each/x"; done`,
    reason: /^A program in it could do this: write outside, /u,
  },
  {
    name: 'is too old',
    script: 'echo "bwrap: Unknown option --disable-userns" >&2; exit 1',
    reason: /^This bwrap is too old\. Install version 0\.8 or later/u,
  },
  {
    name: 'gets no namespaces in a container',
    script: 'echo "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1',
    reason: /^The system or the container around it does not let bwrap create namespaces\.$/u,
  },
  {
    name: 'gets no further namespaces',
    script:
      'echo "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)" >&2; exit 1',
    reason: /user\.max_user_namespaces/u,
  },
  {
    name: 'cannot mount /proc',
    script: `echo "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" >&2; exit 1`,
    reason: /^The container around it hides parts of \/proc/u,
  },
  {
    name: 'is refused by a profile of AppArmor',
    script: 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
    reason: /AppArmor profile/u,
  },
  {
    name: 'fails otherwise',
    script: 'echo "bwrap: loopback: Failed to look up lo" >&2; exit 1',
    reason: /^It failed with: bwrap: loopback: Failed to look up lo/u,
  },
  {
    name: 'prints without end',
    script: 'yes held | head -c 100000000',
    reason: /^A program in it could do this: held|^The test program/u,
  },
];

linux.describe('the probe of the sandbox', () => {
  const { PATH } = process.env;
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-fake-')));
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(folder, { recursive: true, force: true });
  });

  for (const { name, script, reason } of fakes) {
    it(`G39 sees a bwrap that ${name}`, async () => {
      await fake(script);
      process.env['PATH'] = `${folder}:/usr/bin:/bin`;
      const { sandbox, status } = await probed();
      assert.ok(!status.works);
      assert.match(status.reason, reason);
      await assert.rejects(
        sandbox.enter({ program: '/bin/true', arguments: [], cwd: folder, environment: {} }),
        /The sandbox does not work: /u,
      );
      await sandbox.close();
      if (existsSync(path.join(folder, 'daemon')))
        process.kill(Number(await readFile(path.join(folder, 'daemon'), 'utf8')), 'SIGKILL');
    });
  }

  it('says what to install if there is no bwrap', async () => {
    process.env['PATH'] = folder;
    const { sandbox, status } = await probed();
    assert.deepEqual(status, {
      works: false,
      reason: 'bwrap is not installed. Install the package bubblewrap.',
    });
    await sandbox.close();
  });

  it('runs no bwrap from the workspace', async () => {
    await fake(`touch ${folder}/was-run`);
    process.env['PATH'] = folder;
    const { sandbox, status } = await probed([folder]);
    assert.deepEqual([status.works, existsSync(path.join(folder, 'was-run'))], [false, false]);
    await sandbox.close();
  });

  it('makes no sandbox around a home folder', () => {
    for (const root of ['/home/me', '/home', '/'])
      assert.deepEqual(whyImpossible([root], '/home/me'), {
        works: false,
        reason: `The folder ${root} contains your home folder. Open the folder of a project.`,
      });
    assert.equal(whyImpossible(['/home/me/project', '/srv'], '/home/me'), undefined);
  });

  it('G39 leaves a command of the command line unstarted, and says why', async () => {
    await fake(`${RUNS_COMMAND} exec "$@"`);
    const workspace = path.join(folder, 'workspace');
    await mkdir(workspace);
    const { stdout, stderr } = await runCli(
      ['call', 'run_shell_command', '--sandbox', '--workspace', workspace],
      '{"command":"touch started"}',
      { PATH: `${folder}:/usr/bin:/bin`, XDG_STATE_HOME: path.join(folder, 'state') },
    );
    assert.match(stdout, /^Not executed: it needs approval/u);
    assert.match(
      stderr,
      /^The sandbox does not work here, so commands ask\. A program in it could write outside\./u,
    );
    assert.ok(!existsSync(path.join(workspace, 'started')));
  });

  async function fake(script: string): Promise<void> {
    await writeFile(path.join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  async function probed(roots: readonly string[] = []) {
    const state = path.join(folder, 'state');
    const sandbox = new Sandbox({ roots, settings: () => noSandbox, stateFolder: state });
    return { sandbox, status: await sandbox.status() };
  }
});
