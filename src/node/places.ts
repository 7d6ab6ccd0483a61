import type { PathRequest } from '../policy/paths';

/** Where files may be read and written, as whoever creates something of this folder says it. */
export interface PlacesOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  /** File name patterns that the user added to the secret ones; asked anew each time. */
  readonly secretNames?: () => readonly string[];
  /** Folders with Parley's own data. */
  readonly ownFolders?: readonly string[];
}

/** The same as the policy wants to know it, as it is now. */
export function placesNow({
  roots,
  secretNames,
  ownFolders,
}: PlacesOptions): Pick<PathRequest, 'roots' | 'secretNames' | 'ownFolders'> {
  return {
    roots,
    ...(secretNames && { secretNames: secretNames() }),
    ...(ownFolders && { ownFolders }),
  };
}
