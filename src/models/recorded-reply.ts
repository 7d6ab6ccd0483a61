import type { ModelDelta } from '../core/words/model';
import type { StreamPart } from './apis/reply-stream';
import { ChatStream } from './chat-stream';
import { EventSplitter, type StreamEvent } from './exchange/event-stream';

/**
 * Parses a recorded server-sent event stream (its `data:` lines) into deltas, in pieces of any length. Never throws.
 */
export class RecordedStream {
  private readonly splitter = new EventSplitter();
  private readonly stream = new ChatStream();

  push(text: string): readonly ModelDelta[] {
    return this.read(this.splitter.push(text));
  }

  /** A stream without a finish reason was cut off, unless it sent its closing `[DONE]`. */
  end(): readonly ModelDelta[] {
    return [...this.read(this.splitter.end()), ...this.stream.end()];
  }

  private read(events: readonly StreamEvent[]): readonly ModelDelta[] {
    return events.flatMap((event) => this.stream.push(event)).flatMap(deltasOf);
  }
}

function deltasOf(part: StreamPart): readonly ModelDelta[] {
  if (part.type === 'chunk') return part.deltas;
  return [{ type: 'failure', failure: { code: 'server-error', message: part.said.text } }];
}

/**
 * Replays a recorded reply as a model would send it: its text, or for the native protocol the `data:` lines of its
 * stream. `chunk` is the number of characters per piece; 0 for all.
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

/** The `data:` lines of a stream with these deltas, as `RecordedStream` parses them. Without an end it is cut off. */
export function recordDeltas(deltas: readonly ModelDelta[]): string {
  const lines = deltas.flatMap((delta) => {
    if (delta.type === 'end' && delta.unclear !== undefined) return ['data: [DONE]\n\n'];
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
    case 'carried':
    case 'usage':
    case 'failure':
    case 'retry':
    case 'progress':
    case 'unforced':
    case 'notice':
      return undefined;
  }
}
