import { spawn } from 'node:child_process';

export interface ShellEnd {
  readonly code: number | null;
  /** Output of both streams. */
  readonly output: string;
}

export interface ShellOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the command, and everything it has started, as soon as its output matches. */
  readonly until?: RegExp;
}

/** Runs a line of bash to its end, without input. */
export function runInShell(line: string, { cwd, env = process.env, until }: ShellOptions): Promise<ShellEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', line], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let isEnding = false;
    const add = (text: string): void => {
      output += text;
      if (isEnding || !until?.test(output)) return;
      isEnding = true;
      // SAFETY: a process with output has been started.
      process.kill(-child.pid!, 'SIGTERM');
    };
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
