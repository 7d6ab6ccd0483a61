import type { Bytes } from '../bounded';

const encoder = new TextEncoder();

/**
 * Converts a JSON body into stream events: a server or gateway without streaming responds with the whole reply, or
 * with an error, and some write one line per event. A stream of events passes unchanged.
 */
export function asEvents(): TransformStream<Bytes, Bytes> {
  let kind: 'unknown' | 'stream' | 'json' = 'unknown';
  const kept: Bytes[] = [];
  return new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      if (kind === 'unknown') kind = kindOf(piece);
      if (kind === 'stream') {
        for (const each of kept.splice(0)) controller.enqueue(each);
        controller.enqueue(piece);
      } else kept.push(piece);
    },
    flush(controller) {
      for (const event of events(kept)) controller.enqueue(encoder.encode(`data: ${event}\n\n`));
    },
  });
}

const BRACES = new Set(['{'.charCodeAt(0), '['.charCodeAt(0)]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** By the first character, which no line of an event stream has. */
function kindOf(piece: Bytes): 'unknown' | 'stream' | 'json' {
  const first = piece.find((byte) => !BLANK.has(byte));
  if (first === undefined) return 'unknown';
  return BRACES.has(first) ? 'json' : 'stream';
}

function events(pieces: readonly Bytes[]): readonly string[] {
  const decoder = new TextDecoder();
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  if (text.trim() === '') return [];
  if (isJson(text)) return [oneLine(text)];
  // An incomplete line at the end is passed on as well, so that the reply counts as cut off.
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** In JSON, line breaks occur only between its parts. */
function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]+/g, ' ').trim();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
