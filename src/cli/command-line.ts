import { createInterface } from 'node:readline';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Words that the command line cannot make sense of. Ends with exit code 2. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads options and positional words; an unknown option is a `UsageError`. */
export function readOptions<O extends Options>(
  args: string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** For a command that takes options alone. The hint says what to do with a word instead. */
export function rejectWords([word]: readonly string[], hint: string): void {
  if (word !== undefined) throw new UsageError(`"${word}" is not expected here. ${hint}`);
}

export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing.`);
  return value;
}

/** Everything on standard input, as text; what came until then when it is told to stop. */
export async function readAll(signal?: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  signal?.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  try {
    for await (const piece of process.stdin) pieces.push(Buffer.from(piece as Buffer));
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** What a line of JSON says; nothing where it is none. */
export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** By which the answer to a line that is no case can be told to it: its id if it has one, else `null`. */
export function answerId(given: unknown): unknown {
  return typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
}

/** Answers every line of standard input with one line, in order, until it is told to stop. Empty lines are skipped. */
export async function answerLines(answer: (line: string) => unknown, signal?: AbortSignal): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity, ...(signal && { signal }) });
  for await (const line of lines) {
    if (signal?.aborted) return;
    if (line.trim() !== '') process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
  }
}
