import { foldName, overlaps, type Platform } from './paths/path-text';

/** Names of files that usually hold keys. Lower case, `*` stands for any characters. */
export const secretFileNames: readonly string[] = [
  '.env',
  '.env.*',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '.netrc',
  '.git-credentials',
  '.npmrc',
  '.pypirc',
  'credentials',
  'credentials.json',
  '*.tfstate',
];

/** Templates of `.env` files, which are meant to be shared. */
const TEMPLATE = /^\.env\.(?:.*\.)?(?:example|sample|template|dist)$/su;

export interface SecretNames {
  readonly platform: Platform;
  /** Patterns that the user added. */
  readonly added?: readonly string[];
}

export function isSecret(name: string, { platform, added = [] }: SecretNames): boolean {
  // In a plain name these characters stand for themselves.
  const plain = foldName(name, platform).replace(/[*?]/g, '_');
  return (
    !TEMPLATE.test(plain) &&
    [...secretFileNames, ...folded(added, platform)].some((own) => overlaps(own, plain))
  );
}

/**
 * Whether a shell pattern for names (`*`, `?`, `[…]`) is after secret files: `.e*`, `*.pem`. One that leaves the end
 * open, like `src/s*`, is after no extension, and none that begins with `*` is after hidden files.
 */
export function aimsAtSecret(pattern: string, { platform, added = [] }: SecretNames): boolean {
  const name = foldName(pattern, platform).replace(/\[.*\]/su, '*');
  return [...secretFileNames, ...folded(added, platform)].some((own) => {
    if (own.startsWith('*')) return !/[*?]$/u.test(name) && overlaps(own, name);
    if (own.startsWith('.') && /^[*?]/u.test(name)) return false;
    return overlaps(own.replace(/\*$/u, ''), name);
  });
}

function folded(patterns: readonly string[], platform: Platform): readonly string[] {
  return patterns.map((own) => foldName(own, platform));
}
