/** How well a path fits what was typed. */
export class PathFit {
  private readonly wanted: string;

  constructor(query: string) {
    this.wanted = query.replaceAll('\\', '/').toLowerCase().replace(/\/$/, '');
  }

  /** Lower is better; `Infinity` does not match. An empty query matches all paths equally. */
  rank(path: string): number {
    const { wanted } = this;
    const folded = path.toLowerCase();
    const name = folded.slice(folded.lastIndexOf('/') + 1);
    if (wanted === '' || folded === wanted) return 0;
    if (name.startsWith(wanted)) return 1 + shortness(name);
    if (folded.startsWith(wanted)) return 2 + shortness(folded);
    if (name.includes(wanted)) return 3 + shortness(name);
    if (folded.includes(wanted)) return 4 + shortness(folded);
    return isSpread(wanted, folded) ? 5 + shortness(folded) : Infinity;
  }
}

/** Below one; of two equal matches, the shorter path was probably meant. */
function shortness(text: string): number {
  return Math.min(text.length, 999) / 1_000;
}

/** Whether the path contains the letters in this order, with others in between. */
function isSpread(wanted: string, path: string): boolean {
  let at = -1;
  for (const character of wanted) {
    at = path.indexOf(character, at + 1);
    if (at < 0) return false;
  }
  return true;
}
