import { JsonStream } from '../../../src/protocols/json/json-stream';
import { splitText } from './run-parser';

/** Returns where the value ends: `complete 7`, `broken 3` before the invalid character, or `open`. */
export function jsonEnd(text: string, size = text.length): string {
  const stream = new JsonStream();
  let before = 0;
  for (const piece of splitText(text, size)) {
    const used = stream.push(piece);
    if (used !== undefined) return `${stream.state} ${before + used}`;
    before += piece.length;
  }
  return stream.state;
}
