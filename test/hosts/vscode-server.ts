import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atExit } from './at-exit';
import { mustRun, tail } from './run-program';
import { installServer } from './server-install';
import { trusted, type Settings } from './settings';
import type { VsCodeRelease } from './vscode-versions';

export interface ServerOptions {
  readonly release: VsCodeRelease;
  readonly settings?: Settings;
  /** Also passed to the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute paths of packages to install before it starts. */
  readonly packages?: readonly string[];
  /** Absolute paths of the extensions under development, for its windows; empty if there are none. */
  readonly extensions?: readonly string[];
}

export interface VsCodeServer {
  readonly port: number;
  /** The server's process, which leads the process group of its extension hosts. */
  readonly pid: number;
  /** Folder of everything that VS Code stores: settings, state, logs. */
  readonly data: string;
  /** Path of the user's settings.json. */
  readonly userSettings: string;
  /** The output of the server and its extension host. */
  output(): string;
  /** Resolves when the server has ended, for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const startTimeout = 60_000;

/** Starts a VS Code server on the loopback address, with new data folders that are removed when it stops. */
export async function startServer({
  release,
  settings = trusted,
  env = {},
  packages = [],
  extensions,
}: ServerOptions): Promise<VsCodeServer> {
  const { node, main } = await installServer(release);
  const data = await mkdtemp(path.join(tmpdir(), 'parley-vscode-'));
  const user = path.join(data, 'user');
  await mkdir(path.join(user, 'User'), { recursive: true });
  const userSettings = path.join(user, 'User/settings.json');
  await writeFile(userSettings, JSON.stringify(settings));
  const folders = dataFolders(data);
  // Without a gallery address it does not ask for updates.
  const clean = { ...withoutVsCode(process.env), EXTENSIONS_GALLERY: '{}', ...env };
  for (const file of packages) {
    await mustRun(node, [main, ...folders, '--install-extension', file], {
      env: clean,
      timeout: startTimeout,
    });
  }
  const child = spawn(
    node,
    [main, ...serverArguments(release.needsDriver && extensions?.length !== 0), ...folders],
    {
      // A new process group includes the extension hosts, so that one signal ends them all.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: clean,
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  child.on('error', (error) => (output += error.message));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));

  const forget = atExit(() => {
    signalGroup(child, 'SIGKILL');
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  });
  const stop = async (): Promise<void> => {
    await endGroup(child);
    forget();
    await rm(data, { recursive: true, force: true, maxRetries: 3 });
  };

  const port = await portLine(child, () => output);
  const { pid } = child;
  if (port === undefined || pid === undefined) {
    await stop();
    throw new Error(`The VS Code ${release.version} server did not start:\n${tail(output)}`);
  }
  return { port, pid, data, userSettings, output: () => output, ended, stop };
}

function dataFolders(data: string): readonly string[] {
  return ['--server-data-dir', path.join(data, 'data'), '--user-data-dir', path.join(data, 'user')];
}

function serverArguments(needsDriver: boolean): readonly string[] {
  return [
    ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token'],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ...(needsDriver ? ['--enable-smoke-test-driver'] : []),
  ];
}

/** A terminal inside VS Code sets variables that would connect the new server to the window of that terminal. */
function withoutVsCode(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name)));
}

async function portLine(child: ChildProcess, output: () => string): Promise<number | undefined> {
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline && isRunning(child)) {
    const port = /Extension host agent listening on (\d+)/.exec(output())?.[1];
    if (port !== undefined) return Number(port);
    await delay(50);
  }
  return undefined;
}

async function endGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const deadline = Date.now() + 3000;
  while (Date.now() < deadline && isRunning(child)) await delay(20);
  // Needed even if the server has ended: an extension host may outlive it.
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
