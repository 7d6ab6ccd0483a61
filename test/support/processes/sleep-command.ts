import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** A command that takes a minute and is unique to this test run. */
export const sleepCommand = `sleep 61.${process.pid}`;

/** Far less than the command takes, and far more than ending it takes on a busy machine. */
const WELL_BEFORE_ITS_END_MS = 30_000;

/** Does the work, and fails if it took so long that the command may just have ended by itself. */
export async function wellBeforeItsEnd<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  const took = performance.now() - begun;
  assert.ok(took < WELL_BEFORE_ITS_END_MS, `${took} ms`);
  return result;
}

/** Returns running command lines that contain it. Zombies are not included. */
export function runningCommandLines(command = sleepCommand): string[] {
  const listed = execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(command) && !line.startsWith('Z'));
}
