import { execFileSync } from 'node:child_process';

/** A command that takes a minute and is unique to this test run. */
export const SLEEP = `sleep 61.${process.pid}`;

/** Far less than the command takes, and far more than ending it takes on a busy machine. */
export const WELL_BEFORE_ITS_END_MS = 30_000;

/** Returns running command lines that contain it. Zombies are not included. */
export function sleeping(command = SLEEP): string[] {
  const listed = execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(command) && !line.startsWith('Z'));
}
