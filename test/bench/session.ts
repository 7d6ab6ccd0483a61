// What a long session costs: loading its file, folding it for the page and the history, and sending the next message.
// The bar: about linear in the messages (exponent 1.2), 2,000 messages within a second. Started with --expose-gc.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentEvent } from '../../src/core/words/events';
import { NodeSessionFolder } from '../../src/sessions/node-folder';
import { SessionStore } from '../../src/sessions/session-store';
import { SessionWriter } from '../../src/sessions/session-writer';
import { testSession } from '../support/agent/test-session';
import { exponent } from './measure';

const SIZES = [500, 1_000, 2_000, 4_000];
const RUNS = 5;
const STEPS = ['load', 'fold', 'send'] as const;

type Times = Record<(typeof STEPS)[number], number>;

async function main(): Promise<void> {
  const rows = new Map<number, Times>();
  console.log('messages    file   load ms   fold ms   send ms    kept');
  for (const messages of SIZES) {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
    try {
      write(folder, messages);
      // The first one warms up.
      await open(folder);
      const runs: Opened[] = [];
      for (let run = 0; run < RUNS; run++) runs.push(await open(folder));
      const least = (step: keyof Times): number => Math.min(...runs.map((each) => each.times[step]));
      const times: Times = { load: least('load'), fold: least('fold'), send: least('send') };
      rows.set(messages, times);
      const kept = Math.min(...runs.map(({ keptBytes }) => keptBytes));
      const numbers = STEPS.map((step) => times[step].toFixed(1).padStart(10)).join('');
      console.log(`${String(messages).padStart(8)}${mebibytes(size(folder))}${numbers}${mebibytes(kept)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  for (const step of STEPS) {
    const points = [...rows].map(([messages, times]): [number, number] => [messages, times[step]]);
    console.log(`${step}: grows with exponent ${exponent(points).toFixed(2)}`);
  }
}

interface Opened {
  readonly times: Times;
  /** Memory held by the open session. */
  readonly keptBytes: number;
}

async function open(folder: string): Promise<Opened> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const store = new SessionStore(new NodeSessionFolder(folder));
  const start = performance.now();
  const [found] = await store.list();
  const stored = await store.load(found?.id ?? '');
  if (!stored) throw new Error('The session is gone.');
  const loaded = performance.now();
  const { session, model } = testSession({ past: stored.events });
  const folded = performance.now();
  globalThis.gc?.();
  const keptBytes = process.memoryUsage().heapUsed - before;
  const sending = performance.now();
  await session.send('go on');
  const sent = performance.now();
  if (model.requests.length !== 1) throw new Error('The session did not continue.');
  return { times: { load: loaded - start, fold: folded - loaded, send: sent - sending }, keptBytes };
}

/** Runs of four messages: the user's, two replies with a call, and an answer. */
function write(folder: string, messages: number): void {
  const writer = new SessionWriter(new NodeSessionFolder(folder), undefined, {
    workspace: '',
    redact: (text) => text,
    onFile: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  for (let message = 0; message < messages; message += 4) {
    writer.add({ type: 'run-start', text: `${WORDS}${message}`, time: message });
    for (const round of [1, 2]) for (const event of calling(`c${message + round}`, round)) writer.add(event);
    for (const event of [roundStart(3), { type: 'text', text: WORDS } as const, replyEnd]) writer.add(event);
    writer.add({ type: 'run-end', outcome: { type: 'done' } });
  }
  writer.close();
}

const WORDS = 'A sentence of a reply that says what was found and what comes next. '.repeat(8);
const replyEnd: AgentEvent = { type: 'reply-end', reason: 'stop', raw: WORDS };

function roundStart(round: number): AgentEvent {
  return { type: 'round-start', round, maxRounds: 50, protocol: 'native', model: 'm' };
}

function calling(id: string, round: number): AgentEvent[] {
  const args = { path: 'src/a.ts', start_line: round };
  return [
    roundStart(round),
    { type: 'text', text: WORDS },
    { type: 'call-start', index: 0, name: 'read_file' },
    { type: 'call-delta', index: 0, key: 'path', text: 'src/a.ts' },
    {
      type: 'call-end',
      index: 0,
      call: { id, name: 'read_file', arguments: args, start: 0, end: 9, notes: [], mark: 'clean' },
    },
    replyEnd,
    { type: 'tool-start', callId: id, title: 'Read src/a.ts' },
    {
      type: 'tool-end',
      callId: id,
      result: {
        ...{ requestId: id, toolName: 'read_file', status: 'success', durationMs: 3 },
        result: WORDS.repeat(4),
      },
    },
  ];
}

function size(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).padStart(6)} M`;
}

void main();
