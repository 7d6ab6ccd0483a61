// What two jobs cost with a model over the command line: bytes and tokens (Qwen3's) of all requests together, for each
// protocol, and their parts. A scripted model does the jobs. The text that a chat template would write is counted: the
// tools as JSON, then each message as its role, its text and its calls.
//   A  4 rounds: read a file of 200 lines, replace a line, run a command, answer
//   B  31 rounds: read 30 files of 40 lines, one a round, answer
// Nothing is asserted: "over" marks a missed bar. Arguments choose protocols by name; `--landed` writes the figures into
// the file that later runs are compared with.
import { readFileSync, writeFileSync } from 'node:fs';
import { protocols } from '../../src/protocols';
import { FakeEndpoint } from '../support/servers/fake-endpoint';
import { editJob, readJob } from '../support/agent/scripted-jobs';
import type { Amount, Parts } from './cost-parts';
import { costOf, type Cost } from './cost-run';

const JOBS = { A: editJob, B: readJob } as const;
type JobName = keyof typeof JOBS;
const JOB_NAMES = ['A', 'B'] as const;

/** By protocol id. */
type Costs = ReadonlyMap<string, Readonly<Record<JobName, Cost>>>;

const LANDED = 'test/bench/cost-landed.json';
type Landed = Readonly<Partial<Record<string, Readonly<Record<JobName, Amount>>>>>;

/** The bars for `native`. Those for the others are `MOST_OF_NATIVE` times its cost. */
const MOST: Readonly<Record<JobName, Amount>> = {
  A: { bytes: 45_000, tokens: 16_500 },
  B: { bytes: 950_000, tokens: 395_000 },
};
const MOST_OF_NATIVE: Amount = { bytes: 1.08, tokens: 1.12 };

/** Tokens that a round may read again: the border of two texts may be tokenized differently. */
const HANDFUL = 8;
/** Tokens that a conversation in another folder may read again. */
const MOST_ELSEWHERE = 400;
/** The context window that the longest request and its reply must fit. */
const WINDOW = 32_768;
const REPLY = 4_096;

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const only = args.filter((arg) => !arg.startsWith('--'));
  const chosen = protocols.filter(({ id }) => only.length === 0 || only.includes(id));
  const costs = new Map<string, Record<JobName, Cost>>();
  const endpoint = await FakeEndpoint.start();
  try {
    for (const protocol of chosen)
      costs.set(protocol.id, {
        A: await costOf(JOBS.A, protocol, endpoint),
        B: await costOf(JOBS.B, protocol, endpoint),
      });
  } finally {
    await endpoint.stop();
  }
  // SAFETY: this script has written it.
  const landed = JSON.parse(readFileSync(LANDED, 'utf8')) as Landed;
  for (const [id, cost] of costs) console.log(`${partsTable(id, cost)}\n`);
  console.log(`${jobsTable(costs, landed)}\n\n${bars(costs)}`);
  if (args.includes('--landed')) keep({ ...landed, ...Object.fromEntries(costs) });
}

function partsTable(id: string, { A, B }: Readonly<Record<JobName, Cost>>): string {
  const columns: readonly Parts[] = [B.last, A.parts, B.parts];
  const head = ['last of B', 'all of A', 'all of B'].map((title) => title.padStart(20)).join('');
  const units = columns.map(() => 'bytes'.padStart(12) + 'tokens'.padStart(8)).join('');
  return [
    id.padEnd(NAME) + head,
    ''.padEnd(NAME) + units,
    ...[...B.parts.keys()].map(
      (name) => name.padEnd(NAME) + columns.map((parts) => cells(parts.get(name))).join(''),
    ),
  ].join('\n');
}

const NAME = 24;

function cells(amount: Amount | undefined): string {
  return String(amount?.bytes ?? '').padStart(12) + String(amount?.tokens ?? '').padStart(8);
}

function jobsTable(costs: Costs, landed: Landed): string {
  const head =
    'job protocol       bytes  tokens   first longest  uncached     new  excess  elsewhere  ÷ native    ÷ landed';
  const rows = JOB_NAMES.flatMap((name) => [...costs].map(([id]) => row(name, id, costs, landed)));
  return [head, ...rows].join('\n');
}

function row(name: JobName, id: string, costs: Costs, landed: Landed): string {
  const cost = costs.get(id)?.[name];
  if (!cost) return '';
  const { all, first, longest, uncached, added, excess, elsewhere } = cost;
  const columns: readonly (readonly [number, number])[] = [
    [all.bytes, 9],
    [all.tokens, 8],
    [first, 8],
    [longest, 8],
    [uncached, 10],
    [added, 8],
    [excess, 8],
    [elsewhere, 11],
  ];
  const ratios = [ratioText(all, costs.get('native')?.[name].all), ratioText(all, landed[id]?.[name])];
  return `${name}   ${id.padEnd(11)}${columns.map(([count, width]) => String(count).padStart(width)).join('')}  ${ratios.join('  ')}`;
}

function ratioText(amount: Amount, of: Amount | undefined): string {
  if (!of) return '-'.padEnd(10);
  return `${(amount.bytes / of.bytes).toFixed(2)}, ${(amount.tokens / of.tokens).toFixed(2)}`;
}

/** One line for each bar; missed bars are named. */
function bars(costs: Costs): string {
  const all = [...costs].flatMap(([id, byJob]) => JOB_NAMES.map((name) => ({ id, name, cost: byJob[name] })));
  const natives = all.filter(({ id }) => id === 'native');
  const lines = natives.flatMap(({ name, cost }) => [
    bar(`native ${name}, bytes`, MOST[name].bytes, [[name, cost.all.bytes]]),
    bar(`native ${name}, tokens`, MOST[name].tokens, [[name, cost.all.tokens]]),
    ...(['bytes', 'tokens'] as const).map((unit) =>
      bar(
        `${name}, ${unit} ÷ native`,
        MOST_OF_NATIVE[unit],
        all
          .filter((each) => each.name === name)
          .map(({ id, cost: { all: amount } }) => [id, amount[unit] / cost.all[unit]]),
      ),
    ),
  ]);
  const ofAll = (what: (cost: Cost) => number): Figures =>
    all.map(({ id, name, cost }) => [`${name} ${id}`, what(cost)]);
  return [
    ...lines,
    bar(
      'uncached beyond what is new, in a round',
      HANDFUL,
      ofAll(({ excess }) => excess),
    ),
    bar(
      'read again in another folder',
      MOST_ELSEWHERE,
      ofAll(({ elsewhere }) => elsewhere),
    ),
    bar(
      'longest request and its reply',
      WINDOW,
      ofAll(({ longest }) => longest + REPLY),
    ),
  ].join('\n');
}

type Figures = readonly (readonly [string, number])[];

function bar(what: string, most: number, figures: Figures): string {
  const over = figures.filter(([, figure]) => figure > most);
  const highest = Math.max(...figures.map(([, figure]) => figure));
  const shown = (figure: number): string =>
    Number.isInteger(figure) ? figure.toLocaleString('en') : figure.toFixed(3);
  const which = over.map(([name, figure]) => `${name} ${shown(figure)}`).join(', ');
  return `${over.length === 0 ? 'PASS' : 'over'}  ${what}: ${shown(highest)} of ${shown(most)}${which && ` (${which})`}`;
}

function keep(costs: Readonly<Record<string, unknown>>): void {
  // SAFETY: each is a cost, or a saved one.
  const entries = Object.entries(costs) as readonly [string, Record<JobName, Cost | Amount>][];
  const kept = entries.map(([id, { A, B }]) => [id, { A: allOf(A), B: allOf(B) }]);
  writeFileSync(LANDED, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
  console.log(`\nWrote ${LANDED}.`);
}

function allOf(cost: Cost | Amount): Amount {
  return 'all' in cost ? cost.all : cost;
}

void main();
