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
    // Late, because most keys come from no command.
    const { outputOf } = await import('./key-output');
    const ended = await outputOf(this.options.command, withheld, limit);
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
