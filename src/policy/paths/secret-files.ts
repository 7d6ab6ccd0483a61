import { limits } from '../../base/limits';
import { visibleName } from '../../base/text';
import { holdsKey, isSecretByContent, secretFilter, type SecretNames } from '../secrets';
import type { PathFileSystem } from './path-file-system';
import { components, foldName, join } from './path-text';
import { isInstalled, protectedRow } from './protected-places';

/** Looks for secret files in a workspace. `roots`: absolute, links resolved. */
export interface SecretLook {
  readonly roots: readonly string[];
  readonly secrets: SecretNames;
  readonly files: PathFileSystem;
}

/** A path for `isSecret`. */
export function secretPath(path: string, { platform }: Pick<PathFileSystem, 'platform'>): string {
  return components(path, platform).join('/');
}

/**
 * Why reading a file asks whose text, not its name, shows whether it holds a key, if it does. `paths`: all paths that lead to it, the last one resolved.
 */
export async function whyContentAsks(
  paths: readonly string[],
  files: PathFileSystem,
): Promise<string | undefined> {
  const target = paths.at(-1);
  if (target === undefined || !paths.some((path) => isSecretByContent(secretPath(path, files))))
    return undefined;
  if ((await files.kind(target)) === undefined) return undefined;
  const text = await files.smallText?.(target);
  return text === undefined || holdsKey(text) ? 'secret file, it may hold a key' : undefined;
}

/**
 * Why files with several names ask, if they do: one name may be that of a secret file. Installed packages are often
 * links to a store, so only known secrets among them ask.
 */
export async function whyLinked(paths: readonly string[], look: SecretLook): Promise<string | undefined> {
  const { linked, isWhole } = await linkedToSecret(paths, look);
  const name = [...linked.values()].find((each) => each !== undefined);
  if (name !== undefined) return `secret file under another name, ${visibleName(name)}`;
  const isOrdinary = areInstalled([...linked.keys()], look);
  return isWhole || isOrdinary ? undefined : 'too many files to check whether another name of it is secret';
}

interface Linked {
  /** The files that have several names, and the secret one among them if it was found. */
  readonly linked: ReadonlyMap<string, string | undefined>;
  readonly isWhole: boolean;
}

/** Looks for other names only if a file has some; for many files, only if a secret file has some. */
export async function linkedToSecret(paths: readonly string[], look: SecretLook): Promise<Linked> {
  if (paths.length > FEW) {
    const { names, isWhole } = await linkedSecrets(look, limits.secretEntries);
    if (isWhole && names.size === 0) return { linked: new Map(), isWhole };
  }
  const found: { readonly path: string; readonly id: string }[] = [];
  for (const path of paths) {
    const links = await look.files.links?.(path);
    if (links && links.count > 1) found.push({ path, id: links.id });
  }
  if (found.length === 0) return { linked: new Map(), isWhole: true };
  const isOrdinary = areInstalled(
    found.map(({ path }) => path),
    look,
  );
  const most = isOrdinary ? limits.secretEntriesNear : limits.secretEntries;
  const { names, isWhole } = await linkedSecrets(look, most);
  return { linked: new Map(found.map(({ path, id }) => [path, names.get(id)])), isWhole };
}

const FEW = 20;

interface LinkedSecrets {
  /** The names of secret files that have other names, by the id of the file. */
  readonly names: ReadonlyMap<string, string>;
  readonly isWhole: boolean;
}

/** Starts with the folders nearest to the roots. */
async function linkedSecrets({ roots, secrets, files }: SecretLook, most: number): Promise<LinkedSecrets> {
  const isSecret = secretFilter(secrets);
  const names = new Map<string, string>();
  const queue = [...roots];
  let seen = 0;
  for (const folder of queue) {
    const found = (await files.entries(folder)) ?? [];
    seen += found.length;
    if (seen > most) return { names, isWhole: false };
    for (const { name, kind } of found) {
      const path = join(folder, name, files.platform);
      if (kind === 'directory' && isSearched(components(path, files.platform))) queue.push(path);
      if (kind !== 'file' || !isSecret(secretPath(path, files))) continue;
      const links = await files.links?.(path);
      if (links && links.count > 1) names.set(links.id, name);
    }
  }
  return { names, isWhole: true };
}

function areInstalled(paths: readonly string[], { files }: SecretLook): boolean {
  return paths.every((path) => isInstalledAt(components(path, files.platform)));
}

function isInstalledAt(names: readonly string[]): boolean {
  const row = protectedRow(names);
  return row !== undefined && isInstalled(row);
}

/** Files of installed packages and of version control are not secrets. */
function isSearched(names: readonly string[]): boolean {
  const name = foldName(names.at(-1) ?? '', 'win32');
  return !['.git', '.hg', '.svn'].includes(name) && !isInstalledAt([name]);
}
