// What judging a command costs, for any text and any folder: growth with length and with the number of names (1 is
// linear), and the slowest of many generated commands.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { pathFileSystem } from '../../src/node/files/path-file-system';
import { loadShellGrammar } from '../../src/node/shell-grammar';
import type { CommandRequest } from '../../src/policy/commands/command-request';
import { judgeCommand } from '../../src/policy/commands/commands';
import { offerRules } from '../../src/policy/commands/offers';
import { RememberedFiles } from '../../src/policy/paths/remembered-files';
import { arbitraryCommand } from '../support/workspace/arbitrary-command';
import { exponent } from './measure';

const ALLOW = [
  'ls',
  'cat',
  'rg',
  'grep',
  'cp',
  'rm',
  'tee',
  'git',
  'git log',
  'npm test',
  'npx eslint',
  'uv run pytest',
  'sudo',
  'jq',
  'tar',
  'find',
  'echo',
  'curl',
  'sort',
  'uniq',
  'mv',
  'sed',
];
const LONGEST = 4_096;
const COMMANDS = Number(process.argv[2] ?? 10_000);

/** Texts of about `size` characters. */
const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  'options after sudo': (size) => `${'sudo --a --b --c '.repeat(size / 17)}x`,
  'stars in a name': (size) =>
    `cat s${'*a'.repeat(Math.min(size, 250) / 2)}*b ${'x '.repeat(Math.max(0, size - 250) / 2)}`,
  'many patterns': (size) => `cat ${'s* '.repeat(size / 3)}`,
  'equals signs': (size) => `cat ${'a='.repeat(size / 2)}`,
  'output redirections': (size) => `rm ${'src/x '.repeat(size / 6)}`,
  'launchers with text': (size) => `${'watch '.repeat(size / 6)}x`,
  'parts of a line': (size) => 'ls;'.repeat(size / 3),
};

async function main(): Promise<void> {
  const grammar = loadShellGrammar(path.resolve(__dirname, '../../src/node'));
  await grammar;
  const judge = async (command: string, cwd: string): Promise<number> => {
    const request: CommandRequest = {
      command,
      shell: 'posix',
      allow: ALLOW,
      deny: ['sudo rm', 'dd'],
      roots: [cwd],
      cwd,
    };
    const ports = { grammar: () => grammar, files: RememberedFiles.of(pathFileSystem) };
    const start = performance.now();
    await offerRules(await judgeCommand(request, ports), request, ports);
    return performance.now() - start;
  };
  const typical = async (command: string, cwd: string): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < 7; run++) times.push(await judge(command, cwd));
    return Math.min(...times);
  };

  const folders = new Map(
    [750, 1_500, 3_000, 6_000, 30_000].map((names) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-judge-'));
      mkdirSync(path.join(folder, 'src'));
      for (let name = 0; name < names; name++)
        writeFileSync(path.join(folder, `s${'a'.repeat(name % 200)}${name}`), '');
      return [names, folder] as const;
    }),
  );
  try {
    const folder = (names: number): string => folders.get(names) ?? '';
    for (const [name, build] of Object.entries(HOSTILE)) {
      await typical(build(LONGEST), folder(3_000));
      const lengths = await inTurn([512, 1_024, 2_048, 4_096], async (size) =>
        typical(build(size), folder(3_000)),
      );
      const names = await inTurn([750, 1_500, 3_000, 6_000], async (count) =>
        typical(build(LONGEST), folder(count)),
      );
      const most = Math.max(...[...lengths, ...names].map(([, time]) => time));
      console.log(
        `${name.padEnd(22)} growth in length ${exponent(lengths).toFixed(2)}, in names ${exponent(names).toFixed(2)}; at most ${most.toFixed(1)} ms`,
      );
    }
    for (const names of [3_000, 30_000]) {
      const times: (readonly [number, string])[] = [];
      for (const command of fc.sample(arbitraryCommand, { numRuns: COMMANDS, seed: 1 }))
        times.push([await leastOf(3, () => judge(command, folder(names))), command]);
      times.sort(([a], [b]) => b - a);
      const [worst = 0, command = ''] = times[0] ?? [];
      const { length } = times;
      const at = (part: number): string => (times[Math.floor(length * part)]?.[0] ?? 0).toFixed(1);
      console.log(
        `${length} generated commands, ${names} names: median ${at(0.5)} ms, slowest of a hundred ${at(0.01)}, of a thousand ${at(0.001)}, worst ${worst.toFixed(1)} ms: ${JSON.stringify(command.slice(0, 80))}`,
      );
    }
  } finally {
    for (const each of folders.values()) rmSync(each, { recursive: true, force: true });
  }
}

/** The best of a few runs, because other programs run too. */
async function leastOf(runs: number, measure: () => Promise<number>): Promise<number> {
  let least = await measure();
  for (let run = 1; run < runs && least > 10; run++) least = Math.min(least, await measure());
  return least;
}

async function inTurn(
  sizes: readonly number[],
  measure: (size: number) => Promise<number>,
): Promise<readonly (readonly [number, number])[]> {
  const points: (readonly [number, number])[] = [];
  for (const size of sizes) points.push([size, await measure(size)]);
  return points;
}

void main();
