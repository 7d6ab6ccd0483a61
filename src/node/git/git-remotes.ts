import { stat } from 'node:fs/promises';
import path from 'node:path';
import { FAR_ADDRESS, gitReach } from './git-reach';
import { exists, type FolderSettings, type FoundSettings } from './git-look';

interface GitSituation {
  readonly folders: FoundSettings;
  readonly cwd: string;
  /** The branch that is checked out while the command runs; absent if it could be any branch. */
  readonly head: string | undefined;
}

/**
 * Returns the address of a local repository that a git command may reach, by its arguments or by the settings. There,
 * git would use that repository's hooks and settings, which are not switched off. Addresses that a setting or a remote
 * helper redirects count as local too.
 */
export async function whyRemotesAsk(
  words: readonly string[],
  { folders, cwd, head }: GitSituation,
): Promise<string | undefined> {
  const reach = gitReach(words);
  if (reach === undefined) return undefined;
  const [around, ...below] = folders;
  const remotes = remotesOf(around);
  for (const word of reach.repositories) {
    const addresses = reach.takesPlacesOnly ? undefined : remotes.get(word);
    const near = nearAddress(addresses ?? [word], around);
    if (near !== undefined) return near;
    // Git prefers a folder of that name to an address.
    if (reach.takesPlacesOnly && (await isRepository(path.resolve(cwd, word)))) return word;
  }
  for (const word of reach.doubtful) {
    const addresses = remotes.get(word);
    const near = addresses && nearAddress(addresses, around);
    if (near !== undefined) return near;
    if (addresses === undefined && (await isRepository(path.resolve(cwd, word)))) return word;
  }
  if (reach.usesSettings) {
    const near = nearSetting(around, { head, pushes: reach.pushes });
    if (near !== undefined) return near;
  }
  if (!reach.goesBelow) return undefined;
  const submodules = around.theirs.flatMap(([name, value]) => (SUBMODULE_URL.test(name) ? [value] : []));
  return (
    nearAddress(words.includes('submodule') ? submodules : [], around) ??
    below.map((folder) => nearAddress([...remotesOf(folder).values()].flat(), folder)).find(isGiven)
  );
}

const REMOTE_URL = /^remote\.(.+)\.(?:push)?url$/su;
const SUBMODULE_URL = /^submodule\..+\.url$/su;
const BRANCH_REMOTE = /^branch\.(.+)\.(?:push)?remote$/su;
const REWRITE = /^url\.(.*)\.(push)?insteadof$/su;
/** The remote of a branch that follows another branch of the same repository. */
const SELF = '.';

function remotesOf({ own, theirs }: FolderSettings): ReadonlyMap<string, readonly string[]> {
  const remotes = new Map<string, string[]>();
  for (const [name, value] of [...own, ...theirs]) {
    const [, remote] = REMOTE_URL.exec(name) ?? [];
    if (remote !== undefined) remotes.set(remote, [...(remotes.get(remote) ?? []), value]);
  }
  return remotes;
}

/**
 * Returns a local address that a command without a remote name may reach: of any remote, or of what the branch follows.
 */
function nearSetting(
  around: FolderSettings,
  { head, pushes }: { readonly head: string | undefined; readonly pushes: boolean },
): string | undefined {
  const remotes = remotesOf(around);
  const followed: string[] = [];
  for (const [name, value] of [...around.own, ...around.theirs]) {
    const [, branch] = BRANCH_REMOTE.exec(name) ?? [];
    const isMeant = head === undefined || branch === head;
    if (name === 'remote.pushdefault' || (branch !== undefined && isMeant)) followed.push(value);
  }
  // Fetching from the same repository starts nothing; pushing to it runs its receive hooks.
  const others = pushes ? followed : followed.filter((remote) => remote !== SELF);
  // Without a remote of this name, git takes it as a folder.
  if (followed.length === 0) others.push('origin');
  const named = others.flatMap((remote) => remotes.get(remote) ?? [remote]);
  return nearAddress([...[...remotes.values()].flat(), ...named], around);
}

function nearAddress(addresses: readonly string[], { own, theirs }: FolderSettings): string | undefined {
  const rewrites = [...own, ...theirs].flatMap(([name, value]) => {
    const [, base, push] = REWRITE.exec(name) ?? [];
    return base === undefined ? [] : [{ base, beginning: value, isForPush: push !== undefined }];
  });
  return addresses.find((address) => !everyFar(address, rewrites));
}

interface Rewrite {
  readonly base: string;
  readonly beginning: string;
  readonly isForPush: boolean;
}

/**
 * Git uses the longest matching prefix, and for pushes there may be another one. So every rewritten address must be
 * remote.
 */
function everyFar(address: string, rewrites: readonly Rewrite[]): boolean {
  const fitting = rewrites.filter(({ beginning }) => address.startsWith(beginning));
  const rewritten = fitting.map(({ base, beginning }) => base + address.slice(beginning.length));
  const isReplaced = fitting.some(({ isForPush }) => !isForPush);
  return [...rewritten, ...(isReplaced ? [] : [address])].every((each) => FAR_ADDRESS.test(each));
}

/** Whether git would open this path as a repository. */
async function isRepository(place: string): Promise<boolean> {
  for (const file of [
    path.join(place, '.git'),
    path.join(place, 'HEAD'),
    `${place}.git`,
    `${place}.bundle`,
  ]) {
    if (await exists(file)) return true;
  }
  return stat(place).then(
    (found) => found.isFile(),
    () => false,
  );
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined;
}
