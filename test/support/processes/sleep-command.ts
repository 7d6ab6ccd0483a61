import { execFileSync } from 'node:child_process';

/** A command that takes a minute and is unique to this test run. */
export const sleepCommand = `sleep 61.${process.pid}`;

/** Returns running command lines that contain it. Zombies are not included. */
export function runningCommandLines(command = sleepCommand): string[] {
  const listed = execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(command) && !line.startsWith('Z'));
}
