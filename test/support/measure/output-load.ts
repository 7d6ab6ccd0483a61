import type { CommandEnd, CommandOutput } from '../../../src/tools/ports/processes';
import type { ScratchWorkspace } from '../workspace/scratch-workspace';
import { BlockMeter } from './event-loop-delay';

export interface OutputLoad {
  readonly end: CommandEnd;
  readonly output: CommandOutput;
  readonly milliseconds: number;
  /** The longest time in which nothing else could run. */
  readonly longestStretch: number;
  /** The output that the chat received. */
  readonly updates: number;
  readonly largestUpdate: number;
  /** Growth of buffer memory, after garbage collection if available. */
  readonly keptBytes: number;
}

/** Runs a command with much output and measures its effect on the process. */
export async function measureOutputLoad(
  scratch: ScratchWorkspace,
  command: string,
  { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
): Promise<OutputLoad> {
  const cwd = await scratch.files.resolve('.', 'list');
  const sizes: number[] = [];
  const onOutput = (text: string): void => void sizes.push(text.length);
  const before = memory();
  const meter = new BlockMeter();
  const start = performance.now();
  const { signal } = new AbortController();
  const started = await scratch.processes.start({ command, cwd, keepLog: true, timeoutMs, onOutput }, signal);
  const end = await started.ended;
  const milliseconds = performance.now() - start;
  const longestStretch = meter.end();
  return {
    end,
    output: started.log.excerpt(),
    milliseconds,
    longestStretch,
    updates: sizes.length,
    largestUpdate: Math.max(0, ...sizes),
    keptBytes: memory() - before,
  };
}

function memory(): number {
  // Present with --expose-gc; without it the number is an upper bound.
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().arrayBuffers;
}

export function outputLoadLine(name: string, measured: OutputLoad): string {
  const { milliseconds, longestStretch, updates, largestUpdate, keptBytes } = measured;
  return [
    name.padEnd(32),
    `${(milliseconds / 1000).toFixed(1)} s`,
    `longest stretch ${longestStretch.toFixed(0)} ms`,
    `${updates} updates of at most ${(largestUpdate / 1024).toFixed(0)} KiB`,
    `${(keptBytes / 1024).toFixed(0)} KiB more in use`,
  ].join(', ');
}
