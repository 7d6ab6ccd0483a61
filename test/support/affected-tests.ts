import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** The lists, and the files generated from them. */
const LISTS = ['src/protocols/index.ts', 'src/protocols/names.ts', 'src/tools/index.ts'];

/**
 * Harnesses that import a list but use only entries of it: a workspace for tests that name their tools, and killed
 * agents that use a random protocol, so that they would use a new one only by chance.
 */
const IMPORTS_SINGLE_ENTRIES = [
  'test/support/workspace/scratch-workspace.ts',
  'test/support/processes/kill-agents.ts',
];

/**
 * Returns the unit tests that a new protocol or tool may affect, as files below `test`: those of the whole
 * repository, directly in `test/unit`, and those that import a list.
 */
export async function affectedTests(folder: string): Promise<readonly string[]> {
  const all = readdirSync(path.join(folder, 'test/unit'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/unit/${file.replaceAll('\\', '/')}`);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: all,
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'out',
    logLevel: 'error',
  });
  const noticing = new Set(LISTS);
  for (let before = 0; before < noticing.size;) {
    before = noticing.size;
    for (const [file, { imports }] of Object.entries(metafile.inputs))
      if (!IMPORTS_SINGLE_ENTRIES.includes(file) && imports.some(({ path: to }) => noticing.has(to)))
        noticing.add(file);
  }
  return all.filter((file) => path.posix.dirname(file) === 'test/unit' || noticing.has(file));
}
