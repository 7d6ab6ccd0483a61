import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bytePath, isBelow, toBuffer, toText, type BytePath } from './byte-paths';
import {
  lookAtRepository,
  lookAtTree,
  realBytes,
  type GuardedTree,
  type LookOptions,
  type Secrecy,
} from './guarded-tree';
import { byDepth, treeMounts, type Mount } from './mounts';
import type { PrivateFolder } from './private-folder';
import type { SecretName } from '../../policy/secrets';
import { ReadPlaces, type KeptBack } from './secrets/read-places';
import { leadsOf, repositoriesElsewhere, type Leads } from './repositories';
import { SecretCopies } from './secrets/secret-copies';
import type { SandboxSettings } from './settings';
import { certificateFolders, privateMounts, systemMounts } from './system-mounts';
import { findToolchains, type Toolchains } from './toolchains';

export interface LayoutOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  readonly secretNames: readonly SecretName[];
  readonly ownFolders: readonly string[];
  readonly settings: SandboxSettings;
  readonly searchPath: readonly string[];
  readonly watches: LookOptions['watches'];
}

export interface Look extends Omit<LookOptions, 'roots'> {
  readonly skips: ReadonlySet<BytePath>;
}

/** What a command in the sandbox sees, and what its folders contained before. */
export interface Layout {
  readonly mounts: readonly Mount[];
  readonly before: GuardedTree;
  /** The options with which its folders were scanned. */
  readonly look: Look;
  readonly leads: Leads;
  /** Repositories of the workspace that are outside a folder `.git` and that the command may write to. */
  readonly repositories: readonly BytePath[];
  /** Folders that the command may write to, links resolved. */
  readonly writable: readonly BytePath[];
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** Creates a layout for each call; scans once what hardly changes on a machine. */
export class Layouts {
  private readonly copies: SecretCopies;
  private readonly places: ReadPlaces;
  private system: ReturnType<typeof systemMounts> | undefined;
  private readonly toolchains = new Map<string, Promise<Toolchains>>();

  constructor(private readonly folder: PrivateFolder) {
    this.copies = new SecretCopies(folder);
    this.places = new ReadPlaces(this.copies);
  }

  /** Throws `TooMuchToGuard`, or an `Error` with a sentence if the workspace cannot be isolated. */
  async layOut(options: LayoutOptions): Promise<Layout> {
    const { settings } = options;
    const home = homeFolder();
    const roots = await realFolders(options.roots);
    const writable = [...roots, ...(await realFolders(settings.writePaths.map(atHome)))];
    const ownFolders = await realFolders(options.ownFolders);
    const look: Look = {
      secretNames: options.secretNames,
      isGitWritable: settings.git === 'write',
      watches: options.watches,
      skips: new Set(ownFolders),
    };
    const [workspace, system, { searchPath, reads }] = await Promise.all([
      lookAtTree({ ...look, roots: writable }),
      (this.system ??= systemMounts()),
      this.findToolchains(options.searchPath, home),
    ]);
    const isWritable = (at: BytePath): boolean => writable.some((root) => isBelow(at, root));
    const elsewhere = await repositoriesElsewhere(workspace, roots);
    const outer = elsewhere.filter((folder) => !isWritable(folder));
    const before = await withRepositories(workspace, elsewhere, look);
    const leads = await leadsOf(before.protected);
    const userPlaces = (await realFolders(settings.readPaths.map(atHome))).map(toText);
    const [programs, named, etc] = await Promise.all([
      keptBack(reads, (place) => this.places.ofPrograms(place, options.secretNames)),
      keptBack(userPlaces, (place) => this.places.ofUser(place, options.secretNames)),
      keptBack(SEARCHED_SYSTEM, (place) => this.places.ofPrograms(place, options.secretNames)),
    ]);
    const read = [...programs, ...named, ...etc];
    const behind = await behindLinks(
      [before.secretLinks, ...read.map(({ links }) => links)].flatMap((links) => [...links]),
      [...writable, ...outer, ...read.map(({ place }) => place)],
    );
    const maybeSecret = [...before.maybeSecret, ...behind.maybe];
    const copies = await this.copies.of(maybeSecret);
    const secret = [
      ...before.secret,
      ...behind.secret,
      ...maybeSecret.filter((at) => copies.get(at) === 'hidden'),
    ];
    const isGuarded = (at: BytePath): boolean =>
      isWritable(at) || outer.some((folder) => isBelow(at, folder));
    const inner = elsewhere.filter((folder) => !outer.includes(folder));
    const author = settings.git === 'write' ? await this.gitSettings(home) : [];
    const shown = [...programs, ...named].flatMap(({ place, mounts }): readonly Mount[] => [
      { type: 'read', at: place },
      ...mounts,
    ]);
    return {
      mounts: [
        ...system.shown,
        ...system.hidden,
        ...etc
          .flatMap(({ mounts }) => mounts)
          .filter(({ at }) => !system.hidden.some((folder) => isBelow(at, folder.at))),
        ...tooLarge(etc),
        ...privateMounts(bytePath(home), bytePath(await this.folder.caches())),
        ...byDepth([
          ...shown,
          ...author,
          ...secret.filter((at) => !isGuarded(at)).map((at): Mount => ({ type: 'hidden', at, kind: 'file' })),
        ]),
        ...outer.map((at): Mount => ({ type: settings.git === 'write' ? 'write' : 'read', at })),
        ...writable.map((at): Mount => ({ type: 'write', at })),
        ...treeMounts({
          roots: [...writable, ...(settings.git === 'write' ? outer : [])],
          tree: { ...before, secret: secret.filter(isGuarded) },
          targets: [
            ...linkTargets(before, leads, settings.git).filter(isWritable),
            ...(settings.git === 'write' ? [] : inner),
          ],
          copies: new Map(
            [...copies].filter((entry): entry is [BytePath, BytePath] => entry[1] !== 'hidden'),
          ),
          ownFolders,
        }),
      ],
      before,
      look,
      leads,
      repositories: settings.git === 'write' ? elsewhere : [],
      writable,
      home,
      searchPath,
    };
  }

  private findToolchains(searchPath: readonly string[], home: string): Promise<Toolchains> {
    const key = searchPath.join(path.delimiter);
    const known = this.toolchains.get(key) ?? findToolchains(searchPath, home);
    this.toolchains.set(key, known);
    return known;
  }

  /** The user's own git settings without keys, so that commits have an author. */
  private async gitSettings(home: string): Promise<readonly Mount[]> {
    const files = ['.gitconfig', '.config/git/config'].map((name) => bytePath(path.join(home, name)));
    const found = await Promise.all(
      files.map(async (at): Promise<Mount | undefined> => {
        const from = await this.copies.bare(at);
        return from === undefined ? undefined : { type: 'copy', at, from };
      }),
    );
    return found.filter((mount) => mount !== undefined);
  }
}

/** System folders in which people store things of their own. */
const SEARCHED_SYSTEM: readonly string[] = ['/etc', '/usr/local/etc', '/opt'];

/** Adds what is protected and secret in repositories outside the tree. */
export async function withRepositories(
  tree: GuardedTree,
  folders: readonly BytePath[],
  look: Look,
): Promise<GuardedTree> {
  if (folders.length === 0) return tree;
  return merged([tree, ...(await Promise.all(folders.map((folder) => lookAtRepository(folder, look))))]);
}

function merged(trees: readonly GuardedTree[]): GuardedTree {
  return {
    protected: new Map(trees.flatMap((tree) => [...tree.protected])),
    repositories: trees.flatMap(({ repositories }) => repositories),
    secret: trees.flatMap(({ secret }) => secret),
    maybeSecret: trees.flatMap(({ maybeSecret }) => maybeSecret),
    caches: trees.flatMap(({ caches }) => caches),
    secretLinks: new Map(trees.flatMap(({ secretLinks }) => [...secretLinks])),
    locked: trees.flatMap(({ locked }) => locked),
    files: new Map(trees.flatMap(({ files }) => [...files])),
  };
}

/** The targets of protected links. In a writable repository, only parts are protected. */
function linkTargets(
  { protected: entries }: GuardedTree,
  leads: Leads,
  git: 'read' | 'write',
): readonly BytePath[] {
  const links = [...leads].filter(([at]) => entries.get(at)?.kind === 'link');
  return links.flatMap(([at, to]) =>
    to === undefined || (git === 'write' && at.endsWith('/.git')) ? [] : [to],
  );
}

/** Hides system folders that contain too much to scan. */
function tooLarge(found: readonly { readonly place: BytePath }[]): readonly Mount[] {
  const places = SEARCHED_SYSTEM.map(bytePath).filter((at) => !found.some(({ place }) => place === at));
  return places.map((at) => ({ type: 'private', at }));
}

/** Returns what is hidden in these places; omits places that contain too much to scan. */
async function keptBack(
  places: readonly string[],
  find: (place: string) => Promise<KeptBack | undefined>,
): Promise<readonly (KeptBack & { readonly place: BytePath })[]> {
  const found = await Promise.all(
    places.map(async (place) => ({ place: bytePath(place), kept: await find(place) })),
  );
  return found.flatMap(({ place, kept }) => (kept ? [{ ...kept, place }] : []));
}

/** Returns the targets of links with secret names that a command could read under other names. */
async function behindLinks(
  links: readonly (readonly [BytePath, Secrecy])[],
  seen: readonly BytePath[],
): Promise<Readonly<Record<Secrecy, readonly BytePath[]>>> {
  const found: Record<Secrecy, BytePath[]> = { secret: [], maybe: [] };
  for (const [link, secrecy] of links) {
    const at = await realBytes(link);
    if (at === undefined || !seen.some((place) => isBelow(at, place))) continue;
    if (certificateFolders.some((folder) => isBelow(at, folder))) continue;
    if ((await stat(toBuffer(at)).catch(() => undefined))?.isFile()) found[secrecy].push(at);
  }
  return found;
}

export function homeFolder(): string {
  const home = path.resolve(os.homedir());
  return path.dirname(home) === home ? '/tmp' : home;
}

/** Expands `~`, as people write it in settings. */
function atHome(place: string): string {
  return place === '~' || place.startsWith('~/') ? path.join(os.homedir(), place.slice(1)) : place;
}

export async function realFolders(places: readonly string[]): Promise<readonly BytePath[]> {
  const absolute = places.filter((place) => path.isAbsolute(place));
  const found = await Promise.all(absolute.map((place) => realBytes(bytePath(place))));
  return [...new Set(found.filter((place) => place !== undefined))];
}
