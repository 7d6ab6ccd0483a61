import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { unlessAborted } from '../../base/async';
import { limits } from '../../base/limits';

/** A profile's command whose output is a key. */
export interface KeyCommandOptions {
  /** A command line for the shell of the system. */
  readonly command: string;
  /** Seconds to keep a key; if not given, it is kept until it is refused. */
  readonly expiresIn?: number | undefined;
}

interface KeySurroundings {
  /** Environment variables that the command does not get. */
  readonly withheld?: readonly string[];
  /** Receives every key, so that none is written to a file or log. */
  readonly learn?: (key: string) => void;
  /** Returns milliseconds since some fixed moment. */
  readonly now?: () => number;
  /** How many milliseconds the command may take. */
  readonly limit?: number;
}

/** Gets a key from a command and keeps it until it is refused or too old. The output of the command is never shown. */
export class KeyCommand {
  private kept: { readonly key: string; readonly until: number } | undefined;
  private running: Promise<string | { readonly problem: string }> | undefined;

  constructor(
    private readonly options: KeyCommandOptions,
    private readonly surroundings: KeySurroundings = {},
  ) {}

  /** Returns the key, or why there is no key. Rejects with the signal's reason. Concurrent calls get the same key. */
  async key(signal: AbortSignal): Promise<string | { readonly problem: string } | undefined> {
    const { now = () => performance.now() } = this.surroundings;
    if (this.kept && now() < this.kept.until) return this.kept.key;
    this.running ??= this.run(now).finally(() => (this.running = undefined));
    return unlessAborted(this.running, signal);
  }

  /** Discards the kept key after it was refused. */
  forget(): void {
    this.kept = undefined;
  }

  private async run(now: () => number): Promise<string | { readonly problem: string }> {
    const { withheld = [], learn, limit = limits.keyCommandMs } = this.surroundings;
    const ended = await output(this.options.command, withheld, limit);
    if (ended.type === 'failed') return { problem: ended.problem };
    const key = ended.text.trim();
    if (key !== '') learn?.(key);
    if (key === '' || !/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(key)) {
      const reason =
        'The command of "apiKeyCommand" printed no key: one line without unusual characters is expected. Run it in a terminal to see what it prints.';
      return { problem: reason };
    }
    const { expiresIn } = this.options;
    this.kept = { key, until: expiresIn === undefined ? Infinity : now() + expiresIn * 1000 };
    return key;
  }
}

type Ended =
  { readonly type: 'printed'; readonly text: string } | { readonly type: 'failed'; readonly problem: string };

function output(command: string, withheld: readonly string[], limit: number): Promise<Ended> {
  return new Promise((resolve) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(command, {
      shell: true,
      // A workspace must not decide what runs.
      cwd: homedir(),
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !withheld.includes(name))),
      stdio: ['ignore', 'pipe', 'ignore'],
      // In a new process group, which can be ended as a whole.
      detached: !isWindows,
      windowsHide: true,
    });
    let text = '';
    const end = (ended: Ended): void => {
      clearTimeout(timer);
      resolve(ended);
    };
    const fail = (problem: string): void => end({ type: 'failed', problem });
    const kill = (): void => {
      try {
        if (isWindows || child.pid === undefined) child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    };
    const timer = setTimeout(() => {
      kill();
      const reason = `The command of "apiKeyCommand" did not end in ${limit / 1000} s. Run it in a terminal to see what it waits for.`;
      fail(reason);
    }, limit);
    child.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.length <= limits.keyCommandBytes) return;
      kill();
      const reason =
        'The command of "apiKeyCommand" printed much more than a key. Run it in a terminal to see what.';
      fail(reason);
    });
    child.once('error', () => {
      const reason = 'The command of "apiKeyCommand" could not be started. Run it in a terminal to see why.';
      fail(reason);
    });
    child.once('close', (code) => {
      const reason = `The command of "apiKeyCommand" failed (${code ?? 'ended by a signal'}). Run it in a terminal to see why.`;
      if (code === 0) end({ type: 'printed', text });
      else fail(reason);
    });
  });
}
