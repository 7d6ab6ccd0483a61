import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import { spawnProgram } from '../processes/child-process';
import { isWithin } from '../files/path-file-system';
import { release } from './first-process';
import type { Layouts } from './layout';
import type { PrivateFolder } from './private-folder';
import { hasFilter } from './filter/seccomp';
import { noSandbox } from './settings';
import { wrapCommand } from './wrap-command';

export type SandboxStatus =
  | { readonly works: true; readonly program: string }
  /** One sentence, and the next step if there is one. */
  | { readonly works: false; readonly reason: string };

/** Returns why the sandbox cannot work on this machine or for this workspace, if that is known without a test. */
export function whyImpossible(roots: readonly string[], home: string): SandboxStatus | undefined {
  if (process.platform !== 'linux') return broken('It needs Linux or WSL2.');
  if (!hasFilter(process.arch)) return broken(`It does not support ${process.arch} processors.`);
  const wide = roots.find((root) => isWithin(home, root));
  return wide === undefined
    ? undefined
    : broken(`The folder ${wide} contains your home folder. Open the folder of a project.`);
}

/** A sentence for people. */
function broken(reason: string): SandboxStatus {
  return { works: false, reason };
}

interface Probe {
  readonly program: string;
  readonly folder: PrivateFolder;
  readonly layouts: Layouts;
}

/** Runs a program in a sandbox like that for commands and checks what it can do. Never rejects. */
export async function probe(parts: Probe): Promise<SandboxStatus> {
  try {
    return await tryOut(parts);
  } catch (error) {
    return {
      works: false,
      reason: `It could not be tested: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}

async function tryOut({ program, folder, layouts }: Probe): Promise<SandboxStatus> {
  const top = await mkdtemp(path.join(await folder.get(), 'probe-'));
  const [workspace, outside] = [path.join(top, 'workspace'), path.join(top, 'outside')];
  await mkdir(path.join(workspace, '.git'), { recursive: true });
  await mkdir(outside);
  const secret = randomUUID();
  await writeFile(path.join(workspace, '.env'), secret);
  const ours = path.dirname(process.execPath);
  const layout = await layouts.layOut({
    roots: [workspace],
    secretNames: [],
    ownFolders: [],
    settings: { ...noSandbox, readPaths: [ours] },
    searchPath: ['/usr/bin', '/bin'],
    watches: 'what-runs',
  });
  const command = {
    program: process.execPath,
    arguments: ['-e', PROBE, outside, secret],
    cwd: workspace,
    environment: { ...process.env, PARLEY_PROBE: secret },
  };
  const { files, ...wrapped } = await wrapCommand({ bwrap: program, layout, command, folder });
  const environment = { ...wrapped.environment, ELECTRON_RUN_AS_NODE: '1' };
  const ended = await runToEnd({ ...wrapped, environment, top });
  await Promise.all(files.map((file) => file.close()));
  if (ended.type === 'late')
    return {
      works: false,
      reason: `bwrap did not end within ${limits.sandboxProbeMs / 1000} seconds. Try again.`,
    };
  const arrived = await readFile(path.join(workspace, 'arrived'), 'utf8').catch(() => '');
  const escaped = [...(await readdir(outside)), ...(await readdir(path.join(workspace, '.git')))];
  if (arrived === secret && escaped.length === 0 && ended.printed === HELD) return { works: true, program };
  if (escaped.length > 0) return { works: false, reason: 'A program in it could write outside.' };
  if (ended.printed !== '' && ended.printed !== HELD)
    return { works: false, reason: `A program in it could do this: ${ended.printed}.` };
  return whyRefused(ended.complaint);
}

const HELD = 'held';

/** The program that runs inside. It prints `held`, or what it could do. */
const PROBE = `
const fs = require('node:fs'), net = require('node:net'), os = require('node:os');
const [outside, secret] = process.argv.slice(1), open = [];
const attempt = (name, act) => { try { act(); open.push(name); } catch {} };
fs.writeFileSync('arrived', secret);
attempt('write outside', () => fs.writeFileSync(outside + '/x', ''));
attempt('write to .git', () => fs.writeFileSync('.git/x', ''));
attempt('read .env', () => fs.readFileSync('.env'));
if (JSON.stringify(process.env).includes(secret)) open.push('read the environment');
attempt('read the environment of bwrap', () => {
  if (!fs.readFileSync('/proc/1/environ', 'latin1').includes(secret)) throw new Error();
});
if (Object.keys(os.networkInterfaces()).some((name) => name !== 'lo')) open.push('reach the network');
const server = net.createServer();
const end = () => process.stdout.write(open.join(', ') || '${HELD}', () => process.exit());
server.once('error', end);
server.listen('/tmp/probe.sock', () => { open.push('open a unix socket'); end(); });
`;

interface ProbeStart {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly descriptors: readonly (number | 'pipe')[];
  readonly top: string;
}

type ProbeEnd =
  | { readonly type: 'late' }
  | { readonly type: 'ended'; readonly printed: string; readonly complaint: string };

function runToEnd({
  program,
  arguments: args,
  environment,
  descriptors,
  top,
}: ProbeStart): Promise<ProbeEnd> {
  return new Promise((resolve, reject) => {
    const child = spawnProgram(program, args, {
      cwd: top,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
      detached: true,
    });
    release(child, true);
    const late = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      resolve({ type: 'late' });
    }, limits.sandboxProbeMs);
    let [printed, complaint] = ['', ''];
    child.stdout.on(
      'data',
      (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(0, limits.sandboxProbeCharacters)),
    );
    child.stderr.on(
      'data',
      (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(0, limits.sandboxProbeCharacters)),
    );
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', () => {
      clearTimeout(late);
      resolve({ type: 'ended', printed, complaint });
    });
  });
}

/** What `bwrap` prints when it is not permitted, and the reason. */
const REFUSALS: readonly { readonly says: RegExp; readonly reason: string }[] = [
  {
    says: /unknown option/iu,
    reason: 'This bwrap is too old. Install version 0.8 or later of the package bubblewrap.',
  },
  {
    says: /max_\S+_namespaces|No space left/iu,
    reason: 'The system allows no further namespaces (user.max_user_namespaces). Raise that limit.',
  },
  {
    says: /mount proc/iu,
    reason: 'The container around it hides parts of /proc, so no sandbox can be created in it.',
  },
  {
    says: /uid map|apparmor/iu,
    reason:
      'The system does not let bwrap create user namespaces; on Ubuntu an AppArmor profile for bwrap allows them.',
  },
  {
    says: /namespace|Operation not permitted|Permission denied/iu,
    reason: 'The system or the container around it does not let bwrap create namespaces.',
  },
];

function whyRefused(complaint: string): SandboxStatus {
  const known = REFUSALS.find(({ says }) => says.test(complaint));
  const [first = ''] = complaint.trim().split('\n');
  if (known) return broken(known.reason);
  return broken(
    first === '' ? 'The test program did not run in it.' : `It failed with: ${first.slice(0, 200)}`,
  );
}
