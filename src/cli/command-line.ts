import { createInterface } from 'node:readline';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { protocolNames } from '../protocols/names';

/** An invalid command line. Ends with exit code 2. */
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
    if (error instanceof TypeError) throw new UsageError(problemOf(error), { cause: error });
    throw error;
  }
}

/** In words of our own, because Node's differ from version to version. */
function problemOf({ message, code }: TypeError & { readonly code?: string }): string {
  const [, option = ''] = /'(-[^' ]*)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `unknown option ${option}. See "parley --help". Put text that begins with "-" after "--".`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  return message.includes('does not take an argument')
    ? `${option} takes no value. Leave the value out.`
    : `${option} needs a value. Write one that begins with "-" as ${option}=VALUE.`;
}

/** For a command that takes only options. The hint says what to use instead of a word. */
export function rejectWords([word]: readonly string[], hint: string): void {
  if (word !== undefined) throw new UsageError(`"${word}" is not expected here. ${hint}`);
}

export function required(value: string | undefined, option: string): string {
  if (value === undefined || value === '')
    throw new UsageError(`${option} is missing. "parley --help" shows what this command takes.`);
  return value;
}

/** The protocol ids that can be named. */
export function knownProtocols(): string {
  return protocolNames.map(({ id }) => id).join(', ');
}

/** All of standard input as text; on stop, what has arrived so far. */
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

/** The value of a line of JSON; nothing if it is not JSON. */
export function parseJsonLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The id for the answer to an invalid line: its id if it has one, else `null`. */
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
