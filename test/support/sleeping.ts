import { execFileSync } from 'node:child_process';

/** A command that takes a minute and that no other test run on this machine has. */
export const SLEEP = `sleep 61.${process.pid}`;

/** Command lines with it, whatever is left of them. Those that only wait to be reaped are gone. */
export function sleeping(command = SLEEP): string[] {
  const listed = execFileSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(command) && !line.startsWith('Z'));
}
