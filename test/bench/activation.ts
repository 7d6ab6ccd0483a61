// What loading the extension costs, compared with one bundle of openai, zod and the MCP client that is loaded in the
// same run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';

const RUNS = 31;
const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));

try {
  const reference = path.join(folder, 'reference.js');
  buildSync({
    stdin: {
      contents: [
        "export { default as OpenAI } from 'openai';",
        "export * as zod from 'zod';",
        "export * as mcp from '@modelcontextprotocol/client';",
      ].join('\n'),
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    keepNames: true,
    outfile: reference,
    logLevel: 'error',
  });
  const main = path.resolve('dist/extension.js');
  const timer = path.join(folder, 'timer.js');
  writeFileSync(timer, timerSource());
  const measured = { main: [] as number[], reference: [] as number[] };
  // Alternates, so that other load on the machine affects both.
  for (let run = 0; run < RUNS; run++) {
    measured.main.push(load(timer, main));
    measured.reference.push(load(timer, reference));
  }
  const ratio = median(measured.main) / median(measured.reference);
  console.log(`main bundle           ${kilobytes(main)} kB (bar: 200)`);
  console.log(`openai + zod + MCP    ${kilobytes(reference)} kB`);
  console.log(`cold load of the main bundle ÷ load of the packages: ${ratio.toFixed(3)} (bar: 0.15)`);
  console.log(
    `lazy bundles loaded at startup: ${execFileSync(process.execPath, [timer, main, 'list'], { encoding: 'utf8' }).trim()}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Loads one file in a separate process, with a stub for `vscode`, and prints the milliseconds. */
function timerSource(): string {
  return `
const Module = require('node:module');
const stub = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => '' : stub), apply: () => stub, construct: () => stub });
// As many names as VS Code has, so that work done for each name is measured.
const api = Object.fromEntries(${JSON.stringify(namesOfVsCode())}.map((name) => [name, stub]));
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? api : load(request, ...rest));
const [file, what] = process.argv.slice(2);
const start = performance.now();
require(file);
const spent = performance.now() - start;
const others = Object.keys(require.cache).filter((each) => each !== __filename && each !== file);
console.log(what === 'list' ? others.join(', ') || 'none' : spent);
`;
}

function namesOfVsCode(): readonly string[] {
  const types = readFileSync(require.resolve('@types/vscode/index.d.ts'), 'utf8');
  const names = types.matchAll(/^\texport (?:namespace|class|enum|function|const|let) (\w+)/gm);
  return [...new Set([...names].map(([, name = '']) => name))];
}

function load(timer: string, file: string): number {
  return Number(execFileSync(process.execPath, [timer, file], { encoding: 'utf8' }));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function kilobytes(file: string): string {
  return (statSync(file).size / 1000).toFixed(0).padStart(4);
}
