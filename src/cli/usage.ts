import { said } from './language';

/** What is typed, and behind it what comes of that. */
interface Line {
  readonly form: string;
  readonly what?: string;
}

/** All that the command line takes, in the user's language. */
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
    what: 'one case a line in, one answer a line out',
  },
  { form: '  parley prompt --protocol ID [--tools FILE] [--short]         ', what: 'what the model is told' },
  {
    form: '  parley grammar --protocol ID [--tools FILE] [--schema] [--needed] [--thinking]   ',
    what: 'what a server can hold a reply to, as GBNF',
  },
  { form: '  parley tools [--json]                                        ', what: 'the built-in tools' },
  {
    form: '  parley call TOOL --workspace DIR [--allow-edits] [--allow-moves] [--allow RULE]…   ',
    what: '< arguments as JSON',
  },
  { form: '  parley call --workspace DIR --jsonl [--allow-edits] [--allow-moves] [--allow RULE]…' },
  {
    form: '  parley check command [--allow RULE]… "COMMAND"               ',
    what: 'would it run unasked? Nothing is run',
  },
  {
    form: '  parley check command --jsonl [--allow RULE]…                 ',
    what: 'one case a line in, one answer a line out',
  },
  { form: '  parley check path --jsonl                                    ', what: 'the same for places' },
  {
    form: '  parley check sandbox                                         ',
    what: 'does the sandbox for commands work here? One real try',
  },
  { form: '  parley run --workspace DIR [--model demo | --base-url URL --model-name NAME | --profile FILE]' },
  { form: '             [--api-key-env NAME] [--protocol ID] [--forced-form auto|on|off]' },
  { form: '             [--allow-edits] [--allow-moves] [--allow RULE]… [--json] "task"' },
  {
    form: '  parley run … --sandbox, parley call … --sandbox              ',
    what: 'commands run in the sandbox, unasked',
  },
  {
    form: '             [--sandbox-settings FILE]                         ',
    what: 'values of parley.sandbox.*, as JSON',
  },
  { form: '  parley serve [--model demo | --base-url URL --model-name NAME | --profile FILE]' },
  {
    form: '             [--protocol ID|auto] [--port N] [--token T] [--api-key-env NAME]     ',
    what: 'a gateway for other clients, on this machine',
  },
  {
    form: '  parley serve --help-client NAME [--port N] [--token T] [--model-name NAME]      ',
    what: "what to write into a client's configuration",
  },
  {
    form: '  parley doctor [--base-url URL --model-name NAME | --profile FILE] [--protocols ID,ID+forced,…] [--most-requests N]',
  },
  {
    form: '             [--seed N] [--api-key-env NAME] [--json | --html FILE]     ',
    what: 'which protocol the model speaks best; no tool runs',
  },
  {
    form: '  parley doctor --compare REPORT.json… [--html FILE]           ',
    what: 'reports of several models side by side',
  },
  { form: '  parley replay FILE                                           ', what: 'a session file as text' },
  { form: '  parley --version' },
  { form: '' },
  {
    form: '',
    what: 'Exit codes: 0, also when a call is malformed or refused; 1 failed; 2 usage; 3 a budget ended the run.',
  },
  { form: '', what: 'Of check sandbox: 0 it works; 1 it does not.' },
  { form: '', what: 'Of doctor: 0 a protocol is recommended; 1 none works; 3 a limit or Ctrl+C ended it.' },
];
