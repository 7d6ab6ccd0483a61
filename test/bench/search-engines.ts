// How much longer the tools' search takes in JavaScript than with ripgrep: node out/test/bench/search-engines.js
// [folder]
import path from 'node:path';
import { createFiles } from '../../src/node/files/files';
import { createSearch } from '../../src/node/search/search';
import type { TextQuery } from '../../src/tools/ports/search';
import { ripgrepPath } from '../support/workspace/scratch-workspace';

const ROUNDS = 3;
const root = path.resolve(process.argv[2] ?? 'node_modules');
const searches = [ripgrepPath(), false as const].map((ripgrep) => createSearch({ roots: [root], ripgrep }));
const { signal } = new AbortController();

async function main(): Promise<void> {
  const place = await createFiles({ roots: [root] }).resolve('.', 'search');
  const common = { place, context: 0, max: 200, maxPerFile: 50 };
  const queries: readonly (Omit<TextQuery, keyof typeof common> | undefined)[] = [
    undefined,
    { query: 'needle in a haystack', isRegex: false, caseSensitive: true },
    { query: 'needle in a haystack', isRegex: false, caseSensitive: false },
    { query: 'function', isRegex: false, caseSensitive: false },
    { query: '\\bexport\\s+class\\s+\\w+', isRegex: true, caseSensitive: true },
    { query: '^\\s*import .* from', isRegex: true, caseSensitive: false },
  ];
  for (const query of queries) {
    const times = searches.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, search] of searches.entries()) {
        const begin = performance.now();
        if (query) await search.text({ ...common, ...query }, signal);
        else await search.files({ folder: place, matches: () => false, max: 1 }, signal);
        times[index]?.push(performance.now() - begin);
      }
    }
    const [ripgrep = NaN, ours = NaN] = times.map((each) => Math.min(...each));
    console.log(
      `${(ours / ripgrep).toFixed(2)}× (${ours.toFixed(0)} ms)  ${query ? JSON.stringify(query) : 'list'}`,
    );
  }
}

void main();
