import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { holdsKey, withoutKeys } from '../../policy/secrets';
import { bytePath, isBelow, toBuffer, toText, type BytePath } from './byte-paths';
import {
  lookAtRepository,
  lookAtTree,
  realBytes,
  TooMuchToGuard,
  type GuardedTree,
  type LookOptions,
} from './guarded-tree';
import { byDepth, treeMounts, type Mount } from './mounts';
import type { PrivateFolder } from './private-folder';
import { repositoriesElsewhere } from './repositories';
import type { SandboxSettings } from './settings';
import { certificateFolders, privateMounts, systemMounts } from './system-mounts';
import { findToolchains, type Toolchains } from './toolchains';

export interface LayoutOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  readonly secretNames: readonly string[];
  readonly ownFolders: readonly string[];
  readonly settings: SandboxSettings;
  readonly searchPath: readonly string[];
  readonly watches: LookOptions['watches'];
}

/** What a command in the sandbox sees, and what its folders held before. */
export interface Layout {
  readonly mounts: readonly Mount[];
  readonly before: GuardedTree;
  /** Folders that it may write to, links resolved. */
  readonly writable: readonly BytePath[];
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** Lays out one call after another; what hardly changes on a machine is looked at once. */
export class Layouts {
  private readonly readable = new Map<string, Promise<readonly Mount[]>>();
  private system: ReturnType<typeof systemMounts> | undefined;
  private readonly toolchains = new Map<string, Promise<Toolchains>>();

  constructor(private readonly folder: PrivateFolder) {}

  /** Throws `TooMuchToGuard`, and `Error` with a sentence where the workspace cannot be kept apart. */
  async layOut(options: LayoutOptions): Promise<Layout> {
    const { settings } = options;
    const home = homeFolder();
    const roots = await realFolders(options.roots);
    const writable = [...roots, ...(await realFolders(settings.writePaths.map(atHome)))];
    const look = lookOptions(options);
    const [before, system, { searchPath, reads }] = await Promise.all([
      lookAtTree({ ...look, roots: writable }),
      (this.system ??= systemMounts()),
      this.findToolchains(options.searchPath, home),
    ]);
    const elsewhere = await repositoriesElsewhere(before, roots);
    const outer = elsewhere.filter((folder) => !writable.some((root) => isBelow(folder, root)));
    const trees = [before, ...(await Promise.all(outer.map((folder) => lookAtRepository(folder, look))))];
    const tree = merged(trees);
    const links = await this.linkTargets(before, writable);
    const copies = await this.copies(tree.maybeSecret);
    const unreadable = tree.maybeSecret.filter((file) => copies.get(file) === 'hidden');
    const extra = [...reads, ...(await realFolders(settings.readPaths.map(atHome))).map(toText)];
    const shown = await Promise.all(extra.map((place) => this.readMounts(place, options.secretNames)));
    const etc = await Promise.all(SEARCHED_SYSTEM.map((at) => this.systemSecrets(at, options.secretNames)));
    const inner = elsewhere.filter((folder) => !outer.includes(folder));
    const author = settings.git === 'write' ? await this.gitSettings(home) : [];
    return {
      mounts: [
        ...system.shown,
        ...system.hidden,
        ...etc.flat().filter(({ at }) => !system.hidden.some((folder) => isBelow(at, folder.at))),
        ...privateMounts(bytePath(home)),
        ...byDepth([...shown.flat(), ...author]),
        ...outer.map((at): Mount => ({ type: settings.git === 'write' ? 'write' : 'read', at })),
        ...writable.map((at): Mount => ({ type: 'write', at })),
        ...treeMounts({
          roots: [...writable, ...(settings.git === 'write' ? outer : [])],
          tree: { ...tree, secret: [...tree.secret, ...unreadable] },
          targets: [...links, ...(settings.git === 'write' ? [] : inner)],
          copies: new Map(
            [...copies].filter((entry): entry is [BytePath, BytePath] => entry[1] !== 'hidden'),
          ),
          ownFolders: await realFolders(options.ownFolders),
        }),
      ],
      before,
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

  /** A place to read, without the keys in it. One that holds too much to look at is left out. */
  private async readMounts(place: string, secretNames: readonly string[]): Promise<readonly Mount[]> {
    try {
      const at = bytePath(place);
      return [{ type: 'read', at }, ...(await this.secretsIn(place, secretNames))];
    } catch (error) {
      if (error instanceof TooMuchToGuard) return [];
      throw error;
    }
  }

  /** Of a folder that holds too much to be looked at nothing is shown. */
  private async systemSecrets(place: string, secretNames: readonly string[]): Promise<readonly Mount[]> {
    try {
      return await this.secretsIn(place, secretNames);
    } catch (error) {
      if (error instanceof TooMuchToGuard) return [{ type: 'private', at: bytePath(place) }];
      throw error;
    }
  }

  private secretsIn(place: string, secretNames: readonly string[]): Promise<readonly Mount[]> {
    const key = [place, ...secretNames].join('\0');
    const known = this.readable.get(key) ?? this.findSecrets(bytePath(place), secretNames);
    this.readable.set(key, known);
    return known;
  }

  private async findSecrets(root: BytePath, secretNames: readonly string[]): Promise<readonly Mount[]> {
    const skips = new Set(certificateFolders);
    const look = { secretNames, isGitWritable: false, watches: 'what-runs', skips } as const;
    const { secret, maybeSecret } = await lookAtTree({ ...look, roots: [root] });
    const copies = await this.copies(maybeSecret);
    const changed = [...copies].map(([at, from]): Mount =>
      from === 'hidden' ? { type: 'hidden', at, kind: 'file' } : { type: 'copy', at, from },
    );
    return [...secret.map((at): Mount => ({ type: 'hidden', at, kind: 'file' })), ...changed];
  }

  /** Who commits, and how: the user's own settings of git, without keys. */
  private async gitSettings(home: string): Promise<readonly Mount[]> {
    const files = ['.gitconfig', '.config/git/config'].map((name) => bytePath(path.join(home, name)));
    const found = await Promise.all(
      files.map(async (at): Promise<Mount | undefined> => {
        const bare = withoutKeys(await readFile(toBuffer(at), 'utf8').catch(() => ''));
        if (bare === undefined || bare === '') return undefined;
        return { type: 'copy', at, from: bytePath(await this.folder.write(bare)) };
      }),
    );
    return found.filter((mount) => mount !== undefined);
  }

  /** Of settings that hold a key a copy without it. */
  private async copies(files: readonly BytePath[]): Promise<ReadonlyMap<BytePath, BytePath | 'hidden'>> {
    const found = new Map<BytePath, BytePath | 'hidden'>();
    for (const file of files) {
      const text = await readFile(toBuffer(file), 'utf8').catch(() => '');
      if (!holdsKey(text)) continue;
      const bare = withoutKeys(text);
      found.set(file, bare === undefined ? 'hidden' : bytePath(await this.folder.write(bare)));
    }
    return found;
  }

  /** What protected links lead to, as far as a command could write there. */
  private async linkTargets(
    { protected: entries }: GuardedTree,
    writable: readonly BytePath[],
  ): Promise<readonly BytePath[]> {
    const links = [...entries].filter(([, { kind }]) => kind === 'link').map(([at]) => at);
    const targets = await Promise.all(links.map(realBytes));
    return targets
      .filter((at) => at !== undefined)
      .filter((at) => writable.some((root) => isBelow(at, root)));
  }
}

/** System folders in which people put things of their own. */
const SEARCHED_SYSTEM: readonly string[] = ['/etc', '/usr/local/etc', '/opt'];

export function lookOptions({ secretNames, settings, watches }: LayoutOptions): Omit<LookOptions, 'roots'> {
  return { secretNames, isGitWritable: settings.git === 'write', watches };
}

function merged(trees: readonly GuardedTree[]): GuardedTree {
  return {
    protected: new Map(trees.flatMap((tree) => [...tree.protected])),
    repositories: trees.flatMap(({ repositories }) => repositories),
    secret: trees.flatMap(({ secret }) => secret),
    maybeSecret: trees.flatMap(({ maybeSecret }) => maybeSecret),
    caches: trees.flatMap(({ caches }) => caches),
    locked: trees.flatMap(({ locked }) => locked),
    files: new Map(trees.flatMap(({ files }) => [...files])),
  };
}

export function homeFolder(): string {
  const home = path.resolve(os.homedir());
  return path.dirname(home) === home ? '/tmp' : home;
}

/** `~` as people write it in settings. */
function atHome(place: string): string {
  return place === '~' || place.startsWith('~/') ? path.join(os.homedir(), place.slice(1)) : place;
}

export async function realFolders(places: readonly string[]): Promise<readonly BytePath[]> {
  const absolute = places.filter((place) => path.isAbsolute(place));
  const found = await Promise.all(absolute.map((place) => realBytes(bytePath(place))));
  return [...new Set(found.filter((place) => place !== undefined))];
}
