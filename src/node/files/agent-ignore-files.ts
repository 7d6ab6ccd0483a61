import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { IgnoreRules } from '../../policy/paths/ignore-rules';
import type { SecretName } from '../../policy/secrets';

/** Ignore files for agents, of Parley and of others, in a folder of the workspace or one below. */
const FILES = [
  ...['.parleyignore', '.aiexclude', '.cursorignore', '.clineignore'],
  ...['.rooignore', '.geminiignore', '.aiderignore', '.codeiumignore'],
];

/** The patterns that the user added to the names of secret files, and the ignore files for agents. Read each time. */
export function secretNamesOf({
  roots,
  secretNames = () => [],
}: {
  readonly roots: readonly string[];
  readonly secretNames?: () => readonly SecretName[];
}): readonly SecretName[] {
  return [...secretNames(), ...roots.map(rulesOf)];
}

interface KnownRules {
  /** What the files looked like. */
  readonly state: string;
  readonly rules: IgnoreRules;
}

const known = new Map<string, KnownRules>();

function rulesOf(root: string): IgnoreRules {
  const real = realOf(root);
  const state = [real, ...FILES.map((name) => stateOf(path.join(root, name)))].join('\0');
  const before = known.get(root);
  if (before?.state === state) return before.rules;
  const rules = {
    folders: [...new Set([root, real])],
    texts: textsIn(root),
    below: (names: readonly string[]) => (names.some(isForeign) ? [] : textsIn(path.join(root, ...names))),
  };
  known.set(root, { state, rules });
  return rules;
}

/** Installed packages do not speak for the project; and a path that is not resolved leads elsewhere. */
function isForeign(name: string): boolean {
  return ['node_modules', '.git', '.', '..'].includes(name);
}

/** The contents of the ignore files in a folder; empty where there is none. */
function textsIn(folder: string): readonly string[] {
  return FILES.map((name) => textOf(path.join(folder, name)));
}

/** What a file looks like; empty if there is none. */
function stateOf(file: string): string {
  const stats = statsOf(file);
  if (stats === undefined) return '';
  const { ino, size, mtimeMs, ctimeMs } = stats === 'unreadable' ? NOTHING : stats;
  return [file, ino, size, mtimeMs, ctimeMs].join(' ');
}

const NOTHING: Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'> = {
  ino: 0,
  size: 0,
  mtimeMs: 0,
  ctimeMs: 0,
};

/** Nothing if there is no such file. */
function statsOf(file: string): Stats | 'unreadable' | undefined {
  return withFile(file, (descriptor) => fstatSync(descriptor));
}

/** A file that cannot be read, or is too large, names everything: it must not open what it was to close. */
function textOf(file: string): string {
  const text = withFile(file, (descriptor) => {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > limits.agentIgnoreBytes) return EVERYTHING;
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  });
  if (text === undefined) return '';
  return text === 'unreadable' ? EVERYTHING : text;
}

const EVERYTHING = '*';

function withFile<T>(file: string, use: (descriptor: number) => T): T | 'unreadable' | undefined {
  let descriptor: number;
  try {
    // A pipe of this name must not block.
    descriptor = openSync(
      file,
      constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK),
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A longer path than the system takes leads to nothing.
    return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(String(code)) ? undefined : 'unreadable';
  }
  try {
    return use(descriptor);
  } catch {
    // A folder of this name, or a broken disk.
    return 'unreadable';
  } finally {
    closeSync(descriptor);
  }
}

function realOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    // A missing folder.
    return root;
  }
}
