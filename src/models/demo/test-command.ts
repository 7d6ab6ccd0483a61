import { readPaths, readText } from './results';
import type { Step, Surroundings } from './task';
import type { ToolResult } from '../../core/words/messages';

/** The test command of a project, and the file that defines it. */
export interface TestCommand {
  readonly command: string;
  readonly from: string;
}

const MANIFESTS =
  '{package.json,pnpm-lock.yaml,yarn.lock,pyproject.toml,pytest.ini,setup.cfg,tox.ini,setup.py,Cargo.toml,go.mod,Makefile}';

/** Finds the test command by reading files; `undefined` if no file defines it. */
export function* findTestCommand({
  isWindows,
}: Surroundings): Generator<Step, TestCommand | undefined, ToolResult> {
  const found = yield {
    say: 'I look for what says how the tests are run.',
    tool: 'find_files',
    arguments: { glob: MANIFESTS },
  };
  // Those of nested packages are not the project's.
  const here = new Set(readPaths(found).filter((path) => !path.includes('/')));
  const python = isWindows ? 'python' : 'python3';
  if (here.has('package.json')) {
    const text = yield* textOf('package.json');
    const script = testScript(text);
    if (script !== undefined) return { command: nodeCommand(script, here), from: 'package.json' };
  }
  if (here.has('Cargo.toml')) return { command: 'cargo test', from: 'Cargo.toml' };
  if (here.has('go.mod')) return { command: 'go test ./...', from: 'go.mod' };
  const ini = ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini', 'setup.py'].find((file) =>
    here.has(file),
  );
  if (ini !== undefined) {
    const text = yield* textOf(ini);
    return { command: /unittest/.test(text) ? `${python} -m unittest` : `${python} -m pytest`, from: ini };
  }
  if (here.has('Makefile')) {
    const text = yield* textOf('Makefile');
    if (/^test\s*:(?!=)/m.test(text)) return { command: 'make test', from: 'Makefile' };
  }
  return yield* byTestFiles(python);
}

/** Without such a file, files that look like tests count. */
function* byTestFiles(python: string): Generator<Step, TestCommand | undefined, ToolResult> {
  const found = yield {
    say: 'No file says how the tests are run; I look for the tests themselves.',
    tool: 'find_files',
    arguments: { glob: '{test_*.py,*_test.py,*.test.js,*.test.mjs,*.test.cjs}' },
  };
  const [first] = readPaths(found);
  if (first === undefined) return undefined;
  return { command: first.endsWith('.py') ? `${python} -m pytest` : 'node --test', from: first };
}

function* textOf(path: string): Generator<Step, string, ToolResult> {
  const { read } = yield* readText(path, `I read ${path}.`);
  return read?.lines.map(({ text }) => text).join('\n') ?? '';
}

function testScript(manifest: string): string | undefined {
  const [, script = ''] = /"scripts"\s*:\s*\{[^}]*?"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(manifest) ?? [];
  return script === '' || script.includes('no test specified') ? undefined : script;
}

/** A plain Node script runs directly; others need the environment of `npm`. */
function nodeCommand(script: string, here: ReadonlySet<string>): string {
  if (/^node [\w./ *=:-]+$/.test(script)) return script;
  if (here.has('pnpm-lock.yaml')) return 'pnpm test';
  return here.has('yarn.lock') ? 'yarn test' : 'npm test';
}
