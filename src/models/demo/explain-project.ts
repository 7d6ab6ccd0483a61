import { factsOf } from './code-facts';
import { readPaths, readText } from './results';
import { amount, code, list, sorry, type Task } from './task';

const DESCRIBED = ['README.md', 'readme.md', 'README', 'README.rst', 'README.txt'];
const BUILT: Readonly<Record<string, string>> = {
  'package.json': 'a Node.js package',
  'pyproject.toml': 'a Python project',
  'setup.py': 'a Python project',
  'Cargo.toml': 'a Rust crate',
  'go.mod': 'a Go module',
  'pom.xml': 'a Java project, built with Maven',
  'build.gradle': 'a project built with Gradle',
  'CMakeLists.txt': 'a project built with CMake',
  Makefile: 'a project built with make',
};

/** Describes the workspace by its files: build tool, languages, and its own description. */
export function* explainProject(): Task {
  const found = yield { say: 'I look at the files.', tool: 'find_files', arguments: { glob: '**/*' } };
  if (found.status !== 'success') return sorry(found);
  const paths = readPaths(found);
  if (paths.length === 0) return { text: 'There is no file here that I can see.' };
  const [file] = Object.keys(BUILT).filter((name) => paths.includes(name));
  const described = DESCRIBED.find((name) => paths.includes(name));
  const parts = [
    `This is ${(file !== undefined && BUILT[file]) || 'a folder of files'}: I see ${amount(paths.length, 'file')}, mostly ${languages(paths)}.`,
  ];
  if (described !== undefined) {
    const { read } = yield* readText(described, `I read ${described}.`);
    const heading = read && factsOf('README.md', read.lines).says;
    const text = read?.lines.find(({ text: line }) => /^[A-Za-z]/.test(line))?.text;
    if (heading !== undefined) parts.push(`${code(described)} calls it ${code(heading)}.`);
    if (text !== undefined) parts.push(`It says: ${code(text.slice(0, 200))}`);
  }
  if (file === 'package.json') {
    const { read } = yield* readText(file, `I read ${file}.`);
    const scripts = scriptsOf(read?.lines.map(({ text }) => text).join('\n') ?? '');
    if (scripts.length > 0) parts.push(`Its scripts are ${list(scripts.map(code))}.`);
  }
  return { text: `${parts.join(' ')}\n\nI am a script: this is what the files show.` };
}

function languages(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const { language } = factsOf(path, []);
    if (!language.startsWith('a ')) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3);
  return most.length === 0 ? 'in languages that I do not know' : list(most.map(([name]) => name));
}

export function scriptsOf(manifest: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(manifest);
    const scripts: unknown = (parsed as { scripts?: unknown } | null)?.scripts;
    return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  } catch (error) {
    // A manifest that is incomplete has no usable scripts.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
