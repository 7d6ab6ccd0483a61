// What reading a streamed write_file call costs, compared with the least work of any reader in the same run: an
// `indexOf` for every piece of text; for native arguments `JSON.parse` of the joined pieces. Ratios only: seconds on
// a shared machine mean nothing.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Protocol } from '../../src/core/words/protocol';
import { protocols } from '../../src/protocols';
import { bytes, callText, cut, floor, open, parse, toDelta } from './call-stream';
import { publishedParsers } from './published-parsers';

const SIZES = [10_000, 100_000, 1_000_000, 5_000_000];
const PIECES = [1, 4, 16, 64, 4096];
/** Each measurement is the best of several runs: as many as fit into this time, at least three. */
const RUNS_MS = 60;
/** A published parser that takes longer is stopped. */
const BUDGET_MS = 2_000;
const only = process.argv.slice(2);

interface Measured {
  readonly size: number;
  readonly piece: number;
  readonly own: number;
  readonly floor: number;
}

async function main(): Promise<void> {
  for (const protocol of protocols.filter(({ id }) => only.length === 0 || only.includes(id))) {
    console.log(`\n${protocol.id}`);
    row('pieces of', PIECES.map(String));
    const all = SIZES.map((size) => PIECES.map((piece) => measure(protocol, size, piece)));
    for (const [at, size] of SIZES.entries()) {
      row(`${label(size)}, × the floor`, all[at]?.map((each) => ratio(each.own / each.floor)) ?? []);
    }
    row(
      'growth exponent, 100 KB to 5 MB',
      PIECES.map((piece) => exponent(all.flat(), piece)),
    );
    row(
      'last tenth of the pieces ÷ second',
      PIECES.map((piece) => ratio(tenths(protocol, piece))),
    );
    row(
      'memory at 5 MB: held, × the text',
      PIECES.map((piece) => memory(protocol, piece, 'live')),
    );
    row(
      'memory at 5 MB: peak, × the text',
      PIECES.map((piece) => memory(protocol, piece, 'peak')),
    );
    for (const other of publishedParsers.filter((each) => each.protocol === protocol.id)) {
      await compare(other, all);
    }
  }
}

function measure(protocol: Protocol, size: number, piece: number): Measured {
  const pieces = [...cut(bytes(callText(protocol, size)), piece)];
  const best = { own: Infinity, floor: Infinity };
  const start = performance.now();
  for (let run = 0; run < 3 || performance.now() - start < RUNS_MS; run++) {
    // In turns, so that other load on the machine affects both.
    best.floor = Math.min(
      best.floor,
      timed(() => floor(protocol, pieces)),
    );
    best.own = Math.min(
      best.own,
      timed(() => parse(protocol, pieces)),
    );
  }
  return { size, piece, ...best };
}

function exponent(all: readonly Measured[], piece: number): string {
  const [small, large] = [100_000, 5_000_000].map((size) =>
    all.find((each) => each.size === size && each.piece === piece),
  );
  if (!small || !large) return '';
  return (Math.log(large.own / small.own) / Math.log(large.size / small.size)).toFixed(2);
}

/** How the cost of a piece grows while 5 MB stream in. */
function tenths(protocol: Protocol, piece: number): number {
  const pieces = [...cut(bytes(callText(protocol, 5_000_000)), piece)];
  const tenth = Math.floor(pieces.length / 10);
  const best = Array.from({ length: 10 }, () => Infinity);
  for (let run = 0; run < 3; run++) {
    const parser = open(protocol);
    const delta = toDelta(protocol);
    for (let part = 0; part < 10; part++) {
      const end = part === 9 ? pieces.length : (part + 1) * tenth;
      const spent = timed(() => {
        for (let at = part * tenth; at < end; at++) parser.push(delta(pieces[at] ?? ''));
      });
      best[part] = Math.min(best[part] ?? Infinity, spent);
    }
    parser.end('stop');
  }
  return (best[9] ?? NaN) / (best[1] ?? NaN);
}

function memory(protocol: Protocol, piece: number, what: 'live' | 'peak'): string {
  const file = path.join(__dirname, 'parser-memory.js');
  const key = `${protocol.id} ${piece}`;
  const output =
    memories.get(key) ??
    execFileSync(process.execPath, ['--expose-gc', file, protocol.id, String(piece)], { encoding: 'utf8' });
  memories.set(key, output);
  // SAFETY: our script has just printed it.
  return ratio((JSON.parse(output) as { live: number; peak: number })[what]);
}
const memories = new Map<string, string>();

/** How many times longer a published parser takes than ours; `>` if it was stopped. */
async function compare(other: (typeof publishedParsers)[number], all: readonly Measured[][]): Promise<void> {
  const protocol = protocols.find(({ id }) => id === other.protocol);
  if (!protocol) return;
  const late = new Set<number>();
  for (const [at, size] of SIZES.entries()) {
    const text = bytes(other.text?.(size) ?? callText(protocol, size));
    const cells: string[] = [];
    for (const [column, piece] of PIECES.entries()) {
      const own = all[at]?.[column]?.own ?? NaN;
      cells.push(late.has(piece) ? '' : await against(other, [...cut(text, piece)], own));
      if (cells.at(-1)?.startsWith('>')) late.add(piece);
    }
    row(`${label(size)}, ${other.name} ÷ ours`, cells);
  }
}

async function against(
  { read }: (typeof publishedParsers)[number],
  pieces: readonly string[],
  own: number,
): Promise<string> {
  const times: number[] = [];
  const begin = performance.now();
  const isLate = (): boolean => performance.now() - begin > BUDGET_MS;
  for (let run = 0; run < 3 && !isLate(); run++) {
    const start = performance.now();
    await read(pieces, isLate);
    // If the first run was stopped, its time is a lower bound; a later stopped run says nothing.
    if (run === 0 || !isLate()) times.push(performance.now() - start);
  }
  const best = Math.min(...times);
  return `${best > BUDGET_MS ? '>' : ''}${ratio(best / own)}`;
}

function timed(action: () => void): number {
  const start = performance.now();
  action();
  return performance.now() - start;
}

function label(size: number): string {
  return size < 1_000_000 ? `${size / 1000} KB` : `${size / 1_000_000} MB`;
}

function ratio(value: number): string {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}

function row(name: string, cells: readonly string[]): void {
  console.log(`  ${name.padEnd(46)}${cells.map((cell) => cell.padStart(9)).join('')}`);
}

void main();
