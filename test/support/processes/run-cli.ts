import { spawn } from 'node:child_process';
import { distFile } from '../dist';

/** The result of a command. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the command line to its end. */
export function runCli(
  args: readonly string[],
  input = '',
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [distFile('cli.js'), ...args], { env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += String(text)));
    child.stderr.on('data', (text) => (stderr += String(text)));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}
