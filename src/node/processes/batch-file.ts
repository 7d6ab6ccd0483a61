import { windowsProgram } from './child-process';

/** A program with its arguments as they stand on the command line. */
export interface VerbatimCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Whether a file is a script of the Windows shell, which would parse the arguments again in its own way. */
export function isBatchFile(executable: string): boolean {
  return /\.(?:cmd|bat)[ .]*$/i.test(executable);
}

/** The first word that cannot reach a batch file: cmd ends at a line break and replaces `%NAME%`. */
export function notForBatchFiles(words: readonly string[]): string | undefined {
  return words.find((word) => /[\0\r\n]|%[^\s%"][^%"]*%/u.test(word));
}

/**
 * Starts a batch file so that it and the programs it passes its arguments to receive them as they are written. Throws if
 * one of them cannot be passed.
 */
export function batchCommand(
  file: string,
  args: readonly string[],
  systemRoot = process.env['SystemRoot'],
): VerbatimCommand {
  const word = notForBatchFiles([file, ...args]);
  if (word !== undefined) throw new Error(`cmd cannot pass ${JSON.stringify(word)} to a batch file`);
  const line = [`"${file}"`, ...args.map(quoted)].join(' ');
  // `/v:off`: otherwise the registry could make `!NAME!` a variable too.
  return { program: windowsProgram('cmd.exe', systemRoot), args: ['/d', '/v:off', '/s', '/c', `"${line}"`] };
}

/** Characters that neither cmd nor batch files interpret. */
const PLAIN = /^[A-Za-z0-9#$*+\-./:?@\\_]+$/u;

/**
 * Within quotes cmd interprets nothing, however often it reads the text. So a quote inside is doubled, after which cmd
 * is within quotes again; C programs read it as one. Backslashes before a quote are doubled for them.
 */
function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  return `"${word.replace(/(\\*)"/gu, '$1$1""').replace(/(\\+)$/u, '$1$1')}"`;
}
