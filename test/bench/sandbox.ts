// What the sandbox adds to a command: milliseconds from the start of the shell to its end, compared with the same
// command without a sandbox. The bar is 80 ms for a workspace of 2,000 files. The first command of a window is
// reported separately: it looks for toolchains and reads every file once. Both are measured in turns, in one run.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noSandbox } from '../../src/node/sandbox/settings';
import { createSurroundings, imageName, type OwnedSurroundings } from '../../src/node/surroundings';

const ROUNDS = 25;
const FOLDERS = 100;
const FILES = 20;

const KINDS = [
  { name: 'bare', options: undefined },
  { name: 'sandbox', options: {} },
  { name: 'sandbox, files kept', options: { keepsFiles: true } },
  { name: 'sandbox, a site allowed', options: { allowedDomains: ['localhost'] } },
] as const;

async function main(): Promise<void> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-bench-')));
  const state = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const made: {
    readonly name: string;
    readonly surroundings: OwnedSurroundings;
    readonly times: number[];
  }[] = [];
  try {
    await fill(root);
    for (const { name, options } of KINDS)
      made.push({ name, surroundings: open(root, state, options), times: [] });
    for (const { name, surroundings } of made) {
      const status = await surroundings.sandbox?.status();
      if (status?.works === false) {
        console.log(`Not measured: ${status.reason}`);
        return;
      }
      console.log(`${name.padEnd(24)} first ${(await timed(surroundings)).toFixed(0)} ms`);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const { surroundings, times } of made) times.push(await timed(surroundings));
    }
    const bare = median(made[0]?.times ?? []);
    for (const { name, times } of made) {
      const time = median(times);
      console.log(
        `${name.padEnd(24)} ${time.toFixed(1)} ms, ${(time - bare).toFixed(1)} ms more than a bare spawn`,
      );
    }
  } finally {
    for (const { surroundings } of made) {
      surroundings.dispose();
      await surroundings.endCommands();
    }
    await rm(root, { recursive: true, force: true });
    await rm(state, { recursive: true, force: true });
  }
}

async function fill(root: string): Promise<void> {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const at = path.join(root, `src-${folder % 10}`, `part-${folder}`);
    await mkdir(at, { recursive: true });
    for (let file = 0; file < FILES; file++) await writeFile(path.join(at, `f${file}.ts`), 'x'.repeat(2_000));
  }
  for (const name of ['.git/hooks', '.vscode', 'node_modules/a'])
    await mkdir(path.join(root, name), { recursive: true });
  await writeFile(path.join(root, '.env'), 'A=1');
}

function open(
  root: string,
  stateFolder: string,
  options: { readonly keepsFiles?: boolean; readonly allowedDomains?: readonly string[] } | undefined,
): OwnedSurroundings {
  const { keepsFiles = false, ...more } = options ?? {};
  const settings = { ...noSandbox, isEnabled: true, runUnasked: true, ...more };
  return createSurroundings({
    roots: [root],
    isTrusted: () => true,
    commandRules: () => ({ allow: [], deny: [] }),
    ...(options && { sandbox: { settings: () => settings, stateFolder } }),
    ...(keepsFiles && { images: { nameOf: imageName, keep: () => Promise.resolve(true) } }),
  });
}

async function timed({ files, processes, sandbox }: OwnedSurroundings): Promise<number> {
  const cwd = await files.resolve('.', 'list');
  const begun = performance.now();
  const command = { command: 'true', cwd, keepLog: false, inSandbox: sandbox !== undefined };
  const started = await processes.start(command, new AbortController().signal);
  await started.ended;
  return performance.now() - begun;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

void main();
