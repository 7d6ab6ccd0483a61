// What the output of commands costs: the time for 10 MB compared with only joining buffers, and the memory that is
// kept. The bar: 1.15 times, 256 KiB. Started with --expose-gc.
import { execFileSync, spawn } from 'node:child_process';
import { measureOutputLoad, outputLoadLine } from '../support/measure/output-load';
import { ScratchWorkspace } from '../support/workspace/scratch-workspace';
import { compare } from './measure';

const RUNS = 31;

const COMMANDS: Readonly<Record<string, string>> = {
  'short lines': 'yes "a line of output" | head -c 10000000',
  'one line': 'head -c 10000000 /dev/zero',
  'binary noise': 'head -c 10000000 NOISE',
};

async function main(): Promise<void> {
  const scratch = await ScratchWorkspace.create();
  execFileSync('bash', ['-c', `head -c 10000000 /dev/urandom > ${scratch.path('noise')}`]);
  for (const [name, pattern] of Object.entries(COMMANDS)) {
    const command = pattern.replace('NOISE', scratch.path('noise'));
    const { ratio, own, bare } = await compare(RUNS, {
      own: async () => (await measureOutputLoad(scratch, command)).milliseconds,
      bare: () => joined(command, scratch.root),
    });
    console.log(
      `${name.padEnd(14)} ${ratio.toFixed(2)} (${own.toFixed(1)} ms against ${bare.toFixed(1)} ms for joining buffers)`,
    );
  }
  // Once more without the other side, whose buffers would be counted as ours.
  const { keptBytes } = await measureOutputLoad(scratch, 'head -c 10000000 /dev/zero');
  console.log(`kept           ${(keptBytes / 1024).toFixed(0)} KiB`);
  console.log(outputLoadLine('300 MB', await measureOutputLoad(scratch, 'head -c 300000000 /dev/zero')));
  await scratch.dispose();
}

/** The same command, only waiting for its end. */
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
