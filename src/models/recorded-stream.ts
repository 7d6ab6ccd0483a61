import type { ModelDelta } from '../core/model';
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
