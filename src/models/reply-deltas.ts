import type { ModelDelta } from '../core/model';
import { RecordedStream } from './recorded-stream';

/**
 * What a model would have sent, out of a recorded reply: its text, or for the native protocol the `data:` lines of its
 * stream. `chunk` is how many characters arrive at once; 0 for all.
 */
export function* replyDeltas(
  protocol: string,
  reply: string,
  chunk: number,
): Generator<ModelDelta, void, undefined> {
  if (protocol === 'native') {
    const stream = new RecordedStream();
    for (const piece of pieces(reply, chunk)) yield* stream.push(piece);
    yield* stream.end();
  } else {
    for (const text of pieces(reply, chunk)) yield { type: 'text', text };
    yield { type: 'end', reason: 'stop' };
  }
}

function* pieces(text: string, size: number): Generator<string, void, undefined> {
  if (size === 0) yield text;
  else for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
