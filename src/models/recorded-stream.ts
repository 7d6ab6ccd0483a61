import type { ModelDelta } from '../core/model';
import { chunkDeltas } from './chat-chunks';

/** Reads a recorded server-sent event stream (its `data:` lines) into deltas, in pieces of any length. Never throws. */
export class RecordedStream {
  private line = '';
  private ended = false;

  push(text: string): ModelDelta[] {
    const lines = (this.line + text).split(/\r\n|\n/);
    this.line = lines.pop() ?? '';
    return lines.flatMap((line) => this.read(line));
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
