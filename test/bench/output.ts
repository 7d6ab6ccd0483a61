// What the output of commands costs: the time for 10 MB against only joining buffers, and the memory that is kept.
// The bar: 1.15 times, 256 KiB. Started with --expose-gc.
import { execFileSync, spawn } from 'node:child_process';
import { flood, floodLine } from '../support/flood';
import { Scratch } from '../support/scratch';

const RUNS = 15;

const COMMANDS: Readonly<Record<string, string>> = {
  'short lines': 'yes "a line of output" | head -c 10000000',
  'one line': 'head -c 10000000 /dev/zero',
  'binary noise': 'head -c 10000000 NOISE',
};

async function main(): Promise<void> {
  const scratch = await Scratch.create();
  execFileSync('bash', ['-c', `head -c 10000000 /dev/urandom > ${scratch.path('noise')}`]);
  for (const [name, pattern] of Object.entries(COMMANDS)) {
    const command = pattern.replace('NOISE', scratch.path('noise'));
    const ours: number[] = [];
    const bare: number[] = [];
    let kept = 0;
    for (let run = 0; run < RUNS; run++) {
      // In turns, so that a busy machine slows both.
      bare.push(await joined(command, scratch.root));
      const measured = await flood(scratch, command);
      ours.push(measured.milliseconds);
      if (run === RUNS - 1) kept = measured.keptBytes;
    }
    const [least, bareLeast] = [Math.min(...ours), Math.min(...bare)];
    console.log(
      `${name.padEnd(14)} ${(least / bareLeast).toFixed(2)} (${least.toFixed(1)} ms against ${bareLeast.toFixed(1)} ms of joined buffers), ${(kept / 1024).toFixed(0)} KiB kept`,
    );
  }
  console.log(floodLine('300 MB', await flood(scratch, 'head -c 300000000 /dev/zero')));
  await scratch.dispose();
}

/** The same command without anything of ours but the wait for its end. */
function joined(command: string, cwd: string): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', command], { cwd, detached: true });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('close', () => {
      Buffer.concat(pieces);
      resolve(performance.now() - start);
    });
  });
}

void main();
