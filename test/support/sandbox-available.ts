import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Sandbox } from '../../src/node/sandbox/sandbox';
import type { SandboxStatus } from '../../src/node/sandbox/probe';
import { noSandbox } from '../../src/node/sandbox/settings';

let known: Promise<SandboxStatus> | undefined;

/** Whether the sandbox works on this machine. Prints once why not. */
export async function isSandboxAvailable({ test }: Mocha.Context): Promise<boolean> {
  known ??= probeHere();
  const status = await known;
  if (!status.works) console.log(skippedLine(test?.parent?.fullTitle() ?? '', status.reason));
  return status.works;
}

/** The line printed for a skipped suite. */
export function skippedLine(suite: string, reason: string): string {
  return `Not tested: ${suite}. The sandbox does not work here. ${reason}`;
}

async function probeHere(): Promise<SandboxStatus> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-state-'));
  const sandbox = new Sandbox({ roots: [], settings: () => noSandbox, stateFolder: folder });
  const status = await sandbox.status();
  await sandbox.close();
  rmSync(folder, { recursive: true });
  return status;
}
