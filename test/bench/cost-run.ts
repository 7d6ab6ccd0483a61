import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentEvent } from '../../src/core/words/events';
import type { Protocol } from '../../src/core/words/protocol';
import {
  countBytes,
  requestText,
  messageText,
  countTokens,
  type RequestBody,
} from '../support/measure/token-counter';
import { runCli } from '../support/processes/run-cli';
import { streamParts, streamText, type FakeEndpoint } from '../support/servers/fake-endpoint';
import { jobOptions, writeJobFolder, type ScriptedJob } from '../support/agent/scripted-jobs';
import { definedSpecs, NOTHING, partsOf, plus, type Amount, type Parts } from './cost-parts';

/** The cost of a job in one protocol. */
export interface Cost {
  readonly all: Amount;
  /** Tokens of the first request. */
  readonly first: number;
  readonly longest: number;
  /** Tokens after the longest beginning shared with an earlier request. */
  readonly uncached: number;
  /** Tokens of the first request, plus those that each round adds: the reply and its results. */
  readonly added: number;
  /** Uncached tokens of a round beyond those that the round before added: the maximum of all rounds. */
  readonly excess: number;
  /** The parts of the last request, which holds all calls and results. */
  readonly last: Parts;
  /** The parts of all requests together. */
  readonly parts: Parts;
  /** Tokens before the task that a conversation in another folder does not share. */
  readonly elsewhere: number;
}

export async function costOf(job: ScriptedJob, protocol: Protocol, endpoint: FakeEndpoint): Promise<Cost> {
  const parent = mkdtempSync(path.join(tmpdir(), 'parley-cost-'));
  try {
    endpoint.reset();
    endpoint.next(...job.rounds.map((parts) => streamParts(protocol, parts)));
    const results = await converse(path.join(parent, 'compute'), job, protocol, endpoint);
    const bodies: readonly RequestBody[] = endpoint.requests.map(({ body }) => body);
    if (bodies.length !== job.rounds.length)
      throw new Error(`${protocol.id}: there were ${bodies.length} requests.`);
    endpoint.next(streamText('It is a different request.'));
    await converse(path.join(parent, 'another-place'), job, protocol, endpoint);
    const other = endpoint.requests.at(-1)?.body;
    return measured(bodies, other ?? { messages: [] }, { job, protocol, results });
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Returns the results of the calls as their texts. */
async function converse(
  folder: string,
  job: ScriptedJob,
  protocol: Protocol,
  { baseUrl }: FakeEndpoint,
): Promise<readonly string[]> {
  mkdirSync(folder);
  writeJobFolder(folder);
  const { code, stdout, stderr } = await runCli([
    ...['run', '--workspace', folder, '--base-url', baseUrl, '--model-name', 'm', '--json'],
    ...['--protocol', protocol.id, '--forced-form', 'off', ...jobOptions, job.task],
  ]);
  if (code !== 0) throw new Error(`${protocol.id}: exit code ${code}. ${stderr}`);
  // SAFETY: `--json` prints events.
  const events = stdout.trim().split('\n').map((line) => JSON.parse(line) as AgentEvent); // prettier-ignore
  return events.flatMap((event) => (event.type === 'tool-end' ? [event.result.result] : []));
}

interface Told {
  readonly job: ScriptedJob;
  readonly protocol: Protocol;
  readonly results: readonly string[];
}

function measured(
  bodies: readonly RequestBody[],
  other: RequestBody,
  { job, protocol, results }: Told,
): Cost {
  const texts = bodies.map(requestText);
  const tokens = texts.map(countTokens);
  const parts = bodies.map((body) =>
    partsOf(body, { job, protocol, results, specs: definedSpecs(protocol) }),
  );
  const uncached = texts.map((text, at) => countTokens(text.slice(sharedWith(text, texts.slice(0, at)))));
  const added = bodies.map(({ messages }, at) => {
    const before = bodies[at - 1]?.messages.length;
    return before === undefined
      ? (tokens[at] ?? 0)
      : countTokens(messages.slice(before).map(messageText).join('\n'));
  });
  const elsewhere = requestText(other);
  return {
    all: { bytes: sum(texts.map(countBytes)), tokens: sum(tokens) },
    first: tokens[0] ?? 0,
    longest: Math.max(...tokens),
    uncached: sum(uncached),
    added: sum(added),
    excess: Math.max(...uncached.slice(1).map((each, at) => each - (added[at + 1] ?? 0))),
    last: parts.at(-1) ?? new Map(),
    parts: together(parts),
    elsewhere: countTokens(elsewhere.slice(sharedWith(elsewhere, texts), elsewhere.lastIndexOf(job.task))),
  };
}

function together(all: readonly Parts[]): Parts {
  const sums = new Map<string, Amount>();
  for (const parts of all)
    for (const [name, amount] of parts) sums.set(name, plus(sums.get(name) ?? NOTHING, amount));
  return sums;
}

/** Length of the longest beginning shared with an earlier request. */
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
