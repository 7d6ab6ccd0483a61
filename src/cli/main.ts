#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { call } from './call';
import { check } from './check';
import { doctor } from './doctor';
import { grammar, prompt, tools } from './describe-tools';
import { parse } from './parse';
import { replay } from './replay';
import { run } from './run';
import { serve } from './serve';
import { usage, version } from './usage';
import { rejectWords, UsageError } from './command-line';
import { said } from './language';

// V8 takes over a second to optimise the shell grammar, longer than most commands run, and the process waits for it.
setFlagsFromString('--liftoff-only');

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  '--version': printVersion,
  parse,
  prompt,
  grammar,
  tools,
  call,
  check,
  run,
  serve,
  doctor,
  replay,
};

async function main(argv: readonly string[]): Promise<number> {
  const [name = '', ...args] = argv;
  if (name === 'help' || asksForHelp(argv)) {
    process.stdout.write(usage());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const problem = name === '' ? '' : `parley: ${said(`unknown command "${name}".`)}\n\n`;
    process.stderr.write(problem + usage());
    return 2;
  }
  try {
    return await command(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`parley ${name}: ${said(error.message)}\n`);
    return 2;
  }
}

/** No command has such an option, and words after `--` are not options. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

async function printVersion(args: string[]): Promise<number> {
  rejectWords(args, 'Run "parley --version" alone.');
  process.stdout.write(`${version()}\n`);
  return 0;
}

// The reader may stop early: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`parley: ${said(error instanceof Error ? error.message : String(error))}\n`);
    process.exitCode = 1;
  },
);
