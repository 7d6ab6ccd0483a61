import { isAddress } from './addresses';
import { components, isAbsolute, isShortName, join } from '../paths/path-text';
import type { RememberedFiles } from '../paths/remembered-files';
import type { Shell } from './command-text';

interface WordScope {
  readonly cwd: string;
  readonly shell: Shell;
  /** The program changes the files it is given, so it would also create a stream. */
  readonly writes: boolean;
}

interface WindowsWord {
  /** The path in it; empty if there is none. */
  readonly path: string;
  /** Why the word asks, whatever the path is. */
  readonly problem?: string;
}

/** Places that are no files: variables, the registry, certificates. Also with the name of their provider. */
const POWERSHELL_DRIVE =
  /^(?:alias|cert|env|function|hk[a-z]{2,3}|temp|variable|wsman|(?:[\w.]+[\\/])?(?:alias|certificate|environment|filesystem|function|registry|variable|wsman):):/iu;

/**
 * What a word of a command is on Windows, where a colon may name a stream of a file and `~1` another file. Most such
 * words are neither: `npm run test:unit`, `nginx:latest`, `HEAD~1`.
 */
export async function readWindowsWord(
  word: string,
  { cwd, shell, writes }: WordScope,
  files: RememberedFiles,
): Promise<WindowsWord> {
  if (shell === 'powershell' && POWERSHELL_DRIVE.test(word))
    return { path: '', problem: `a drive of PowerShell, not of the system: ${word}` };
  const exists = async (path: string): Promise<boolean> =>
    (await files.kind(absolute(path, cwd))) !== undefined;
  const start = /^[a-z]:(?=[\\/])/iu.exec(word)?.[0].length ?? 0;
  const colon = word.indexOf(':', start);
  // A single letter is a drive, whose current folder is not known.
  if (colon === 1 && start === 0 && /^[a-z]/iu.test(word)) return { path: word };
  const path = colon === -1 ? word : word.slice(0, colon);
  // `a.py::test` has no form of a stream, but `.env::$DATA` is the file itself.
  const mayBeStream = colon > 0 && !/^::[a-z]/iu.test(word.slice(colon));
  // A new file can only get a stream from a program that writes it, which an address is not.
  const isNew = writes && !isAddress(word);
  if (mayBeStream && (isNew || (await exists(path)))) return { path, problem: `stream of a file: ${word}` };
  const short = await shortName(path, exists);
  return short === undefined ? { path } : { path, problem: `short file name: ${short}` };
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path, 'win32') ? path : join(cwd, path, 'win32');
}

/** The first component that has the form of a short name and is there. */
async function shortName(
  path: string,
  exists: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const name of components(path, 'win32').filter(isShortName)) {
    if (await exists(path.slice(0, path.indexOf(name) + name.length))) return name;
  }
  return undefined;
}
