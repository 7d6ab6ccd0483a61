import { TextDecoder } from 'node:util';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { openRegularFile } from './regular-file';
import { detectEncoding, fileType } from './text-encoding';

const CHUNK = 256 * 1024;

/** The lines of a file in batches, decoded while it is read. A line beyond the limit of a call is cut. */
export async function* fileLines(path: string, name: string, signal: AbortSignal): AsyncGenerator<string[]> {
  const { handle } = await openRegularFile(path, name);
  try {
    let decoder: TextDecoder | undefined;
    const lines = new LineCutter(limits.readBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK);
      const chunk = buffer.subarray(0, bytesRead);
      if (!decoder) {
        const { encoding } = detectEncoding(chunk);
        if (encoding === 'utf-8' && chunk.includes(0)) {
          throw new ToolError(`${name} is not text: ${fileType(chunk)}. Use a command that understands it.`);
        }
        decoder = new TextDecoder(encoding);
      }
      if (bytesRead === 0) break;
      const complete = lines.push(decoder.decode(chunk, { stream: true }));
      if (complete.length > 0) yield complete;
    }
    yield lines.end(decoder.decode());
  } finally {
    await handle.close();
  }
}

class LineCutter {
  private open = '';
  private dropped = 0;

  constructor(private readonly most: number) {}

  /** The lines that the text completes. */
  push(text: string): string[] {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    const complete = lines.map((line) => {
      this.add(line);
      return this.take();
    });
    this.add(rest);
    return complete;
  }

  end(text: string): string[] {
    const lines = this.push(text);
    return this.open === '' ? lines : [...lines, this.take()];
  }

  private add(part: string): void {
    const room = this.most - this.open.length;
    this.open += part.slice(0, Math.max(0, room));
    this.dropped += Math.max(0, part.length - room);
  }

  private take(): string {
    const line = this.open.endsWith('\r') ? this.open.slice(0, -1) : this.open;
    const cut = this.dropped > 0 ? `… (${this.dropped} more characters)` : '';
    this.open = '';
    this.dropped = 0;
    return line + cut;
  }
}
