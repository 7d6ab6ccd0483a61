import type { Files, Place } from '../ports/files';
import type { Languages, TextSpot } from '../ports/languages';
import { splitLines } from '../text/lines';

interface SymbolQuery {
  readonly place: Place;
  readonly symbol: string;
  /** The only line where it may be. */
  readonly line?: number | undefined;
}

/** How many lines are asked about. */
const MOST = 20;

/**
 * The places in a file that a symbol's name can mean: where the editor says it is defined, else one place for each
 * symbol of that name. Without a language service, the first place.
 */
export async function spotsOf(
  { place, symbol, line }: SymbolQuery,
  { files, languages }: { readonly files: Pick<Files, 'readText'>; readonly languages: Languages },
): Promise<readonly TextSpot[]> {
  const lines = splitLines((await files.readText(place)).text);
  const all = lines.flatMap((text, at) => {
    const column = columnOf(symbol, text);
    return column === undefined ? [] : [{ line: at + 1, column }];
  });
  if (line !== undefined) return all.filter((spot) => spot.line === line);
  const outlined = (await languages.outline(place)).filter(({ name }) => name === symbol);
  const defined = outlined.flatMap((known) => {
    const spot = all.find((each) => each.line >= known.line && each.line <= known.endLine);
    return spot ? [spot] : [];
  });
  if (defined.length > 0) return [...new Map(defined.map((spot) => [spot.line, spot])).values()];
  return onePerSymbol(place, all, languages);
}

/** Uses of one symbol count once; a name that is not a symbol, as in a comment, does not count. */
async function onePerSymbol(
  place: Place,
  all: readonly TextSpot[],
  languages: Pick<Languages, 'references'>,
): Promise<readonly TextSpot[]> {
  const found: TextSpot[] = [];
  const covered = new Set<number>();
  for (const spot of all.slice(0, MOST)) {
    if (covered.has(spot.line)) continue;
    const uses = await languages.references(place, spot);
    if (uses.length > 0) found.push(spot);
    for (const { path, line } of uses) if (path === place.resolved) covered.add(line);
  }
  return found.length > 0 ? found : all.slice(0, 1);
}

/** From 1; nothing if the line does not contain it as a whole word. */
function columnOf(symbol: string, line: string): number | undefined {
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    const isWord = (character: string): boolean => /[\p{L}\p{N}_$]/u.test(character);
    if (!isWord(line.charAt(at - 1)) && !isWord(line.charAt(at + symbol.length))) return at + 1;
  }
  return undefined;
}
