// What searching costs, compared with `rg --json` alone on the same files in the same run. The bar: 1.15 times.
import { spawn } from 'node:child_process';
import { ripgrepPath, ScratchWorkspace } from '../support/workspace/scratch-workspace';
import { compare, exponent } from './measure';

const SIZES = [1_000, 10_000, 100_000];
const LINES_PER_FILE = 200;
const RUNS = 31;

const QUERIES: Readonly<Record<string, string>> = {
  'no match': 'quagga',
  'a match in 1,000 lines': 'rarely(',
  'a match in 20 lines': 'often(',
};

async function main(): Promise<void> {
  console.log(
    `${'× rg --json'.padEnd(24)}${SIZES.map((size) => `${size} lines`.padStart(22)).join('')}   exponent`,
  );
  const rows = new Map<string, string[]>();
  const times = new Map<string, [number, number][]>();
  for (const size of SIZES) {
    const scratch = await ScratchWorkspace.create(filesOf(size));
    try {
      for (const [name, query] of Object.entries(QUERIES)) {
        const { ratio, own, bare } = await measure(scratch, query);
        const cell = `${ratio.toFixed(2)} (${own.toFixed(1)} / ${bare.toFixed(1)} ms)`.padStart(22);
        rows.set(name, [...(rows.get(name) ?? []), cell]);
        times.set(name, [...(times.get(name) ?? []), [size, own]]);
      }
    } finally {
      await scratch.dispose();
    }
  }
  for (const [name, cells] of rows) {
    console.log(
      `${name.padEnd(24)}${cells.join('')}${exponent(times.get(name) ?? [])
        .toFixed(2)
        .padStart(11)}`,
    );
  }
}

async function measure(scratch: ScratchWorkspace, query: string) {
  const place = await scratch.files.resolve('.', 'search');
  const asked = { isRegex: false, caseSensitive: true, context: 0, max: 100, maxPerFile: 20 };
  const { signal } = new AbortController();
  return compare(RUNS, {
    own: () => timed(() => scratch.search.text({ place, query, ...asked }, signal)),
    bare: () => timed(() => bareSearch(scratch.root, query)),
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function bareSearch(cwd: string, query: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(ripgrepPath(), ['--json', '--fixed-strings', query, '.'], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.resume();
    child.on('close', () => {
      Buffer.concat(pieces);
      resolve();
    });
  });
}

function filesOf(lines: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let first = 0; first < lines; first += LINES_PER_FILE) {
    const folder = `src/part${Math.floor(first / LINES_PER_FILE / 20)}`;
    const content = Array.from({ length: LINES_PER_FILE }, (_, at) => lineOf(first + at));
    files[`${folder}/file${first}.ts`] = content.join('\n');
  }
  return files;
}

function lineOf(line: number): string {
  if (line % 1_000 === 500) return `  const found = rarely(${line});`;
  return line % 20 === 0 ? `  const each = often(${line});` : `  const value${line} = compute(${line * 31});`;
}

void main();
