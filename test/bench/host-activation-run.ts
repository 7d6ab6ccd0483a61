import * as vscode from 'vscode';
import { markLines } from '../hosts/test-run';

/**
 * Called in the extension host: prints the milliseconds that loading and activating Parley takes there, by the clock and
 * of all processors. Module hooks run in a thread of their own, which only the second includes.
 */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension('parley.parley');
  if (!extension || extension.isActive) throw new Error('Parley is missing, or was activated before.');
  const start = performance.now();
  const before = process.cpuUsage();
  await extension.activate();
  const { user, system } = process.cpuUsage(before);
  console.log(markLines(`${performance.now() - start} ${(user + system) / 1_000}`));
}
