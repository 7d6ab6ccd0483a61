import * as vscode from 'vscode';
import { markLines } from '../hosts/test-run';

/** Called in the extension host: prints the milliseconds that loading and activating Parley takes there. */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension('parley.parley');
  if (!extension || extension.isActive) throw new Error('Parley is missing, or was activated before.');
  const start = performance.now();
  await extension.activate();
  console.log(markLines(String(performance.now() - start)));
}
