import { existsSync } from 'node:fs';
import { findProgram } from '../processes/start-program';

interface GitPlace {
  readonly cwd: string;
  /** The folders of the workspace. A `git` in them is never used. */
  readonly roots: readonly string[];
}

interface GitMachine {
  readonly platform: NodeJS.Platform;
  readonly find: typeof findProgram;
  readonly exists: (file: string) => boolean;
}

const THIS_MACHINE: GitMachine = { platform: process.platform, find: findProgram, exists: existsSync };

/** Where Apple's tools are if they are installed. */
const APPLE_TOOLS: readonly string[] = [
  '/Library/Developer/CommandLineTools',
  '/Applications/Xcode.app/Contents/Developer',
  '/var/db/xcode_select_link',
];

/** The git that Parley asks; `undefined` if there is none. */
export async function gitProgram(
  place: GitPlace,
  { platform, find, exists }: GitMachine = THIS_MACHINE,
): Promise<string | undefined> {
  // Windows would also use a `git` from the current folder.
  if (platform === 'win32') return find('git', place);
  if (platform !== 'darwin') return 'git';
  const found = await find('git', place);
  // Without Apple's tools it only opens a window that offers to install them.
  const isStub = found === '/usr/bin/git' && !APPLE_TOOLS.some((tools) => exists(`${tools}/usr/bin/git`));
  return isStub ? undefined : found;
}
