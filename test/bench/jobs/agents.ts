import { mkdir, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import type { AgentEvent } from '../../../src/core/words/events';
import { CLIENTS, install } from '../../real/client-programs';
import { distFile } from '../../support/dist';
import type { FailedRun } from './failures';
import type { Job } from './job';
import type { TapReply } from './tap';

/** Where and with what an agent does a job. */
export interface Place {
  readonly job: Job;
  /** The folder of the job. */
  readonly work: string;
  /** A new home folder. */
  readonly home: string;
  /** The address of the tap. */
  readonly baseUrl: string;
  readonly model: string;
  readonly seed: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What is read from the output and the replies of an agent. */
export type Account = Pick<FailedRun, 'answer' | 'calls' | 'malformed' | 'outcome'>;

/** An agent with settings. */
export interface Agent {
  readonly name: string;
  readonly settings: string;
  /** Fields of every request that the agent cannot be told. */
  readonly fields: (place: Pick<Place, 'model' | 'seed'>) => JsonObject;
  /** Prepares the home folder. */
  readonly command: (place: Place) => Promise<Command>;
  readonly account: (stdout: string, replies: readonly TapReply[], code: number | null) => Account;
}

/** A way to run Parley, as one text: a protocol, fields of the profile, files with such fields, then options of `run`. */
interface Settings {
  readonly protocol: string;
  readonly fields: JsonObject;
  readonly options: readonly string[];
}

/** `auto steps=one temperature=0.2 extra.json --forced-form off` */
export function readSettings(text: string): Settings {
  const words = text.trim().split(/\s+/);
  const at = words.findIndex((word) => word.startsWith('--'));
  const before = at < 0 ? words : words.slice(0, at);
  const protocol = before.find((word) => !word.includes('=') && !word.endsWith('.json')) ?? 'auto';
  const fields = before.map((word): JsonObject => {
    if (word.endsWith('.json')) return JSON.parse(readFileSync(word, 'utf8')) as JsonObject;
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(word) ?? [];
    return name === undefined ? {} : { [name]: valueOf(value) };
  });
  return {
    protocol,
    fields: Object.assign({}, ...fields) as JsonObject,
    options: at < 0 ? [] : words.slice(at),
  };
}

/** As JSON if it is JSON, else as text. */
function valueOf(text: string): JsonObject[string] {
  try {
    return JSON.parse(text) as JsonObject[string];
  } catch {
    return text;
  }
}

/** The built command line, with what a user allows who wants the job to be done without questions. */
export function parley(settings: string): Agent {
  const { protocol, fields, options } = readSettings(settings);
  return {
    name: 'parley',
    settings,
    fields: () => ({}),
    async command({ job, work, home, baseUrl, model, seed }) {
      const profile = path.join(home, 'profile.json');
      const { extraBody = {}, ...others } = fields;
      const body = { seed, ...(extraBody as JsonObject) };
      await writeFile(
        profile,
        JSON.stringify({ provider: 'openai', baseUrl, model, ...others, extraBody: body }),
      );
      return {
        program: process.execPath,
        args: [
          ...[distFile('cli.js'), 'run', '--workspace', work, '--profile', profile, '--protocol', protocol],
          ...['--json', '--allow-edits', '--allow-moves'],
          ...(job.commands ?? []).flatMap((rule) => ['--allow', rule]),
          ...options,
          ...['--', job.task],
        ],
      };
    },
    account: (stdout) => parleyAccount(stdout),
  };
}

function parleyAccount(stdout: string): Account {
  const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as AgentEvent]));
  const start = events.findLastIndex(({ type }) => type === 'round-start');
  const end = events.find((event) => event.type === 'run-end');
  const outcome = end?.outcome;
  return {
    answer: events
      .slice(start + 1)
      .map((event) => (event.type === 'text' ? event.text : ''))
      .join(''),
    calls: events.flatMap((event) =>
      event.type === 'call-end' ? [JSON.stringify([event.call.name, event.call.arguments])] : [],
    ),
    malformed: events.filter(({ type }) => type === 'malformed').length,
    outcome:
      outcome?.type === 'failed' && outcome.code === 'repetition'
        ? 'repetition'
        : outcome?.type === 'done' || outcome?.type === 'budget'
          ? outcome.type
          : 'failed',
  };
}

/** An agent of others, installed as for `test:clients`. */
export function otherAgent(name: string, folder: string): Agent {
  const client = CLIENTS.find((each) => each.name === name && each.api === 'chat');
  if (!client) throw new Error(`There is no agent ${name}.`);
  return {
    name,
    settings: 'default',
    fields: ({ model, seed }) => ({ model, seed }),
    async command({ job, home, baseUrl }) {
      const address = { baseUrl, token: 'none' };
      for (const [file, text] of Object.entries(client.home(address))) {
        await mkdir(path.dirname(path.join(home, file)), { recursive: true });
        await writeFile(path.join(home, file), text);
      }
      const env = client.env?.(address);
      return { program: await install(client, folder), args: client.args(job.task), ...(env && { env }) };
    },
    account: (_stdout, replies, code) => ({
      // Requests for titles offer no tools.
      answer: replies.findLast(({ hasTools }) => hasTools)?.text ?? '',
      calls: replies.flatMap(({ calls, text }, at) =>
        Array.from({ length: calls }, (_, call) => `${at}.${call} ${text}`),
      ),
      malformed: 0,
      outcome: code === 0 ? 'done' : 'failed',
    }),
  };
}
