import { said } from './language';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What to type, and after it what happens. */
interface Line {
  readonly form: string;
  readonly what?: string;
}

/** Everything that the command line accepts, in the user's language. */
export function usage(): string {
  return USAGE.map(({ form, what }) => `${form}${what === undefined ? '' : said(what)}\n`).join('');
}

const USAGE: readonly Line[] = [
  { form: 'parley: ', what: 'the engine of Parley without an editor' },
  { form: '' },
  {
    form: '  parley parse --protocol ID|auto [--tools FILE] [--chunk N] [--recovery run]   ',
    what: '< reply',
  },
  {
    form: '  parley parse --jsonl [--chunk N] [--recovery run]            ',
    what: 'one case per input line, one answer per output line',
  },
  {
    form: '  parley prompt --protocol ID [--tools FILE] [--short]         ',
    what: 'what the model is told about tools',
  },
  {
    form: '  parley grammar --protocol ID [--tools FILE] [--schema] [--needed] [--thinking]   ',
    what: 'the grammar that a server can enforce, as GBNF',
  },
  { form: '  parley tools [--json]                                        ', what: 'the built-in tools' },
  {
    form: '  parley call TOOL --workspace DIR [--allow-edits] [--allow-moves] [--allow RULE]…   ',
    what: '< arguments as JSON',
  },
  { form: '  parley call --workspace DIR --jsonl [--allow-edits] [--allow-moves] [--allow RULE]…' },
  {
    form: '  parley check command [--allow RULE]… "COMMAND"               ',
    what: 'check whether it would run unasked; runs nothing',
  },
  {
    form: '  parley check command --jsonl [--allow RULE]…                 ',
    what: 'one case per input line, one answer per output line',
  },
  { form: '  parley check path --jsonl                                    ', what: 'the same for paths' },
  {
    form: '  parley check sandbox                                         ',
    what: 'test whether the sandbox for commands works here',
  },
  { form: '  parley run --workspace DIR [--model demo | --base-url URL --model-name NAME | --profile FILE]' },
  { form: '             [--api-key-env NAME] [--protocol ID] [--forced-form auto|on|off]' },
  { form: '             [--allow-edits] [--allow-moves] [--allow RULE]… [--json] "task"' },
  {
    form: '  parley run … --sandbox, parley call … --sandbox              ',
    what: 'run commands in the sandbox, unasked',
  },
  {
    form: '             [--sandbox-settings FILE]                         ',
    what: 'values of parley.sandbox.* as JSON',
  },
  {
    form: '  parley run … --setup LINE, parley call … --setup LINE         ',
    what: 'run this line before each command, such as ". ~/.nvm/nvm.sh"',
  },
  { form: '  parley serve [--model demo | --base-url URL --model-name NAME | --profile FILE]' },
  {
    form: '             [--protocol ID|auto] [--port N] [--token T] [--api-key-env NAME]     ',
    what: 'start a gateway for other clients on this machine',
  },
  {
    form: '  parley serve --help-client NAME [--port N] [--token T] [--model-name NAME]      ',
    what: "what to write into a client's configuration",
  },
  {
    form: '  parley doctor [--base-url URL --model-name NAME | --profile FILE] [--protocols ID,ID+forced,…] [--most-requests N]',
  },
  {
    form: '             [--quick] [--seed N] [--api-key-env NAME] [--json | --html FILE]',
    what: 'find out how the model works best: its protocol, and small jobs in folders of their own',
  },
  {
    form: '  parley doctor --compare REPORT.json… [--html FILE]           ',
    what: 'compare reports of several models',
  },
  { form: '  parley replay FILE                                           ', what: 'a session file as text' },
  { form: '  parley --version' },
  { form: '' },
  {
    form: '',
    what: 'Exit codes: 0, also when a call is malformed or refused; 1 failed; 2 usage; 3 a budget ended the run.',
  },
  { form: '', what: 'check sandbox: 0 it works; 1 it does not.' },
  { form: '', what: 'doctor: 0 a protocol is recommended; 1 none works; 3 a limit or Ctrl+C ended it.' },
];

/** The version of Parley. The bundle is in a folder of the package. */
export function version(): string {
  const file = path.join(__dirname, '../package.json');
  // SAFETY: it is our own package.json, which always has a version.
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
