import { removeInvisible } from './hidden-characters';

export type Platform = 'posix' | 'win32';

/** Reduces a path component to what every file system or program might take it for. */
export function foldName(name: string, platform: Platform): string {
  // Windows opens `.git`, `.git. .` and `.git::$INDEX_ALLOCATION` as the same folder.
  const bare = platform === 'win32' ? name.replace(/:.*$/su, '').replace(/[. ]+$/u, '') : name;
  // Upper case first: `ß` and `SS` fold alike only in that order.
  return removeInvisible(bare).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Whether some name fits both patterns (`*`: any characters, `?`: one). A plain name is a pattern too. */
export function overlaps(first: string, second: string): boolean {
  const [a, b] = [Array.from(first), Array.from(second)];
  // reachable[j]: the part of `a` read so far and the first j characters of `b` fit a common name.
  const stars = b.findIndex((character) => character !== '*');
  let reachable = [true, ...b.map((_, j) => stars === -1 || j < stars)];
  for (const one of a) {
    const next = [one === '*' && reachable[0] === true];
    for (const [j, other] of b.entries()) {
      const [both, onlyFirst, onlySecond] = [reachable[j], reachable[j + 1], next[j]];
      next.push(
        one === '*' || other === '*'
          ? both === true || onlyFirst === true || onlySecond === true
          : both === true && (one === other || one === '?' || other === '?'),
      );
    }
    reachable = next;
  }
  return reachable[b.length] === true;
}
