import type { PathUse, Verdict } from '../../core/words/verdict';
import { ignoredFilter, isSecret, type SecretName } from '../secrets';
import { ask, deny, strictest } from '../verdicts';
import { offerReading } from './offer-reading';
import { follow, followFolder, type PathFileSystem } from './path-file-system';
import { componentsBelow, components, isAbsolute, join, refusal, splitLast } from './path-text';
import { whyProtected } from './protected';
import { RememberedFiles } from './remembered-files';
import { markedRow } from './runs-code';
import { secretPath, whyContentAsks, whyLinked } from './secret-files';
import { passesThroughSpecial } from './special-folders';

export interface PathRequest {
  /** The folders of the workspace, absolute. Empty: no folder is open. */
  readonly roots: readonly string[];
  /** Where a relative path starts, absolute; the first root if not given. */
  readonly cwd?: string;
  /** As the model wrote it. */
  readonly path: string;
  readonly use: PathUse;
  /**
   * A model wrote the path for a tool. If it begins with the name of a workspace folder and there is nothing of that name
   * where it would start, the name means the folder. Not for commands: their programs do not know that.
   */
  readonly knowsFolderNames?: boolean;
  /** For the target of a move: the resolved path of what is moved there. */
  readonly arriving?: string;
  /** Folders with Parley's own data. */
  readonly ownFolders?: readonly string[];
  /** File name patterns that the user added for secret files. */
  readonly secretNames?: readonly SecretName[];
  /** Further files whose change asks each time: absolute, links resolved. */
  readonly alsoProtected?: readonly string[];
  /** An unknown program names the place and may only read it, so installed packages count as ordinary files. */
  readonly mayBeRead?: boolean;
}

/** A path argument, and what its place alone allows. Act on `resolved` only. */
export interface JudgedPath {
  readonly verdict: Verdict;
  /** The absolute path with all links followed; not set if the path could not be resolved or is refused. */
  readonly resolved?: string;
  /** The workspace folder that contains it, as given. */
  readonly root?: string;
  /** For people: the path below `root`, with `/`; the whole resolved path outside. */
  readonly display: string;
  /** The name of the workspace folder at its beginning was taken for the folder. */
  readonly isWithoutFolderName?: true;
  /** Changing it asks each time. Known if a change was judged. */
  readonly isProtected?: true;
  /** Reading it asks. Known for files inside the workspace. */
  readonly isSecret?: true;
}

/** Never throws. If undecidable, the verdict is `ask`, or `deny` for a change. */
export async function judgePath(request: PathRequest, files: PathFileSystem): Promise<JudgedPath> {
  const refused = refusal(request.path, files.platform);
  if (refused !== undefined) return { verdict: deny(refused), display: request.path };
  try {
    return await judgeWellFormed(request, RememberedFiles.of(files));
  } catch {
    // Whatever failed (circular links, no permission, a broken mount), the place is unknown.
    return { verdict: outside(request.use, 'the path cannot be resolved'), display: request.path };
  }
}

async function judgeWellFormed(given: PathRequest, files: RememberedFiles): Promise<JudgedPath> {
  const meant = given.knowsFolderNames ? await withoutFolderName(given, files) : undefined;
  const request = meant === undefined ? given : { ...given, path: meant };
  const { path, use } = request;
  const asked = absolute(request, files);
  if (asked === undefined) return { verdict: outside(request.use, 'no folder is open'), display: path };

  const target = await follow(asked, files);
  const resolved = changesEntry(use) ? await followFolder(asked, files) : target;
  const roots = await Promise.all(request.roots.map((root) => follow(root, files)));
  const home = innermost(roots, resolved, files);
  const found = { resolved, display: home === undefined ? resolved : home.names.join('/') || '.' };
  const root = home === undefined ? undefined : request.roots[home.index];
  const place: Omit<JudgedPath, 'verdict'> = {
    ...found,
    ...(root !== undefined && { root }),
    ...(meant !== undefined && { isWithoutFolderName: true }),
  };
  const read = { ...request, asked, target, roots, isInside: root !== undefined };
  const offered = async (verdict: Verdict): Promise<Verdict> =>
    changes(use) ? verdict : offerReading(verdict, read, files);

  if (await isSpecial([asked, target], files)) return { ...place, verdict: deny('not a regular file') };
  const targetHome = innermost(roots, target, files);
  if (home === undefined || targetHome === undefined) {
    const reason = roots.length === 0 ? 'no folder is open' : 'outside the workspace';
    return { ...place, verdict: await offered(outside(use, reason)) };
  }
  if (changesEntry(use) && (home.names.length === 0 || targetHome.names.length === 0)) {
    return { ...place, verdict: deny('the workspace folder itself') };
  }

  const askedNames = isAbsolute(path, files.platform)
    ? (innermost(request.roots, asked, files)?.names ?? [])
    : components(path, files.platform);
  const names = [askedNames, home.names, targetHome.names];
  if (changes(use)) {
    const why = await whyProtected(
      {
        takesAll: changesEntry(use),
        mayBeRead: request.mayBeRead ?? false,
        arriving: request.arriving,
        names,
        entry: { path: resolved, names: home.names },
        target,
        root: home.root,
        ownFolders: request.ownFolders ?? [],
      },
      files,
    );
    if (why) return { ...place, isProtected: true, verdict: { decision: 'ask', ...why } };
    const reached = (request.alsoProtected ?? []).find((each) =>
      [resolved, target].some((at) =>
        changesEntry(use) ? componentsBelow(at, each, files) !== undefined : isSamePath(at, each, files),
      ),
    );
    if (reached !== undefined)
      return { ...place, isProtected: true, verdict: ask('a rules file for agents imports it') };
  }
  const isFolder = (await files.kind(target)) === 'directory';
  const secrets = { platform: files.platform, added: request.secretNames ?? [] };
  const paths = [asked, resolved, target];
  const isIgnored = ignoredFilter(secrets);
  if (use !== 'delete' && paths.some((at) => isIgnored(isFolder ? `${at}/` : at))) {
    const reason = 'an ignore file for agents names it';
    return { ...place, isSecret: true, verdict: await offered(ask(reason)) };
  }
  // Before a file exists, its name decides; a folder called `credentials` is not secret.
  if (use !== 'delete' && !isFolder) {
    const reason =
      (paths.some((at) => isSecret(secretPath(at, files), secrets)) ? 'secret file' : undefined) ??
      (await whyContentAsks(paths, files)) ??
      (await whyLinked([target], { roots, secrets, files }));
    if (reason !== undefined) return { ...place, isSecret: true, verdict: await offered(ask(reason)) };
  }
  const marked = changes(use) ? names.map(markedRow).find((row) => row !== undefined) : undefined;
  const verdict: Verdict = {
    decision: 'auto',
    reason: 'inside the workspace',
    ...(marked && { runsCode: true, note: marked.why }),
  };
  return { ...place, verdict };
}

function isSamePath(one: string, other: string, { caseSensitive }: PathFileSystem): boolean {
  return caseSensitive ? one === other : one.toUpperCase() === other.toUpperCase();
}

function absolute({ roots, cwd, path }: PathRequest, { platform }: PathFileSystem): string | undefined {
  if (isAbsolute(path, platform)) return path;
  const base = cwd ?? roots[0];
  return base === undefined ? undefined : join(base, path, platform);
}

/**
 * The absolute path that is meant by one with the name of a workspace folder at its beginning: `ws/src/a.js` in the folder
 * `ws`. What exists as written wins, and `./ws/src/a.js` is always as written. `undefined` if it means what it says.
 */
async function withoutFolderName(
  { roots, cwd, path, use }: PathRequest,
  files: RememberedFiles,
): Promise<string | undefined> {
  const { platform } = files;
  const [name, ...names] = components(path, platform);
  const start = cwd ?? roots[0];
  if (start === undefined || name === undefined || isAbsolute(path, platform)) return undefined;
  // A file may have the name of its folder.
  if (names.length === 0 && changes(use)) return undefined;
  if ([name, ...names].some((each) => each === '.' || each === '..')) return undefined;
  const named = roots.filter((root) => isSameName(splitLast(root, platform)?.name, name, files));
  const [root] = named.includes(start) ? [start] : named;
  if (root === undefined || (root !== start && named.length > 1)) return undefined;
  const written = await files.kind(join(start, name, platform));
  return written === undefined ? names.reduce((at, next) => join(at, next, platform), root) : undefined;
}

function isSameName(one: string | undefined, other: string, { caseSensitive }: PathFileSystem): boolean {
  return caseSensitive ? one === other : one?.toUpperCase() === other.toUpperCase();
}

interface Home {
  /** One of the roots, and its path. */
  readonly index: number;
  readonly root: string;
  /** The components below the root. */
  readonly names: readonly string[];
}

function innermost(roots: readonly string[], path: string, files: PathFileSystem): Home | undefined {
  return roots
    .flatMap((root, index) => {
      const names = componentsBelow(root, path, files);
      return names === undefined ? [] : [{ index, root, names }];
    })
    .sort((a, b) => a.names.length - b.names.length)[0];
}

/** Devices, pipes, sockets, and the file systems that show the machine rather than files. */
async function isSpecial(paths: readonly string[], files: RememberedFiles): Promise<boolean> {
  for (const path of paths) {
    if ((await passesThroughSpecial(path, files)) || (await files.kind(path)) === 'other') return true;
  }
  return false;
}

function changes(use: PathUse): boolean {
  return use === 'write' || changesEntry(use);
}

/** Deleting or moving a link changes the link, not its target. */
function changesEntry(use: PathUse): boolean {
  return use === 'delete' || use === 'move';
}

function outside(use: PathUse, reason: string): Verdict {
  return { ...(changes(use) ? deny(reason) : ask(reason)), isOutside: true };
}

interface MoveRequest extends Omit<PathRequest, 'path' | 'use' | 'arriving'> {
  readonly from: string;
  readonly to: string;
}

interface JudgedMove {
  readonly from: JudgedPath;
  readonly to: JudgedPath;
  /** The stricter one of both ends. */
  readonly verdict: Verdict;
}

/** Judges both ends of a move or rename. Never throws. */
export async function judgeMove(request: MoveRequest, files: PathFileSystem): Promise<JudgedMove> {
  const { from, to, ...scope } = request;
  const seen = RememberedFiles.of(files);
  const source = await judgePath({ ...scope, path: from, use: 'move' }, seen);
  const arriving = source.resolved === undefined ? {} : { arriving: source.resolved };
  const target = await judgePath({ ...scope, ...arriving, path: to, use: 'move' }, seen);
  return { from: source, to: target, verdict: strictest(source.verdict, target.verdict) };
}
