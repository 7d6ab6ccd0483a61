// `npm run test:watch -- FILE`: compiles what has changed and runs this test file, now and after each save.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { buildTests, outputOf } from './tests.mjs';

const [file = ''] = process.argv.slice(2);
if (!file.endsWith('.test.ts') || !existsSync(file)) {
  console.error(`There is no test file "${file}". Name one, for example test/unit/tools/registry.test.ts.`);
  process.exit(2);
}

/** Milliseconds in which an editor has written everything that it saves at once. */
const SETTLE = 20;

let running;
let pending;
let isBuilding = false;
let isStale = false;

/** One build at a time. A save during a build starts the next one. */
async function build() {
  isStale = true;
  if (isBuilding) return;
  isBuilding = true;
  while (isStale) {
    isStale = false;
    const start = performance.now();
    try {
      await buildTests();
      run(start);
    } catch (error) {
      // esbuild has printed what is wrong with a source; the next save tries again.
      if (!('errors' in error)) throw error;
    }
  }
  isBuilding = false;
}

function run(start) {
  running?.kill();
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', outputOf(file)], {
    stdio: 'inherit',
  });
  running = child;
  child.on('exit', (_code, signal) => {
    if (signal === null)
      console.log(`${((performance.now() - start) / 1000).toFixed(1)} s. Waiting for changes.`);
  });
}

for (const folder of ['src', 'test']) {
  watch(folder, { recursive: true }, (_event, name) => {
    if (!/\.(tsx?|ya?ml|json|txt)$/.test(name ?? '')) return;
    clearTimeout(pending);
    pending = setTimeout(build, SETTLE);
  });
}
await build();
