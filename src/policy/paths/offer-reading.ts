import type { Verdict } from '../../core/words/verdict';
import { isSecret, type SecretName } from '../secrets';
import type { PathFileSystem } from './path-file-system';
import { componentsBelow, components, splitLast } from './path-text';

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
