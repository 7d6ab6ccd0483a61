import { spawn } from 'node:child_process';
import { chooseHost, lookAround } from './choose-host';
import { openDesktop } from './desktop';
import { repository } from './repository';
import { tail } from './run-program';
import { copySampleWorkspace } from './sample-workspace';
import { startServer } from './vscode-server';
import { newest } from './vscode-versions';
import { workbenchUrl } from './workbench-url';

/** `npm start`: opens Parley in a separate VS Code, on a copy of the sample project. */
async function start(): Promise<void> {
  const host = chooseHost('start', lookAround());
  if (host.type === 'none') throw new Error(host.message);
  const folder = await copySampleWorkspace();
  console.log(`The sample project is in ${folder}`);
  if (host.type === 'server') return startInBrowser(folder);
  await openDesktop(folder, host.executable);
  console.log('Parley opens in VS Code.');
}

async function startInBrowser(folder: string): Promise<void> {
  const server = await startServer({ release: newest });
  const address = workbenchUrl({ port: server.port, folder, extension: repository });
  console.log(`Parley runs at ${address}\nCtrl+C stops it.`);
  openBrowser(address);
  await server.ended;
  throw new Error(`The VS Code server has ended:\n${tail(server.output())}`);
}

function openBrowser(address: string): void {
  const command = browserCommand();
  if (command === undefined) return;
  const child = spawn(command, [address], { detached: true, stdio: 'ignore' });
  child.on('error', () => console.log('No browser could be opened here: open the address yourself.'));
  child.unref();
}

function browserCommand(): string | undefined {
  if (process.platform === 'darwin') return 'open';
  return lookAround().hasDisplay ? 'xdg-open' : undefined;
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
