import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isWithin } from '../files/path-file-system';

/** A toolchain, recognized by how its folder in the `PATH` ends, and what its programs read. */
interface Toolchain {
  readonly folder: string;
  /**
   * Relative to that folder. Contains no settings with keys, and nothing that would let a command change the toolchain.
   */
  readonly reads: readonly string[];
}

/** Programs of version managers and installers in home folders. For other folders called `bin`, see `OTHERS`. */
const TOOLCHAINS: readonly Toolchain[] = [
  {
    folder: '.cargo/bin',
    reads: ['../registry', '../git', '../../.rustup/toolchains', '../../.rustup/settings.toml'],
  },
  {
    folder: '.pyenv/shims',
    reads: ['../bin', '../libexec', '../pyenv.d', '../plugins', '../versions', '../version'],
  },
  { folder: '.pyenv/bin', reads: ['../libexec', '../pyenv.d', '../plugins', '../versions', '../version'] },
  {
    folder: '.rbenv/shims',
    reads: ['../bin', '../libexec', '../rbenv.d', '../plugins', '../versions', '../version'],
  },
  { folder: '.nodenv/shims', reads: ['../bin', '../libexec', '../nodenv.d', '../versions', '../version'] },
  { folder: '.goenv/shims', reads: ['../bin', '../libexec', '../versions', '../version'] },
  {
    folder: '.asdf/shims',
    reads: [
      '../bin',
      '../lib',
      '../libexec',
      '../plugins',
      '../installs',
      '../asdf.sh',
      '../../.tool-versions',
    ],
  },
  { folder: '.local/share/mise/shims', reads: ['../installs', '../plugins', '../../../bin/mise'] },
  { folder: '.volta/bin', reads: ['../tools'] },
  { folder: 'go/bin', reads: ['../pkg/mod'] },
  { folder: '.local/bin', reads: ['../lib', '../pipx/venvs', '../share/pipx/venvs', '../share/uv'] },
  { folder: '.local/share/pnpm', reads: [] },
  { folder: '.yarn/bin', reads: ['../../.config/yarn/global/node_modules'] },
  { folder: '.npm-global/bin', reads: ['../lib'] },
  { folder: '.dotnet/tools', reads: ['..'] },
  { folder: '.ghcup/bin', reads: ['../ghc'] },
  { folder: '.juliaup/bin', reads: ['../../.julia/juliaup'] },
  { folder: '.linuxbrew/bin', reads: ['../Cellar', '../opt', '../lib', '../share', '../etc'] },
];

/** What is beside the programs of any other installation. There is nothing like it beside a home's own `bin`. */
const OTHERS: readonly string[] = ['../lib', '../lib64', '../libexec', '../include', '../jre'];

/** Caches of package managers, for builds without network. */
const CACHES: readonly string[] = [
  '.m2/repository',
  '.gradle/wrapper',
  '.gradle/caches',
  '.cache/pip',
  '.cache/uv',
  '.npm/_cacache',
  'go/pkg/mod',
];

/** The system's own folders, whatever the `PATH` contains. Links of a merged `/usr` stay links. */
export const systemFolders: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix/store',
  '/snap',
  '/gnu/store',
];

export interface Toolchains {
  /** The folders of the `PATH` that exist, links resolved. */
  readonly searchPath: readonly string[];
  /** Files and folders to read besides the system's, absolute, links resolved. */
  readonly reads: readonly string[];
}

/** Finds what the programs on the `PATH` need outside the system's folders. */
export async function findToolchains(folders: readonly string[], home: string): Promise<Toolchains> {
  const searchPath = await existing(folders);
  const own = searchPath.filter((folder) => !systemFolders.some((system) => isWithin(folder, system)));
  const beside = own.flatMap((folder) => readsOf(folder, home).map((place) => path.resolve(folder, place)));
  const caches = CACHES.map((place) => path.join(home, place));
  // Of the system's folders, `/opt` may contain too much to be shown completely.
  const optional = searchPath.filter((folder) => isWithin(folder, '/opt') && folder !== '/opt');
  const products = optional.map((folder) => folder.split('/').slice(0, 3).join('/'));
  const reads = await existing([...own, ...beside, ...products, ...caches]);
  return { searchPath, reads: reads.filter((place) => !isWithin(home, place)) };
}

function readsOf(folder: string, home: string): readonly string[] {
  const known = TOOLCHAINS.filter((row) => `/${folder}`.endsWith(`/${row.folder}`));
  if (known.length > 0) return known.flatMap(({ reads }) => reads);
  const isInstallation = path.basename(folder) === 'bin' && path.dirname(folder) !== home;
  return isInstallation ? OTHERS : [];
}

async function existing(places: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      try {
        await lstat(place);
        return await realpath(place);
      } catch {
        return undefined;
      }
    }),
  );
  return [...new Set(found.filter((place) => place !== undefined))];
}
