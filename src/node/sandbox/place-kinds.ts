import { limits } from '../../base/limits';
import { isInstalled, protectedRow } from '../../policy/paths/protected-places';
import { markedRow } from '../../policy/paths/runs-code';
import { isSecretByContent, secretFilter, type SecretName } from '../../policy/secrets';

/** What the path of a place below its root says about it. */
export interface PlaceKind {
  /** A change asks for approval each time. Not set if a folder above is protected already. */
  readonly isProtected: boolean;
  /** Third-party packages: many files, no keys. */
  readonly isInstalled: boolean;
  /** A file of this name usually contains keys. */
  readonly isSecret: boolean;
  /** A file of this name may contain a key. */
  readonly maybeSecret: boolean;
  /** A file of this name decides what builds, tests or scripts run. */
  readonly runsCode: boolean;
}

const ORDINARY: PlaceKind = {
  isProtected: false,
  isInstalled: false,
  isSecret: false,
  maybeSecret: false,
  runsCode: false,
};

/**
 * Caches the kinds by name: the name tables take longer than the file system, and each command checks the same names.
 */
export class PlaceKinds {
  private readonly known = new Map<string, PlaceKind>();
  private readonly isSecret: (path: string) => boolean;

  constructor(secretNames: readonly SecretName[]) {
    this.isSecret = secretFilter({ platform: 'posix', added: secretNames });
  }

  /** `names`: the last components of the path, at most as many as the longest row of a table. */
  of(names: readonly string[]): PlaceKind {
    const path = names.join('/');
    const known = this.known.get(path);
    if (known) return known;
    if (this.known.size === limits.sandboxKnownNames) this.known.clear();
    const kind = this.look(path, names);
    this.known.set(path, kind);
    return kind;
  }

  private look(path: string, names: readonly string[]): PlaceKind {
    const row = protectedRow(names);
    const isSecret = this.isSecret(path);
    const kind = {
      isProtected: row !== undefined,
      isInstalled: row !== undefined && isInstalled(row),
      isSecret,
      maybeSecret: !isSecret && isSecretByContent(path),
      runsCode: markedRow(names) !== undefined,
    };
    return Object.values(kind).includes(true) ? kind : ORDINARY;
  }
}

let last: { readonly key: string; readonly kinds: PlaceKinds } | undefined;

/** Returns the cache for the user's secret names, kept between calls. */
export function placeKinds(secretNames: readonly SecretName[]): PlaceKinds {
  const key = JSON.stringify(secretNames);
  if (last?.key !== key) last = { key, kinds: new PlaceKinds(secretNames) };
  return last.kinds;
}
