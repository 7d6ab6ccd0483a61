import { never } from '../base/never';
import type { Grant, Verdict } from '../core/words/verdict';
import type { PathFileSystem } from './paths/path-file-system';
import { componentsBelow, components, splitLast } from './paths/path-text';
import { isSecret, type SecretName } from './secrets';

export function ask(reason: string): Verdict {
  return { decision: 'ask', reason };
}

export function deny(reason: string): Verdict {
  return { decision: 'deny', reason };
}

const ORDER = { auto: 0, ask: 1, deny: 2 } as const;

/** The strictest verdict; of equal ones the first. */
export function strictest(first: Verdict, ...more: readonly Verdict[]): Verdict {
  return more.reduce((worst, next) => (ORDER[next.decision] > ORDER[worst.decision] ? next : worst), first);
}

/** Whether the user's grants cover the grant that is needed. */
export function coversGrant(granted: Grant, wanted: Grant): boolean {
  switch (wanted.type) {
    case 'edits-in-session':
    case 'moves-in-session':
      return granted.type === wanted.type;
    case 'read-file-in-session':
      return granted.type === wanted.type && granted.path === wanted.path;
    case 'read-folder-in-session':
      return granted.type === wanted.type && includesPath(granted.path, wanted.path);
    case 'fetch-origin-in-session':
      return granted.type === wanted.type && granted.origin === wanted.origin;
    case 'allow-commands':
      // Commands are judged elsewhere; this only checks whether the rules would be enough.
      return granted === wanted;
    case 'allow-mcp-tool':
      return granted.type === wanted.type && granted.digest === wanted.digest;
    default:
      return never(wanted);
  }
}

/** Both absolute, links resolved. Hidden entries below a folder ask separately. */
function includesPath(folder: string, path: string): boolean {
  const separator = folder.startsWith('/') ? '/' : '\\';
  if (path === folder) return true;
  return path.startsWith(folder + separator) && !path.slice(folder.length).includes(`${separator}.`);
}

interface AskedRead {
  /** Absolute, as the path was given. */
  readonly asked: string;
  /** Absolute, links resolved. */
  readonly target: string;
  readonly isInside: boolean;
  /** The folders of the workspace, links resolved. */
  readonly roots: readonly string[];
  readonly secretNames?: readonly SecretName[];
}

/**
 * Adds to a verdict on reading what the user may allow for the session: a single secret or hidden file, or the folder
 * outside the workspace. Never offers a folder that contains the workspace or most of the machine.
 */
export async function offerReading(
  verdict: Verdict,
  read: AskedRead,
  files: PathFileSystem,
): Promise<Verdict> {
  if (verdict.decision !== 'ask') return verdict;
  const { asked, target, isInside, roots, secretNames: added = [] } = read;
  const last = splitLast(target, files.platform);
  if (last === undefined) return verdict;
  const isFolder = (await files.kind(target)) === 'directory';
  const paths = [target, asked].map((path) => components(path, files.platform).join('/'));
  const secret = !isFolder && paths.some((path) => isSecret(path, { platform: files.platform, added }));
  if (isInside || secret || (!isFolder && last.name.startsWith('.'))) {
    const reason = secret && !isInside ? `secret file, ${verdict.reason}` : verdict.reason;
    return { ...verdict, reason, grant: { type: 'read-file-in-session', path: target } };
  }
  const folder = isFolder ? target : last.folder;
  const isHigh = components(folder, files.platform).length < 2;
  const holdsWorkspace = roots.some((root) => componentsBelow(folder, root, files) !== undefined);
  if (isHigh || holdsWorkspace) return verdict;
  return { ...verdict, grant: { type: 'read-folder-in-session', path: folder } };
}
