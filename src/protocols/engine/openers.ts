import type { Reader } from './reader';

/** Who knows an opener, in the order in which they are asked. */
export function byOpener(readers: readonly Reader[]): ReadonlyMap<string, readonly Reader[]> {
  const found = new Map<string, Reader[]>();
  for (const reader of readers)
    for (const opener of reader.openers) found.set(opener, [...(found.get(opener) ?? []), reader]);
  return found;
}

/** Longer tokens come first: one may begin with another. */
export function byFirstCharacter(tokens: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const token of [...tokens].sort((a, b) => b.length - a.length)) {
    const first = token[0] ?? '';
    found.set(first, [...(found.get(first) ?? []), token]);
  }
  return found;
}
