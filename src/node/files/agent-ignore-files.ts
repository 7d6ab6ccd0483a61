import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { IgnoreRules } from '../../policy/paths/ignore-rules';
import type { SecretName } from '../../policy/secrets';

/** Ignore files for agents, of Parley and of others, at the root of a workspace folder. */
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
  return [...secretNames(), ...roots.flatMap((root) => rulesOf(root) ?? [])];
}

interface KnownRules {
  /** What the files looked like. */
  readonly state: string;
  readonly rules: IgnoreRules;
}

const known = new Map<string, KnownRules>();

function rulesOf(root: string): IgnoreRules | undefined {
  const found = FILES.flatMap((name) => lookAt(path.join(root, name)) ?? []);
  const real = realOf(root);
  const state = [real, ...found.map(({ state }) => state)].join('\0');
  const before = known.get(root);
  if (before?.state === state) return before.rules;
  known.delete(root);
  if (found.length === 0) return undefined;
  const rules = { folders: [...new Set([root, real])], texts: found.map(({ file }) => textOf(file)) };
  known.set(root, { state, rules });
  return rules;
}

function lookAt(file: string): { readonly file: string; readonly state: string } | undefined {
  const stats = statsOf(file);
  if (stats === undefined) return undefined;
  const { ino, size, mtimeMs, ctimeMs } = stats === 'unreadable' ? NOTHING : stats;
  return { file, state: [file, ino, size, mtimeMs, ctimeMs].join(' ') };
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
  return text === undefined || text === 'unreadable' ? EVERYTHING : text;
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
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unreadable';
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
