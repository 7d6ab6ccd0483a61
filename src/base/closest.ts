/** The candidates with the smallest edit distance to a word, best first; only those that are plausible. */
export function closest(word: string, candidates: readonly string[], count = 3): string[] {
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Names are short; of a longer text only the beginning is compared. */
const COMPARED = 64;

function distanceOf(first: string, second: string): number {
  return editDistance(first.slice(0, COMPARED), second.slice(0, COMPARED));
}

/** The least number of characters to insert, delete or replace. Takes time in proportion to both lengths: cut them first. */
export function editDistance(first: string, second: string): number {
  // The distances from the beginning of `first` so far to each beginning of `second`.
  const row = Array.from({ length: second.length + 1 }, (_, column) => column);
  for (let i = 1; i <= first.length; i++) {
    let diagonal = i - 1;
    row[0] = i;
    for (let j = 1; j <= second.length; j++) {
      const above = row[j] ?? 0;
      const isEqual = first.charCodeAt(i - 1) === second.charCodeAt(j - 1);
      row[j] = isEqual ? diagonal : 1 + Math.min(diagonal, above, row[j - 1] ?? 0);
      diagonal = above;
    }
  }
  return row[second.length] ?? 0;
}
