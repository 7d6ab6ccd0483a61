import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import type { Verdict } from '../../core/words/verdict';
import { follow } from './path-file-system';
import { componentsBelow, foldName, join } from './path-text';
import { LONGEST_ROW, PlaceTable } from './place-table';
import type { RememberedFiles } from './remembered-files';
import { isInstalled, protectedRow, protectedRows } from './protected-places';

interface PathInRoot {
  readonly path: string;
  /** The components below the root. */
  readonly names: readonly string[];
}

interface Change {
  /** Whether the change affects everything below the entry. */
  readonly takesAll: boolean;
  /** The command may only read the place. */
  readonly mayBeRead: boolean;
  /** What is moved to the entry, with everything below it. */
  readonly arriving: string | undefined;
  /** The components below the root under each name of the place: as given, as entry, as target. */
  readonly names: readonly (readonly string[])[];
  readonly entry: PathInRoot;
  readonly target: string;
  readonly root: string;
  /** Folders with Parley's own data. */
  readonly ownFolders: readonly string[];
}

/** Why a change at a place inside the workspace asks every time, if it does. */
export async function whyProtected(
  change: Change,
  files: RememberedFiles,
): Promise<Pick<Verdict, 'reason' | 'note'> | undefined> {
  for (const names of change.names) {
    const row = protectedRow(names);
    if (row && !(change.mayBeRead && isInstalled(row))) return { reason: 'protected path', note: row.why };
  }
  const reason = await whyElse(change, files);
  return reason === undefined ? undefined : { reason };
}

async function whyElse(change: Change, files: RememberedFiles): Promise<string | undefined> {
  const alias = await protectedAlias(change, files);
  if (alias !== undefined) return alias;
  for (const folder of change.ownFolders) {
    if (await liesIn(folder, change, files)) return 'data of Parley itself';
  }
  if (!change.takesAll) return undefined;
  if (change.names.some((row) => leadsToProtected(row))) return 'may hold protected paths';
  return (
    (await whyHoldsProtected(change.entry, files)) ??
    (change.arriving === undefined
      ? undefined
      : whyHoldsProtected({ path: change.arriving, names: change.entry.names }, files))
  );
}

/**
 * A protected name may be a link to an ordinary place: `.vscode`, `.github/workflows`, `.git/hooks/pre-commit`. Or one
 * file has both names. Such links are looked for at the root, in folders that lead to protected ones, and in protected
 * folders themselves.
 */
async function protectedAlias(change: Change, files: RememberedFiles): Promise<string | undefined> {
  const names = await files.once(`other names in ${change.root}`, () => otherNames(change.root, files));
  if (names === undefined) return 'too many protected files to check for links';
  const links = await files.links(change.target);
  for (const { path, names: at, isLink } of names) {
    const isSame = isLink
      ? await liesIn(path, change, files)
      : links !== undefined && links.count > 1 && (await files.links(path))?.id === links.id;
    if (isSame) return `protected path under another name, ${visibleName(at.join('/'))}`;
  }
  return undefined;
}

interface OtherName extends PathInRoot {
  /** Otherwise it is a file, which may have more names. */
  readonly isLink: boolean;
}

async function otherNames(root: string, files: RememberedFiles): Promise<readonly OtherName[] | undefined> {
  const found: OtherName[] = [];
  const queue: PathInRoot[] = [{ path: root, names: [] }];
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const { name, kind } of (await files.entries(at.path)) ?? []) {
      const inner = { path: join(at.path, name, files.platform), names: [...at.names, name] };
      const isOwn = isProtected(inner.names);
      if (!isOwn && !leadsToProtected(inner.names)) continue;
      seen += 1;
      if (seen > limits.protectedEntries) return undefined;
      if (kind === 'link' || (kind === 'file' && isOwn)) found.push({ ...inner, isLink: kind === 'link' });
      if (kind === 'directory' && isWorthLooking(inner.names)) queue.push(inner);
    }
  }
  return found;
}

const ALIAS_LEVELS = 3;

const VERSION_CONTROL: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.sl',
  '.bzr',
  '_darcs',
  '.pijul',
]);

/**
 * In version control only hooks run anything; its other folders contain thousands of files. So do installed packages,
 * which often link to packages of the workspace.
 */
function isWorthLooking(names: readonly string[]): boolean {
  const row = protectedRow(names);
  if (names.length > ALIAS_LEVELS || (row && isInstalled(row))) return false;
  const [first, second] = names.map((name) => foldName(name, 'win32'));
  return !VERSION_CONTROL.has(first ?? '') || second === undefined || second === 'hooks';
}

/** Deleting or moving a folder does the same to everything in it. */
async function whyHoldsProtected(folder: PathInRoot, files: RememberedFiles): Promise<string | undefined> {
  const queue = [folder];
  let seen = 0;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if ((await files.kind(at.path)) !== 'directory') continue;
    for (const { name, kind } of (await files.entries(at.path)) ?? []) {
      const inner = { path: join(at.path, name, files.platform), names: [...at.names, name] };
      // Everything above was checked before.
      if (isProtected(inner.names.slice(-LONGEST_ROW)))
        return `holds the protected path ${visibleName(inner.names.join('/'))}`;
      seen += 1;
      if (seen > limits.listEntries || inner.names.length > limits.pathLevels)
        return 'too many files to check for protected ones';
      if (kind === 'directory') queue.push(inner);
    }
  }
  return undefined;
}

async function liesIn(folder: string, { entry, target }: Change, files: RememberedFiles): Promise<boolean> {
  const real = await follow(folder, files);
  return [entry.path, target].some((path) => componentsBelow(real, path, files) !== undefined);
}

export function isProtected(components: readonly string[]): boolean {
  return protectedRow(components) !== undefined;
}

/** Whether the contents of a folder with this name could make it part of a protected place: `.github`. */
export function leadsToProtected(components: readonly string[]): boolean {
  return LEADING.atEnd(components.slice(-1)) !== undefined;
}

const LEADING = /* @__PURE__ */ leadingTable();

/** Folders with ordinary names, like `bin`, are too often unrelated. */
function leadingTable(): PlaceTable<{ readonly path: string }> {
  const rows = protectedRows.flatMap(({ path }) => {
    const [first = '', second] = path.split('/');
    return second !== undefined && first.startsWith('.') ? [{ path: first }] : [];
  });
  return new PlaceTable(rows);
}
