import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { limits } from '../../../base/limits';
import { LONGEST_ROW } from '../../../policy/paths/place-table';
import { isSecretByContent, secretFilter, type SecretName } from '../../../policy/secrets';
import { bytePath, joinBytes, toBuffer, toText, type BytePath } from '../byte-paths';
import type { Secrecy } from '../guarded-tree';
import type { Mount } from '../mounts';
import type { SecretCopies } from './secret-copies';
import { certificateFolders } from '../system-mounts';

/** What is hidden from commands in a read-only place. */
export interface KeptBack {
  readonly mounts: readonly Mount[];
  /** Links with secret names. Their targets are secret too. */
  readonly links: ReadonlyMap<BytePath, Secrecy>;
}

/** Finds secrets in folders that commands may only read. */
export class ReadPlaces {
  private readonly known = new Map<string, Promise<KeptBack | undefined>>();

  constructor(private readonly copies: SecretCopies) {}

  /** For programs and system settings: searched only once. */
  ofPrograms(place: string, secretNames: readonly SecretName[]): Promise<KeptBack | undefined> {
    const key = JSON.stringify([place, secretNames]);
    const known = this.known.get(key) ?? this.find(place, new SecretLook(secretNames, isPublished));
    this.known.set(key, known);
    return known;
  }

  /** For a place that the user configured: searched again for each command. */
  ofUser(place: string, secretNames: readonly SecretName[]): Promise<KeptBack | undefined> {
    return this.find(place, new SecretLook(secretNames, isInstalledFolder));
  }

  /** Returns `undefined` if the place contains too much to search. */
  private async find(place: string, look: SecretLook): Promise<KeptBack | undefined> {
    await look.folder(bytePath(place), []);
    if (look.isTooMuch) return undefined;
    const copies = await this.copies.of(look.maybeSecret);
    const changed = [...copies].map(([at, from]): Mount =>
      from === 'hidden' ? { type: 'hidden', at, kind: 'file' } : { type: 'copy', at, from },
    );
    const hidden = look.hidden.map((at): Mount => ({ type: 'hidden', at, kind: 'file' }));
    return { mounts: [...hidden, ...changed], links: look.links };
  }
}

/** Third-party packages: many files, no keys. */
const INSTALLED: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'site-packages', 'dist-packages', '__pycache__'],
]);
/** The same for languages and package managers. */
const PUBLISHED: ReadonlySet<string> = new Set([
  ...['_cacache', 'registry', 'rustlib', 'pkg/mod', 'lib/ruby', 'share/man', 'share/doc', 'share/locale'],
]);
const PYTHON = /^lib(?:64)?\/python\d[\d.]*t?$/u;

/** Checks names only; does not follow links. */
class SecretLook {
  readonly hidden: BytePath[] = [];
  readonly maybeSecret: BytePath[] = [];
  readonly links = new Map<BytePath, Secrecy>();
  private seen = 0;
  private readonly isSecret: (path: string) => boolean;

  constructor(
    secretNames: readonly SecretName[],
    private readonly passesOver: (names: readonly string[]) => boolean,
  ) {
    this.isSecret = secretFilter({ platform: 'posix', added: secretNames });
  }

  get isTooMuch(): boolean {
    return this.seen > limits.sandboxEntries;
  }

  async folder(folder: BytePath, above: readonly string[]): Promise<void> {
    // If this user cannot read the folder, commands cannot either. A file has no entries.
    const entries = await readdir(toBuffer(folder), READ).catch(() => []);
    this.seen += entries.length;
    if (this.isTooMuch) return;
    const inner: Promise<void>[] = [];
    for (const entry of entries) {
      const name = bytePath(entry.name);
      const names = [...above, toText(name)];
      const path = joinBytes(folder, name);
      if (!entry.isDirectory()) this.file(entry, path, names.join('/'));
      else if (!this.passesOver(names) && !certificateFolders.includes(path))
        inner.push(this.folder(path, names.slice(1 - LONGEST_ROW)));
    }
    await Promise.all(inner);
  }

  private file(entry: Dirent<Buffer>, path: BytePath, names: string): void {
    // A pipe can be written to even in a read-only place.
    if (entry.isFIFO()) this.hidden.push(path);
    const maybeSecret = isSecretByContent(names);
    if (!maybeSecret && !this.isSecret(names)) return;
    if (entry.isSymbolicLink()) this.links.set(path, maybeSecret ? 'maybe' : 'secret');
    else if (entry.isFile()) (maybeSecret ? this.maybeSecret : this.hidden).push(path);
  }
}

const READ = { withFileTypes: true, encoding: 'buffer' } as const;

function isInstalledFolder(names: readonly string[]): boolean {
  return INSTALLED.has(names.at(-1) ?? '');
}

function isPublished(names: readonly string[]): boolean {
  const two = names.slice(-2).join('/');
  return (
    isInstalledFolder(names) || PUBLISHED.has(names.at(-1) ?? '') || PUBLISHED.has(two) || PYTHON.test(two)
  );
}
