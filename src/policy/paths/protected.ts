import { limits } from '../../base/limits';
import { follow } from './path-file-system';
import type { RememberedFiles } from './remembered-files';
import { componentsBelow, foldName, join, overlaps, type Platform } from './path-text';

interface Entry {
  readonly path: string;
  /** The components below the root. */
  readonly names: readonly string[];
}

interface Change {
  /** Whether what lies below the entry goes with it. */
  readonly takesAll: boolean;
  /** What comes to lie at the entry, with all that lies below it. */
  readonly arriving: string | undefined;
  /** The components below the root under each name the place has: as asked, as entry, as target. */
  readonly names: readonly (readonly string[])[];
  readonly entry: Entry;
  readonly target: string;
  readonly root: string;
  /** Folders with Parley's own data. */
  readonly ownFolders: readonly string[];
}

/** Why a change at a place inside the workspace is asked every time, if it is. */
export async function whyProtected(change: Change, files: RememberedFiles): Promise<string | undefined> {
  if (change.names.some((row) => isProtected(row, files.platform))) return 'protected path';
  const alias = await protectedAlias(change, files);
  if (alias !== undefined) return alias;
  for (const folder of change.ownFolders) {
    if (await liesIn(folder, change, files)) return 'data of Parley itself';
  }
  if (!change.takesAll) return undefined;
  if (change.names.some((row) => leadsToProtected(row, files.platform))) return 'may hold protected paths';
  return (
    (await whyHoldsProtected(change.entry, files)) ??
    (change.arriving === undefined
      ? undefined
      : whyHoldsProtected({ path: change.arriving, names: change.entry.names }, files))
  );
}

/**
 * A protected name may be a link to an ordinary place: `.vscode`, `.github/workflows`, `.git/hooks/pre-commit`. Such
 * links are looked for at the root, in folders that lead to protected ones, and in protected folders themselves.
 */
async function protectedAlias(change: Change, files: RememberedFiles): Promise<string | undefined> {
  const links = await files.once(`links in ${change.root}`, () => protectedLinks(change.root, files));
  if (links === undefined) return 'too many protected files to look for links among them';
  for (const { path, names } of links) {
    if (await liesIn(path, change, files)) return `protected path under another name, ${names.join('/')}`;
  }
  return undefined;
}

async function protectedLinks(root: string, files: RememberedFiles): Promise<readonly Entry[] | undefined> {
  const links: Entry[] = [];
  const queue: Entry[] = [{ path: root, names: [] }];
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const { name, kind } of (await files.entries(at.path)) ?? []) {
      const inner = { path: join(at.path, name, files.platform), names: [...at.names, name] };
      const isOwn = isProtected(inner.names, files.platform);
      if (!isOwn && !leadsToProtected(inner.names, files.platform)) continue;
      seen += 1;
      if (seen > limits.protectedEntries) return undefined;
      if (kind === 'link') links.push(inner);
      if (kind === 'directory' && isWorthLooking(inner.names, files.platform)) queue.push(inner);
    }
  }
  return links;
}

const ALIAS_LEVELS = 3;

/** Of version control only the hooks run anything; its other folders hold thousands of files. */
function isWorthLooking(names: readonly string[], platform: Platform): boolean {
  if (names.length > ALIAS_LEVELS) return false;
  const [first, second] = names.map((name) => foldName(name, platform));
  const isVersionControl = first === '.git' || first === '.hg' || first === '.svn';
  return !isVersionControl || second === undefined || second === 'hooks';
}

/** Deleting or moving a folder does the same to everything in it. */
async function whyHoldsProtected(folder: Entry, files: RememberedFiles): Promise<string | undefined> {
  const queue = [folder];
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if ((await files.kind(at.path)) !== 'directory') continue;
    for (const { name, kind } of (await files.entries(at.path)) ?? []) {
      const inner = { path: join(at.path, name, files.platform), names: [...at.names, name] };
      if (isProtected(inner.names, files.platform))
        return `holds the protected path ${inner.names.join('/')}`;
      seen += 1;
      if (seen > limits.listEntries) return 'too many files to look for protected ones';
      if (kind === 'directory') queue.push(inner);
    }
  }
  return undefined;
}

async function liesIn(folder: string, { entry, target }: Change, files: RememberedFiles): Promise<boolean> {
  const real = await follow(folder, files);
  return [entry.path, target].some((path) => componentsBelow(real, path, files) !== undefined);
}

/**
 * Places whose content runs later or steers an agent or a tool. Each is a row of path components, at any depth;
 * what lies under one is protected too. Lower case, `*` stands for any characters.
 */
export const protectedPaths: readonly string[] = [
  // Version control
  '.git',
  '.hg',
  '.svn',
  '.gitmodules',
  '.gitattributes',
  '.gitconfig',
  // Editors
  '.vscode',
  '*.code-workspace',
  '.idea',
  '.vs',
  '.devcontainer',
  // Continuous integration and hooks
  '.github/workflows',
  '.github/actions',
  '.gitlab-ci.yml',
  '.circleci',
  '.husky',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lefthook.yaml',
  '.envrc',
  // Agents
  '.mcp.json',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.roo',
  '.cline',
  '.clinerules',
  '.windsurf',
  '.kilocode',
  '.continue',
  '.opencode',
  '.amazonq',
  '.kiro',
  '.agents',
  '.cursorrules',
  'agents.md',
  'claude.md',
  'gemini.md',
  'skill.md',
  'copilot-instructions.md',
  // Package managers and tools
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pypirc',
  '.ripgreprc',
  // Shell start files
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.ssh',
  // Virtual environments, whatever their folder is called
  'bin/activate*',
  'scripts/activate*',
  'bin/python',
  'bin/python.exe',
  'bin/python2*',
  'bin/python3*',
  'bin/pypy*',
  'scripts/python.exe',
  'scripts/pythonw.exe',
];

const ROWS = protectedPaths.map((path) => path.split('/'));

export function isProtected(components: readonly string[], platform: Platform): boolean {
  const names = components.map((name) => foldName(name, platform));
  return ROWS.some((row) => names.some((_, at) => fits(row, names.slice(at, at + row.length))));
}

/** Whether a folder of this name could become part of a protected place by what it holds: `.github`. */
export function leadsToProtected(components: readonly string[], platform: Platform): boolean {
  const last = components.slice(-1).map((name) => foldName(name, platform));
  return ROWS.some(
    (row) => row.length > 1 && row[0]?.startsWith('.') === true && fits(row.slice(0, 1), last),
  );
}

function fits(row: readonly string[], names: readonly string[]): boolean {
  return (
    row.length === names.length &&
    row.every((pattern, index) => {
      const name = names[index] ?? '';
      // Without this a file called `*` would fit every pattern.
      return pattern.includes('*') ? overlaps(pattern, name.replace(/[*?]/g, '_')) : pattern === name;
    })
  );
}
