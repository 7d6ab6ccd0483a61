import type { Image } from '../words/attachment';
import { resultImages, type ToolResult, type Turn } from '../words/messages';

/** Tokens of an image, whatever it shows; models differ. */
export const IMAGE_TOKENS = 1_000;

/** In all results together; older images are left out. */
export const MOST_IMAGES = 10;
/** In base64. */
const MOST_IMAGE_CHARACTERS = 14_000_000;

/**
 * The turn with its results limited to so many tokens together, an equal share each. Uses the plain estimate alone:
 * what is learned later must not change what was sent.
 */
export function shortenResults(turn: Turn, most: number, count: (text: string) => number): Turn {
  if (turn.type !== 'results' || most === Infinity) return turn;
  const each = most / turn.results.length;
  const results = turn.results.map((result) => {
    const seen = imageTokens(result) > each ? withoutImages(result) : result;
    return shortenText(seen, each - imageTokens(seen), count);
  });
  return { ...turn, results };
}

/** Only the newest images are kept, because every request sends them again. */
export function withNewestImages(turns: readonly Turn[]): Turn[] {
  let left = MOST_IMAGES;
  let characters = MOST_IMAGE_CHARACTERS;
  const kept = (result: ToolResult): ToolResult => {
    const images = result.images ?? [];
    left -= images.length;
    characters -= images.reduce((sum, { data }) => sum + data.length, 0);
    return images.length > 0 && (left < 0 || characters < 0) ? withoutImages(result) : result;
  };
  if (imagesOf(turns).length === 0) return [...turns];
  return turns
    .toReversed()
    .map((turn) =>
      turn.type === 'results' ? { ...turn, results: turn.results.toReversed().map(kept).toReversed() } : turn,
    )
    .toReversed();
}

/** The images of all results. */
export function imagesOf(turns: readonly Turn[]): readonly Image[] {
  return turns.flatMap((turn) => (turn.type === 'results' ? resultImages(turn.results) : []));
}

function imageTokens({ images = [] }: ToolResult): number {
  return images.length * IMAGE_TOKENS;
}

function withoutImages({ images: _, ...result }: ToolResult): ToolResult {
  return { ...result, result: `${result.result}\n[Image omitted. Request it again to see it.]` };
}

/** Leaves out the middle of a text that is too long. */
function shortenText(result: ToolResult, most: number, count: (text: string) => number): ToolResult {
  const tokens = count(result.result);
  if (tokens <= most) return result;
  const kept = Math.floor((result.result.length * most) / tokens / 2);
  const head = result.result.slice(0, kept);
  const tail = result.result.slice(result.result.length - kept);
  const left = result.result.length - head.length - tail.length;
  const note = `[${left} characters omitted: no room in the context window. Request less at once.]`;
  // Incomplete definitions define nothing, and incomplete rules may be sent again.
  const { defines: _, rules: __, ...rest } = result;
  return { ...rest, result: `${head}\n${note}\n${tail}` };
}
