import { stat } from 'node:fs/promises';
import path from 'node:path';
import { FAR_ADDRESS, gitReach } from '../../policy/commands/git-reach';
import { exists, type FolderSettings, type FoundSettings } from './git-look';

interface Surroundings {
  readonly folders: FoundSettings;
  readonly cwd: string;
  /** The branch that is checked out while the command runs; not given where it may be any. */
  readonly head: string | undefined;
}

/**
 * The address of a repository on this machine that a git command reaches or may reach, by its words or by the settings.
 * There git would go by that repository's hooks and settings, past everything that is switched off here. An address that
 * a setting or a remote helper leads elsewhere counts as one, too.
 */
export async function whyRemotesAsk(
  words: readonly string[],
  { folders, cwd, head }: Surroundings,
): Promise<string | undefined> {
  const reach = gitReach(words);
  if (reach === undefined) return undefined;
  const [around, ...below] = folders;
  const remotes = remotesOf(around);
  for (const word of reach.repositories) {
    const addresses = reach.takesPlacesOnly ? undefined : remotes.get(word);
    const near = nearAddress(addresses ?? [word], around);
    if (near !== undefined) return near;
    // Git looks for a folder of that name before it takes it for an address.
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
/** Of a branch that follows another one of the same repository. */
const SELF = '.';

function remotesOf({ own, theirs }: FolderSettings): ReadonlyMap<string, readonly string[]> {
  const remotes = new Map<string, string[]>();
  for (const [name, value] of [...own, ...theirs]) {
    const [, remote] = REMOTE_URL.exec(name) ?? [];
    if (remote !== undefined) remotes.set(remote, [...(remotes.get(remote) ?? []), value]);
  }
  return remotes;
}

/** What a command without a name may reach: any remote, and what the branch follows. */
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
  // Fetching from itself starts nothing; what is pushed is received by hooks.
  const others = pushes ? followed : followed.filter((remote) => remote !== SELF);
  // Without a remote of this name git takes it for a folder.
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

/** Git takes the longest beginning that fits; for pushes there may be another one. So each of them has to lead far. */
function everyFar(address: string, rewrites: readonly Rewrite[]): boolean {
  const fitting = rewrites.filter(({ beginning }) => address.startsWith(beginning));
  const rewritten = fitting.map(({ base, beginning }) => base + address.slice(beginning.length));
  const isReplaced = fitting.some(({ isForPush }) => !isForPush);
  return [...rewritten, ...(isReplaced ? [] : [address])].every((each) => FAR_ADDRESS.test(each));
}

/** Whether git would open what lies there. */
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
