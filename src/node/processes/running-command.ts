import { constants } from 'node:os';
import { limits } from '../../base/limits';
import type {
  CommandEnd,
  CommandFate,
  CommandToRun,
  KillReason,
  SandboxReport,
  StartedCommand,
} from '../../tools/ports/processes';
import type { PrintingProcess } from './child-process';
import type { SpooledLog } from './command-log';
import { completeUtf8 } from './output-ring';
import type { ProcessTree } from './process-tree';

export interface RunningParts {
  readonly logId: string;
  readonly child: PrintingProcess;
  readonly tree: ProcessTree;
  readonly log: SpooledLog;
  /** For a command in the sandbox: resolves when something appears that it may not create. */
  readonly forbidden?: Promise<void>;
  /** For a command in the sandbox: cleans up when none of its processes runs any more. Never rejects. */
  readonly left?: () => Promise<SandboxReport>;
}

/** A command, from its start until all of its processes have ended. */
export class RunningCommand implements StartedCommand {
  readonly logId: string;
  readonly command: string;
  readonly owner: object | undefined;
  readonly log: SpooledLog;
  readonly isBackground: boolean;
  readonly ended: Promise<CommandEnd>;
  private readonly startedAt = performance.now();
  /** Whether no process has an output of the command any more. */
  private isOutputClosed = false;
  private settle: (fate: CommandFate) => void = () => undefined;
  private result: { readonly end: CommandEnd; readonly durationMs: number } | undefined;

  constructor(
    private readonly parts: RunningParts,
    options: CommandToRun,
    signal: AbortSignal,
  ) {
    this.logId = parts.logId;
    this.log = parts.log;
    this.command = options.command;
    this.owner = options.owner;
    this.isBackground = options.keepLog;
    const fate = new Promise<CommandFate>((resolve) => (this.settle = resolve));
    this.ended = this.follow(fate, options, signal);
  }

  get end(): CommandEnd | undefined {
    return this.result?.end;
  }

  get durationMs(): number {
    return this.result?.durationMs ?? performance.now() - this.startedAt;
  }

  stop(why: KillReason = 'stopped'): Promise<CommandEnd> {
    // Has no effect if the shell has already ended.
    this.settle({ type: 'killed', why });
    return this.ended;
  }

  /** For a process that is about to end. */
  killNow(): void {
    this.parts.tree.killNow();
  }

  private async follow(
    settled: Promise<CommandFate>,
    { timeoutMs, onOutput }: CommandToRun,
    signal: AbortSignal,
  ): Promise<CommandEnd> {
    const { child, log, forbidden } = this.parts;
    void forbidden?.then(() => this.stop('forbidden'));
    const abort = (): void => void this.stop('aborted');
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => void this.stop('timeout'), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    const shown =
      onOutput &&
      new OutputStream({ perSecond: limits.updatesPerSecond, most: limits.updateBytes, show: onOutput });
    this.collect(shown);
    child.once('exit', (code, signalName) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      void this.exited(exitCode(code, signalName));
    });
    const fate = await settled;
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    // Stop reading from a command that prints endlessly.
    if (fate.type === 'killed' && fate.why === 'flood') this.close();
    const wound = await this.windUp(fate);
    const sandbox = await this.parts.left?.();
    const end = sandbox ? { ...wound, sandbox } : wound;
    this.close();
    // What could not be ended must not keep this process running.
    if (end.survivors.length > 0) child.unref();
    shown?.end();
    await log.close();
    this.result = { end, durationMs: this.durationMs };
    return end;
  }

  /** Reads both outputs, not faster than the log can take them. */
  private collect(shown: OutputStream | undefined): void {
    const { child, log } = this.parts;
    const streams = [child.stdout, child.stderr];
    const take = (bytes: Buffer): void => {
      log.add(bytes);
      shown?.add(bytes);
      if (log.size > limits.commandKillBytes) void this.stop('flood');
      if (log.isReady) return;
      for (const stream of streams) stream.pause();
      void log.drained().then(() => streams.forEach((stream) => stream.resume()));
    };
    for (const stream of streams) {
      const whole = new WholeCharacters();
      stream.on('data', (chunk: Buffer) => take(whole.push(chunk)));
      stream.on('end', () => take(whole.end()));
    }
  }

  private async exited(code: number): Promise<void> {
    const end = (): void => this.settle({ type: 'exited', code, leftRunning: false });
    this.parts.child.once('close', () => {
      this.isOutputClosed = true;
      end();
    });
    await this.log.drained();
    // Output may still arrive, and a background process may keep the pipe open forever.
    setTimeout(end, limits.commandDrainMs);
  }

  private close(): void {
    this.parts.child.stdout.destroy();
    this.parts.child.stderr.destroy();
  }

  private async windUp(fate: CommandFate): Promise<CommandEnd> {
    const { tree } = this.parts;
    if (fate.type === 'killed') return { how: fate, survivors: await tree.end('all') };
    const isLeft = await tree.hasGroupMembers(!this.isOutputClosed);
    const survivors = isLeft ? await tree.end('group') : [];
    // A daemon that left the group on purpose may outlive a command that ended by itself.
    const outlivers = (await tree.outlivers()).filter(({ pid }) => !survivors.includes(pid));
    const how = isLeft ? { ...fate, leftRunning: true } : fate;
    return { how, survivors, ...(outlivers.length > 0 && { outlivers }) };
  }
}

/** The exit code; a signal is encoded as shells do it. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

interface OutputStreamOptions {
  readonly perSecond: number;
  /** The most bytes in one piece; of more output, only the newest part is shown. */
  readonly most: number;
  readonly show: (text: string) => void;
}

/** Shows output as it arrives, a few times a second. */
class OutputStream {
  private pending: Buffer[] = [];
  private size = 0;
  private skipped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: OutputStreamOptions) {}

  add(chunk: Buffer): void {
    this.pending.push(chunk);
    this.size += chunk.length;
    while (this.pending.length > 1 && this.size > this.options.most) {
      this.size -= this.pending.shift()?.length ?? 0;
      this.skipped = true;
    }
    this.timer ??= setTimeout(() => this.flush(), 1000 / this.options.perSecond);
  }

  /** Shows the rest. Call it after the last output. */
  end(): void {
    if (this.size > 0) this.flush();
    clearTimeout(this.timer);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = Buffer.concat(this.pending).subarray(-this.options.most).toString();
    const mark = this.skipped ? '[…]\n' : '';
    this.pending = [];
    this.size = 0;
    this.skipped = false;
    this.options.show(mark + text);
  }
}

/** Splits the chunks of a stream at character boundaries, so that two streams can be interleaved. */
export class WholeCharacters {
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const whole = completeUtf8(bytes);
    this.rest = bytes.subarray(whole);
    return bytes.subarray(0, whole);
  }

  end(): Buffer {
    return this.rest;
  }
}
