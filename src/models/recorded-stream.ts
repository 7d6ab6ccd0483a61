import type { ModelDelta } from '../core/words/model';
import { chunkDeltas } from './chat-chunks';

/** Reads a recorded server-sent event stream (its `data:` lines) into deltas, in pieces of any length. Never throws. */
export class RecordedStream {
  /** Pieces of the line that has not ended yet; joined once. */
  private line: string[] = [];
  private ended = false;

  push(text: string): ModelDelta[] {
    const [first = '', ...rest] = text.split('\n');
    this.line.push(first);
    return rest.flatMap((next) => {
      const line = this.line.join('');
      this.line = [next];
      return this.read(line.replace(/\r$/, '').replace(/^\ufeff/, ''));
    });
  }

  /** A stream that never said why it ended broke off, unless it sent its closing `[DONE]`. */
  end(): ModelDelta[] {
    return this.push('\n');
  }

  private read(line: string): ModelDelta[] {
    if (!line.startsWith('data:')) return [];
    const data = line.slice('data:'.length).trim();
    if (data === '[DONE]') return this.ended ? [] : [{ type: 'end', reason: 'stop' }];
    const deltas = chunkDeltas(parse(data));
    this.ended ||= deltas.some((delta) => delta.type === 'end');
    return deltas;
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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

/** The `data:` lines of a stream that brings these deltas, as `RecordedStream` reads them. Without an end it is cut off. */
export function recordDeltas(deltas: readonly ModelDelta[]): string {
  const lines = deltas.flatMap((delta) => {
    const choice = choiceOf(delta);
    return choice ? [`data: ${JSON.stringify({ choices: [choice] })}\n\n`] : [];
  });
  return lines.join('');
}

function choiceOf(delta: ModelDelta): object | undefined {
  switch (delta.type) {
    case 'text':
      return { delta: { content: delta.text } };
    case 'reasoning':
      return { delta: { reasoning_content: delta.text } };
    case 'tool-call': {
      const { index, id, name, arguments: args } = delta;
      return { delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } };
    }
    case 'end':
      return { delta: {}, finish_reason: delta.reason.replace('-', '_') };
    case 'usage':
    case 'failure':
    case 'retry':
      return undefined;
  }
}
