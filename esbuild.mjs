// Builds everything that ships into dist/ (and, with --tests, every file one by one into out/ for the tests).
//   node esbuild.mjs            one build        --watch    rebuild on change
//   node esbuild.mjs --tests    src and test, unbundled, into out/
//   node esbuild.mjs --sizes    prints the size of each bundle in dist/
import * as esbuild from 'esbuild';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { load } from 'js-yaml';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Modules that are loaded at first use: each is a bundle of its own beside the main one. */
const LAZY = {
  openai: 'src/models/openai.ts',
  models: 'src/host/build-model.ts',
  protocols: 'src/protocols/index.ts',
  picker: 'src/host/model-picker.ts',
  shell: 'src/node/shell-grammar.ts',
  tools: 'src/host/workspace-tools.ts',
  sessions: 'src/host/session-keeper.ts',
  context: 'src/host/context.ts',
  editor: 'src/host/from-editor.ts',
  skills: 'src/host/skills.ts',
  restore: 'src/host/restore-files.ts',
  apply: 'src/host/apply-code.ts',
  contributed: 'src/host/contributed-call.ts',
  lab: 'src/host/lab/lab-window.ts',
  inspector: 'src/host/inspector/inspector-window.ts',
};

/** Modules that run in a thread of their own; found by name beside the bundle that starts them. */
const WORKERS = {
  'html-worker': 'src/node/html-worker.ts',
  'sandbox-worker': 'src/node/sandbox-worker.ts',
  'search-worker': 'src/node/search-worker.ts',
  'parse-worker': 'src/host/lab/parse-worker.ts',
};

/** Turns `import('…/openai')` of a lazy module into a reference to its own bundle. */
const lazyBundles = {
  name: 'lazy-bundles',
  setup(build) {
    const byFile = new Map(Object.entries(LAZY).map(([name, file]) => [path.resolve(file), name]));
    build.onResolve({ filter: /^\.{1,2}\// }, async (args) => {
      if (args.kind !== 'dynamic-import' || args.pluginData === 'resolved') return undefined;
      const found = await build.resolve(args.path, {
        kind: args.kind,
        importer: args.importer,
        resolveDir: args.resolveDir,
        pluginData: 'resolved',
      });
      const name = byFile.get(found.path);
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  external: ['vscode'],
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  plugins: [lazyBundles],
  logLevel: 'warning',
};

// `import()` becomes a late `require`, except in the grammar's own runtime, which has a `require` of its own making.
const lateRequire = { 'dynamic-import': false };
const { shell, ...others } = LAZY;

const quickJs = '@jitl/quickjs-wasmfile-release-sync/emscripten-module';

const bundles = [
  {
    ...node,
    entryPoints: { extension: 'src/extension.ts', ...others },
    outdir: 'dist',
    supported: lateRequire,
  },
  { ...node, entryPoints: { shell }, outdir: 'dist' },
  {
    ...node,
    entryPoints: WORKERS,
    outdir: 'dist',
    supported: lateRequire,
    // Its other edition finds the wasm file by `import.meta`, which is empty here.
    alias: { [quickJs]: require.resolve(quickJs) },
  },
  {
    ...node,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: 'dist',
    supported: lateRequire,
    banner: { js: '#!/usr/bin/env node' },
  },
  {
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'chrome128',
    entryPoints: {
      chat: 'src/webview/chat/main.tsx',
      lab: 'src/webview/lab/main.tsx',
      inspector: 'src/webview/inspector/main.tsx',
    },
    outdir: 'dist/webview',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  },
];

async function copyAssets() {
  await mkdir('dist/bin', { recursive: true });
  const wasm = path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
  for (const file of ['tree-sitter.wasm', 'tree-sitter-bash.wasm']) {
    await cp(path.join(wasm, file), path.join('dist', file));
  }
  const engine = path.join(path.dirname(require.resolve(quickJs)), 'emscripten-module.wasm');
  await cp(engine, path.join('dist', 'emscripten-module.wasm'));
  const codicons = path.dirname(require.resolve('@vscode/codicons/dist/codicon.css'));
  for (const file of ['codicon.css', 'codicon.ttf']) {
    await cp(path.join(codicons, file), path.join('dist/webview', file));
  }
  // The binary is a package of its own per platform; the JavaScript of @vscode/ripgrep is never loaded.
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const binary = require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
  await cp(binary, path.join('dist/bin', name));
  await chmod(path.join('dist/bin', name), 0o755);
}

/** The cases that the protocols are tested with, for the lab. */
async function copyCases() {
  const folder = 'test/fixtures/replies';
  const read = async (name) => load(await readFile(path.join(folder, name), 'utf8'));
  const files = (await readdir(folder)).filter((name) => name !== 'tools.yaml');
  const cases = files.map(async (name) => {
    const protocol = path.basename(name, '.yaml');
    const given = { protocol, tools: 'none', strictness: 'repair', recover: false };
    return (await read(name)).map((each) => ({ ...given, ...each }));
  });
  const shipped = { tools: await read('tools.yaml'), cases: (await Promise.all(cases)).flat() };
  await writeFile('dist/reply-cases.json', JSON.stringify(shipped));
}

async function printSizes() {
  for (const folder of ['dist', 'dist/webview']) {
    for (const file of (await readdir(folder)).filter((name) => /\.(js|css|wasm)$/.test(name))) {
      const { size } = await stat(path.join(folder, file));
      console.log(`${(size / 1000).toFixed(1).padStart(9)} kB  ${path.join(folder, file)}`);
    }
  }
}

if (process.argv.includes('--tests')) {
  await rm('out', { recursive: true, force: true });
  await esbuild.build({
    entryPoints: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts'].map((glob) => `./${glob}`),
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
  });
} else if (process.argv.includes('--sizes')) {
  await printSizes();
} else if (process.argv.includes('--watch')) {
  await copyAssets();
  await copyCases();
  for (const options of bundles) await (await esbuild.context(options)).watch();
  console.log('watching');
} else {
  await rm('dist', { recursive: true, force: true });
  await Promise.all(bundles.map((options) => esbuild.build(options)));
  await copyAssets();
  await copyCases();
  await chmod('dist/cli.js', 0o755);
}
