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
