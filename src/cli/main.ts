#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { call } from './call';
import { check } from './check';
import { doctor } from './doctor';
import { grammar } from './grammar';
import { parse } from './parse';
import { prompt } from './prompt';
import { replay } from './replay';
import { run } from './run';
import { serve } from './serve';
import { tools } from './tools';
import { version } from './version';
import { rejectWords, UsageError } from './command-line';

const USAGE = `parley: the engine of Parley without an editor

  parley parse --protocol ID|auto [--tools FILE] [--chunk N] [--recovery run]   < reply
  parley parse --jsonl [--chunk N] [--recovery run]            one case a line in, one answer a line out
  parley prompt --protocol ID [--tools FILE] [--short]         what the model is told
  parley grammar --protocol ID [--tools FILE] [--schema] [--needed] [--thinking]   what a server can hold a reply to, as GBNF
  parley tools [--json]                                        the built-in tools
  parley call TOOL --workspace DIR [--allow-edits] [--allow-moves] [--allow RULE]…   < arguments as JSON
  parley call --workspace DIR --jsonl [--allow-edits] [--allow-moves] [--allow RULE]…
  parley check command [--allow RULE]… "COMMAND"               would it run unasked? Nothing is run
  parley check command --jsonl [--allow RULE]…                 one case a line in, one answer a line out
  parley check path --jsonl                                    the same for places
  parley check sandbox                                         does the sandbox for commands work here? One real try
  parley run --workspace DIR [--model demo | --base-url URL --model-name NAME | --profile FILE]
             [--api-key-env NAME] [--protocol ID] [--forced-form auto|on|off]
             [--allow-edits] [--allow-moves] [--allow RULE]… [--json] "task"
  parley run … --sandbox, parley call … --sandbox              commands run in the sandbox, unasked
             [--sandbox-settings FILE]                         values of parley.sandbox.*, as JSON
  parley serve [--model demo | --base-url URL --model-name NAME | --profile FILE]
             [--protocol ID|auto] [--port N] [--token T] [--api-key-env NAME]     a gateway for other clients, on this machine
  parley serve --help-client NAME [--port N] [--token T] [--model-name NAME]      what to write into a client's configuration
  parley doctor [--base-url URL --model-name NAME | --profile FILE] [--protocols ID,ID+forced,…] [--most-requests N]
             [--seed N] [--api-key-env NAME] [--json | --html FILE]     which protocol the model speaks best; no tool runs
  parley doctor --compare REPORT.json… [--html FILE]           reports of several models side by side
  parley replay FILE                                           a session file as text
  parley --version

Exit codes: 0, also when a call is malformed or refused; 1 failed; 2 usage; 3 a budget ended the run.
Of check sandbox: 0 it works; 1 it does not.
Of doctor: 0 a protocol is recommended; 1 none works; 3 a limit or Ctrl+C ended it.
`;

// V8 takes over a second to optimise the grammar of the shell, longer than most commands run, and no process ends before.
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
    process.stdout.write(USAGE);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(name === '' ? USAGE : `parley: there is no command "${name}".\n\n${USAGE}`);
    return 2;
  }
  try {
    return await command(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`parley ${name}: ${error.message}\n`);
    return 2;
  }
}

/** No command has such an option, and what stands behind `--` is no option. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

async function printVersion(args: string[]): Promise<number> {
  rejectWords(args, 'Run "parley --version" alone.');
  process.stdout.write(`${version()}\n`);
  return 0;
}

// Whoever reads us may have seen enough, `| head` for one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`parley: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
