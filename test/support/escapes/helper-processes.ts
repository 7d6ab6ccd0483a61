import { spawn, type ChildProcess } from 'node:child_process';
import type { World } from './world';

/** A process of the test that holds the secret in its environment and memory. */
export async function startSleeper(world: World): Promise<void> {
  const script = 'import os, sys, time; print("up", flush=True); time.sleep(30)';
  const child = await startHelper(world, ['python3', '-c', script, world.secret], { HELD: world.secret });
  world.sleeper = child.pid ?? 0;
}

/**
 * Starts a program for the duration of a row; resolves with its first output. `asked`: it ends by itself when its
 * input ends.
 */
export async function startHelper(
  world: World,
  [program = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  ends: 'killed' | 'asked' = 'killed',
): Promise<ChildProcess & { readonly said: string }> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { cwd: world.workspace, env, stdio: ['pipe', 'pipe', 'inherit'] });
  world.after(() => end(child, ends));
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} has ended.`)));
  });
  return Object.assign(child, { said });
}

function end(child: ChildProcess, ends: 'killed' | 'asked'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    if (ends === 'asked') child.stdin?.end();
    else child.kill('SIGKILL');
  });
}
