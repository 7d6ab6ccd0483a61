import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Receives the output as it comes. */
  readonly print?: (text: string) => void;
  /** Milliseconds after which the program is stopped. */
  readonly timeout?: number;
}

export interface ProgramEnd {
  /** 0 means success; 1 if the program did not start or was stopped. */
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end, without input. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramEnd> {
  const { cwd, env = process.env, print, timeout } = options;
  return new Promise((resolve) => {
    const shell = isScript(command);
    const quote = (text: string): string => (shell ? `"${text}"` : text);
    const child = spawn(quote(command), args.map(quote), {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    let output = '';
    const add = (text: string): void => {
      output += text;
      print?.(text);
    };
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    const end = (): void => {
      add(`\n${command} took too long and was stopped.\n`);
      child.kill();
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    };
    const timer = timeout === undefined ? undefined : setTimeout(end, timeout);
    child.on('error', (error) => add(`${error.message}\n`));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** On Windows npm and the `code` command are scripts, which only a shell can run. Each argument is quoted for it. */
function isScript(command: string): boolean {
  return process.platform === 'win32' && (command === 'npm' || command.endsWith('.cmd'));
}

/** Like runProgram, for a program that must succeed. The error holds the end of its output. */
export async function mustRun(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<void> {
  const { code, output } = await runProgram(command, args, options);
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${tail(output)}`);
}

/** The last lines of a program's output, enough to see why it failed. */
export function tail(output: string): string {
  return output.trimEnd().split('\n').slice(-25).join('\n');
}
