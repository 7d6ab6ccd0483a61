/** Where a part stands in a text, overlapping places too, in order. Nothing stands nowhere. Linear, whatever the two hold. */
export function occurrences(text: string, part: string): number[] {
  if (part === '') return [];
  return (part.length <= SHORT ? direct(text, part) : byBeginning(text, part)) ?? byPrefixTable(text, part);
}

/** `indexOf` costs text times part in the worst case; parts up to this length cannot make it slow. */
export const SHORT = 256;

function direct(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

/** Looks for the beginning and compares the rest; gives up when that repeats too much. */
function byBeginning(text: string, part: string): number[] | undefined {
  const found: number[] = [];
  const beginning = part.slice(0, SHORT);
  let work = 32 * (text.length + part.length);
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (text.startsWith(part, at)) found.push(at);
    work -= part.length;
    if (work < 0) return undefined;
  }
  return found;
}

/** Knuth, Morris and Pratt: never looks at a character of the text twice. */
function byPrefixTable(text: string, part: string): number[] {
  const borders = new Int32Array(part.length + 1);
  for (let i = 1, border = 0; i < part.length; i++) {
    while (border > 0 && part.charCodeAt(i) !== part.charCodeAt(border)) border = borders[border] ?? 0;
    if (part.charCodeAt(i) === part.charCodeAt(border)) border++;
    borders[i + 1] = border;
  }
  const found: number[] = [];
  for (let i = 0, fitting = 0; i < text.length; i++) {
    while (fitting > 0 && text.charCodeAt(i) !== part.charCodeAt(fitting)) fitting = borders[fitting] ?? 0;
    if (text.charCodeAt(i) === part.charCodeAt(fitting)) fitting++;
    if (fitting < part.length) continue;
    found.push(i + 1 - part.length);
    fitting = borders[fitting] ?? 0;
  }
  return found;
}
