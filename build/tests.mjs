// Compiles src and test into out/, unbundled, for the tests: only the files that have changed since the last time.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { packWasm } from './assets.mjs';

const OPTIONS = {
  outdir: 'out',
  outbase: '.',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: 'inline',
  sourcesContent: false,
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

/** The hashes of the sources that out/ was compiled from, and of everything else that decides what is in it. */
const RECORD = 'out/sources.json';

/** Returns the sources that were compiled or whose output was removed. */
export async function buildTests() {
  const version = hash(JSON.stringify(OPTIONS) + (await readFile('package-lock.json', 'utf8')));
  const before = await readRecord();
  const isCurrent = before.version === version;
  if (!isCurrent) await rm('out', { recursive: true, force: true });
  const known = isCurrent ? before.sources : {};
  const sources = await hashes();
  const changed = Object.keys(sources).filter((file) => sources[file] !== known[file]);
  const gone = Object.keys(known).filter((file) => sources[file] === undefined);
  if (changed.length + gone.length === 0) return [];
  await Promise.all(gone.map((file) => rm(outputOf(file), { force: true })));
  if (changed.length > 0)
    await esbuild.build({ ...OPTIONS, entryPoints: changed.map((file) => `./${file}`) });
  // In the folders of the modules that load them, as in dist/.
  if (!isCurrent) for (const folder of ['out/src/node', 'out/src/node/isolate']) await packWasm(folder);
  await mkdir('out', { recursive: true });
  await writeFile(RECORD, JSON.stringify({ version, sources }));
  return [...changed, ...gone];
}

/** Where a source is compiled to. */
export function outputOf(file) {
  return path.join('out', file.replace(/\.tsx?$/, '.js'));
}

async function readRecord() {
  try {
    return JSON.parse(await readFile(RECORD, 'utf8'));
  } catch {
    // The first build, or one that was interrupted: everything is compiled.
    return {};
  }
}

/** The hash of each source, by its path. */
async function hashes() {
  const folders = await Promise.all(
    ['src', 'test'].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) =>
        path.posix.join(folder, name.replaceAll('\\', '/')),
      ),
    ),
  );
  const files = folders
    .flat()
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, hash(await readFile(file))])));
}

function hash(content) {
  return createHash('sha1').update(content).digest('base64');
}
