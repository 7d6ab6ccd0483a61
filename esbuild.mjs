// Builds everything that ships into dist/. With --tests, compiles what has changed into out/ for the tests.
//   node esbuild.mjs            one build        --watch    rebuild on change
//   node esbuild.mjs --tests    src and test, unbundled, into out/
//   node esbuild.mjs --sizes    prints the size of each bundle in dist/
import * as esbuild from 'esbuild';
import { chmod, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ASSET_PACKAGES, copyAssets, copyCases } from './build/assets.mjs';
import { bundledPackages, notices } from './build/notices.mjs';
import {
  commonJsChunks,
  gathered,
  lateImports,
  mcpClientAlone,
  openAiChatAlone,
  vscodeOnce,
  without,
} from './build/plugins.mjs';
import { buildTests } from './build/tests.mjs';

const require = createRequire(import.meta.url);

/**
 * Modules that are loaded at first use, in separate bundles. A list is one bundle. Each further bundle splits the rest into
 * more chunks, and more than a hundred files slow down VS Code's start and make `vsce` warn.
 */
const LAZY = JSON.parse(await readFile('build/lazy.json', 'utf8'));

/** Worker threads. The bundle that starts one finds it by name in the same folder. */
const WORKERS = {
  'html-worker': 'src/node/web/html-worker.ts',
  'isolate-worker': 'src/node/isolate/isolate-worker.ts',
  'parse-worker': 'src/host/ui/lab/parse-worker.ts',
  'site-forwarder': 'src/node/sandbox/site-forwarder.ts',
};

// `import()` becomes a late `require`, except in the runtime of the shell grammar, which defines its own `require`.
const lateRequire = { 'dynamic-import': false };
const {
  shell: [shell],
  ...sharing
} = LAZY;

const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  external: ['vscode'],
  supported: lateRequire,
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  outdir: 'dist',
  logLevel: 'warning',
};

const quickJs = '@jitl/quickjs-wasmfile-release-sync/emscripten-module';

const bundles = [
  // One file, because each further file costs time during activation.
  {
    ...node,
    entryPoints: { extension: 'src/extension.ts' },
    plugins: [lateImports(LAZY), vscodeOnce('src')],
  },
  // Shared code is in chunks.
  {
    ...node,
    entryPoints: {
      ...Object.fromEntries(Object.keys(sharing).map((name) => [name, `gathered:${name}`])),
      cli: 'src/cli/main.ts',
    },
    // If two modules of one bundle export the same name, esbuild exports neither.
    logOverride: { 'ambiguous-reexport': 'error' },
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
    sourcemap: 'inline',
    write: false,
    plugins: [
      gathered(sharing),
      lateImports(LAZY),
      vscodeOnce('src'),
      openAiChatAlone,
      mcpClientAlone,
      commonJsChunks,
    ],
  },
  { ...node, entryPoints: { shell }, supported: {} },
  {
    ...node,
    entryPoints: WORKERS,
    // The ES module edition locates its wasm file by `import.meta`, which is empty here.
    alias: { [quickJs]: require.resolve(quickJs) },
    // Used only by `querySelector` of the HTML parser, and half of the bundle.
    plugins: [lateImports(LAZY), without('css-select')],
  },
  {
    bundle: true,
    platform: 'browser',
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
    target: 'chrome128',
    entryPoints: {
      chat: 'src/webview/chat/main.tsx',
      lab: 'src/webview/lab/main.tsx',
    },
    outdir: 'dist/webview',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  },
];

async function writeNotices(metafiles) {
  const assets = ASSET_PACKAGES.map((name) => path.join('node_modules', name));
  const text = await notices(new Set([...bundledPackages(metafiles), ...assets]));
  await writeFile('dist/THIRD-PARTY-NOTICES.txt', text);
}

async function printSizes() {
  const sizes = new Map();
  for (const folder of ['dist', 'dist/webview']) {
    for (const file of (await readdir(folder)).filter((name) => /\.(js|css|ttf|br|json)$/.test(name))) {
      const name = path.join(folder, file.replace(/^shared-.*/, 'shared-*.js'));
      const { size } = await stat(path.join(folder, file));
      sizes.set(name, (sizes.get(name) ?? 0) + size);
    }
  }
  for (const [name, size] of sizes) console.log(`${(size / 1000).toFixed(1).padStart(9)} kB  ${name}`);
}

if (process.argv.includes('--tests')) {
  await buildTests();
} else if (process.argv.includes('--sizes')) {
  await printSizes();
} else if (process.argv.includes('--watch')) {
  for (const options of bundles) {
    const context = await esbuild.context(options);
    await context.rebuild();
    await context.watch();
  }
  await copyAssets();
  await copyCases();
  console.log('watching');
} else {
  await rm('dist', { recursive: true, force: true });
  const results = await Promise.all(bundles.map((options) => esbuild.build(options)));
  if (results.some(({ warnings }) => warnings.length > 0)) process.exitCode = 1;
  await copyAssets();
  await copyCases();
  await writeNotices(results.map(({ metafile }) => metafile));
  await chmod('dist/cli.js', 0o755);
}
