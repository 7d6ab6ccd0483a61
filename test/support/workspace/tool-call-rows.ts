import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import { ToolError, type Tool } from '../../../src/core/words/tool';
import { createSurroundings } from '../../../src/node/surroundings';
import { exampleArguments } from '../../../src/protocols/prompt/describe';
import { builtInTools } from '../../../src/tools';
import { editCases } from './edit-cases';
import { prepareCall } from '../agent/prepare-call';
import { runContext } from '../agent/run-context';
import { folderSnapshot } from './folder-snapshot';

/** Calls over a folder that must have the same result text in the editor and over plain Node. */
export interface ToolCallRow {
  readonly name: string;
  /** The contents of the folder, by path. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly calls: readonly (readonly [tool: string, input: JsonObject])[];
}

/** A row with a separate folder of the workspace. */
export interface PlacedRow extends ToolCallRow {
  readonly folder: string;
}

/** The name of each row's folder in the table. */
const HOME = 'same';

const code = {
  'same/src/a.ts': 'export const a = 1;\n\nexport function run() {\n  return a;\n}\n',
  'same/src/b.ts': "import { a } from './a';\r\nconsole.log(a);\r\n",
  'same/docs/día 😀.md': '# Day\nno final line break',
  'same/.env': 'TOKEN=secret\n',
  'same/empty.txt': '',
  'same/image.png': Buffer.from('89504e470d0a1a0a00000000', 'hex'),
};

const row = (name: string, ...calls: ToolCallRow['calls']): ToolCallRow => ({ name, files: code, calls });

const table: readonly ToolCallRow[] = [
  row(
    'reads files',
    ['read_file', { path: 'same/src/a.ts' }],
    ['read_file', { path: 'same/src/b.ts', start_line: 2, end_line: 9 }],
    ['read_file', { path: 'same/docs/día 😀.md', tail: 1 }],
    ['read_file', { path: 'same/empty.txt' }],
    ['read_file', { path: 'same/.env' }],
  ),
  row(
    'refuses to read what it cannot',
    ['read_file', {}],
    ['read_file', { path: 'same' }],
    ['read_file', { path: 'same/image.png' }],
    ['read_file', { path: 'same/src/A.tss' }],
    ['read_file', { path: 'same/src/a.ts', start_line: 90 }],
    ['read_file', { path: 'same/src/a.ts', start_line: 'two' }],
    ['read_file', { path: 'same/src/a.ts', lines: 3 }],
  ),
  row(
    'writes files',
    ['write_file', { path: 'same/new/deep.txt', content: 'one\r\ntwo' }],
    ['write_file', { path: 'same/src/b.ts', content: 'x\ny\n', overwrite: true }],
    ['write_file', { path: 'same/empty.txt', content: 'full\n', overwrite: 'true' }],
    ['write_file', { file_path: 'same/alias.txt', contents: 'a\n' }],
  ),
  row(
    'refuses to write what it may not',
    ['write_file', { path: 'same/src/a.ts', content: 'x' }],
    ['write_file', { path: 'same', content: 'x', overwrite: true }],
    ['write_file', { path: 'same/half.txt', content: '\ud800' }],
    ['write_file', { path: 'same/none.txt' }],
    ['write_file', { path: 'same/image.png', content: 'x', overwrite: true }],
  ),
  row(
    'edits files one after the other',
    ['edit_file', { path: 'same/src/a.ts', old: 'a = 1', new: 'a = 2' }],
    ['edit_file', { path: 'same/src/a.ts', old: 'return a;', new: 'const b = a;\nreturn b;' }],
    ['edit_file', { path: 'same/src/b.ts', old: "'./a';\nconsole", new: "'./a.js';\nconsole" }],
    ['edit_file', { path: 'same/src/b.ts', old: 'nothing', new: '' }],
    ['edit_file', { path: 'same/image.png', old: 'P', new: 'Q' }],
  ),
  row(
    'lists folders',
    ['read_folder', { path: 'same' }],
    ['read_folder', { path: 'same', depth: 3, include_ignored: true }],
    ['read_folder', { path: 'same/src/a.ts' }],
    ['read_folder', { path: 'same/srcs' }],
    ['read_folder', { path: 'same', depth: 99 }],
  ),
  row(
    'finds files',
    ['find_files', { glob: '**/*.ts', path: 'same' }],
    ['find_files', { glob: '*', path: 'same', max: 1 }],
    ['find_files', { glob: '*.nothing', path: 'same' }],
    ['find_files', { glob: '{', path: 'same' }],
    ['find_files', { path: 'same' }],
  ),
  row(
    'searches text',
    ['search_text', { query: 'a', path: 'same/src', context: 1 }],
    ['search_text', { query: 'RETURN\\s+\\w', is_regex: true, path: 'same' }],
    ['search_text', { query: 'RETURN', case_sensitive: true, path: 'same' }],
    ['search_text', { query: 'a', path: 'same', glob: '*.md' }],
    ['search_text', { query: '(', is_regex: true, path: 'same' }],
    ['search_text', { query: 'TOKEN', path: 'same' }],
    ['search_text', { query: '', path: 'same' }],
  ),
  row(
    'moves and deletes',
    ['move_path', { from: 'same/src/a.ts', to: 'same/lib/c.ts' }],
    ['move_path', { from: 'same/docs', to: 'same/lib/' }],
    ['move_path', { from: 'same/lib/c.ts', to: 'same/src/b.ts' }],
    ['move_path', { from: 'same/nothing', to: 'same/x' }],
    ['delete_path', { path: 'same/lib' }],
    ['delete_path', { path: 'same/empty.txt' }],
    ['delete_path', { path: 'same/empty.txt' }],
    ['delete_path', {}],
  ),
  row(
    'runs commands',
    ['run_shell_command', { command: 'printf "one\\ntwo"; exit 3', cwd: 'same' }],
    ['run_shell_command', { command: 'seq 1 20000', cwd: 'same' }],
    ['run_shell_command', { command: 'true', cwd: 'same/nothing' }],
    ['run_shell_command', { command: 'true', timeout_s: 0 }],
    ['run_shell_command', {}],
    ['read_output', { log_id: 'log-00000000' }],
    ['read_output', {}],
    ['stop_command', { log_id: 'log-00000000' }],
    ['stop_command', { log_id: 7 }],
  ),
  row(
    'keeps a list, evaluates and refuses',
    ['update_todos', { items: [{ text: 'one', status: 'pending' }] }],
    ['update_todos', { items: [{ text: 'one', status: 'maybe' }] }],
    ['update_todos', {}],
    ['eval_js', { code: 'console.log("é"); [1, 2].map((x) => x * 2)' }],
    ['eval_js', { code: 'null.x' }],
    ['eval_js', { code: '' }],
    ['fetch_url', { url: 'ftp://example.com/' }],
    ['fetch_url', { url: 'http://127.0.0.1:9/' }],
    ['fetch_url', {}],
    ['ask_user', {}],
    ['call_sub_agent', {}],
  ),
];

/** Edit cases whose bytes go through the editor's documents; the other edit cases only test the texts. */
const EDIT_THEMES = ['bytes', 'white-space', 'order'];

/** Returns the table above, edit cases, and a row for each tool that the table does not name. */
export function toolCallRows(): readonly PlacedRow[] {
  const edits = [...editCases()]
    .filter(([theme]) => EDIT_THEMES.includes(theme))
    .flatMap(([theme, cases]) =>
      cases.map(({ name, before, input }): ToolCallRow => ({
        name: `edit, ${theme}: ${name}`,
        files: before ? { [`${HOME}/f.txt`]: before } : {},
        calls: [['edit_file', inHome(input)]],
      })),
    );
  return [...table, ...edits, ...rowsOfOthers()].map((each, index) => inFolder(`${HOME}${index}`, each));
}

/**
 * For tools that the table does not name: a call without arguments, and one with plausible arguments if the tool only
 * reads.
 */
function rowsOfOthers(): readonly ToolCallRow[] {
  const named = new Set(table.flatMap(({ calls }) => calls.map(([name]) => name)));
  const others = listed().filter(({ toolset, spec }) => toolset !== 'editor' && !named.has(spec.name));
  return others.map(({ spec, effect }) => {
    const plausible: ToolCallRow['calls'] =
      effect === 'read' ? [[spec.name, onFile(exampleArguments(spec))]] : [];
    return row(`calls ${spec.name}`, ...plausible, [spec.name, {}]);
  });
}

function listed(): readonly Tool[] {
  return builtInTools(
    createSurroundings({ roots: [], isTrusted: () => true, commandRules: () => ({ allow: [], deny: [] }) }),
  );
}

function onFile(input: JsonObject): JsonObject {
  return typeof input.path === 'string' ? { ...input, path: `${HOME}/src/a.ts` } : input;
}

function inHome(input: JsonObject): JsonObject {
  const { path: file } = input;
  return typeof file === 'string' ? { ...input, path: `${HOME}/${file}` } : input;
}

/** Each row has a separate folder: an editor keeps the document of a deleted file. */
function inFolder(folder: string, { name, files, calls }: ToolCallRow): PlacedRow {
  const renamed = Object.entries(files).map(
    ([file, content]) => [file.replace(HOME, folder), content] as const,
  );
  // SAFETY: JSON of the same shape as before, with another name in it.
  const placed = JSON.parse(
    JSON.stringify(calls).replaceAll(`"${HOME}`, `"${folder}`),
  ) as ToolCallRow['calls'];
  return { name, folder, files: Object.fromEntries(renamed), calls: placed };
}

/** Recreates the folder of a row, makes its calls, and returns the results and the contents of the folder. */
export async function runRow(
  root: string,
  { folder, files, calls }: PlacedRow,
  tools: readonly Tool[],
): Promise<readonly string[]> {
  const home = path.join(root, folder);
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true });
  for (const [at, [file, content]] of Object.entries(files).entries()) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), content);
    await utimes(path.join(root, file), 1_700_000_000, 1_700_000_000 + at);
  }
  const lines: string[] = [];
  for (const [name, input] of calls) lines.push(`${name} ${await answer(name, input, tools)}`);
  lines.push(...folderSnapshot(home));
  await rm(home, { recursive: true, force: true });
  return lines;
}

/**
 * Returns title, verdicts and text of a call, with every question answered yes and without parts that vary between
 * runs.
 */
async function answer(name: string, input: JsonObject, tools: readonly Tool[]): Promise<string> {
  const tool = tools.find(({ spec }) => spec.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const context = runContext();
  try {
    const prepared = await prepareCall(tool, input, context.signal);
    const { title, accesses } = prepared;
    const verdicts = accesses.map(({ effect, target, verdict }) => `${effect} ${target} ${verdict.decision}`);
    const { text } = await prepared.run(context);
    return [title, ...verdicts, steady(text)].join('\n');
  } catch (error) {
    if (error instanceof ToolError) return `! ${steady(error.message)}`;
    throw error;
  }
}

function steady(text: string): string {
  return text.replace(/\b\d+(?:\.\d+)? m?s\b/g, 'so long').replace(/\blog-[0-9a-f]{8}\b/g, 'log-id');
}
