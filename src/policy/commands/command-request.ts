import type { PathFileSystem } from '../paths/path-file-system';
import type { SecretName } from '../secrets';
import type { Shell } from './command-text';
import type { GitNames } from './printed-names';
import type { ShellGrammar } from './simple-commands';

export interface CommandRequest {
  /** The exact text that would run. */
  readonly command: string;
  readonly shell: Shell;
  /** Rules as in the settings: `git status`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly roots: readonly string[];
  /** Where it would run, absolute. */
  readonly cwd: string;
  readonly secretNames?: readonly SecretName[];
  readonly ownFolders?: readonly string[];
}

export interface CommandPorts {
  /** Resolves to `undefined` if there is no grammar; then every command asks. */
  readonly grammar: () => Promise<ShellGrammar | undefined>;
  readonly files: PathFileSystem;
  /** Absent where git may not be started: then every command asks that prints contents of a repository. */
  readonly gitNames?: GitNames;
}

/** A request with the place of its working folder. */
export interface PlacedRequest extends CommandRequest {
  /** Below the workspace folder, with `/`; `.` for the workspace folder. */
  readonly folder: string;
}
