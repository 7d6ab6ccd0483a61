import { TextDecoder } from 'node:util';
import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { fileLine, type FileLine, type LineStart } from '../../tools/text/shown-lines';
import { openRegularFile } from './regular-file';
import { detectEncoding, fileType } from './text-encoding';

const CHUNK = 256 * 1024;

/** The lines of a file in batches, decoded while it is read, each as much as a call shows. */
export async function* fileLines(
  path: string,
  name: string,
  start: LineStart,
  signal: AbortSignal,
): AsyncGenerator<FileLine[]> {
  const { handle } = await openRegularFile(path, name);
  try {
    let decoder: TextDecoder | undefined;
    const lines = new LineCutter(start);
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
  private number = 1;
  private open = '';
  /** How much of the open line was not kept, at its beginning and at its end. */
  private skipped = 0;
  private dropped = 0;

  constructor(private readonly start: LineStart) {}

  /** The lines that the text completes. */
  push(text: string): FileLine[] {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    const complete = lines.map((line) => {
      this.add(line);
      return this.take();
    });
    this.add(rest);
    return complete;
  }

  end(text: string): FileLine[] {
    const lines = this.push(text);
    return this.open === '' && this.skipped === 0 ? lines : [...lines, this.take()];
  }

  private add(part: string): void {
    const toSkip = this.number === this.start.line ? this.start.character - 1 - this.skipped : 0;
    const skip = Math.min(toSkip, part.length);
    const room = limits.readLineCharacters + SPARE - this.open.length;
    const more = part.slice(skip, skip + Math.max(0, room));
    this.skipped += skip;
    this.open += more;
    this.dropped += part.length - skip - more.length;
  }

  private take(): FileLine {
    const whole = this.open.endsWith('\r') && this.dropped === 0 ? this.open.slice(0, -1) : this.open;
    const { text, rest } = fileLine(whole);
    const line = { text, rest: rest + this.dropped };
    this.number++;
    this.open = '';
    this.skipped = 0;
    this.dropped = 0;
    return line;
  }
}

/** Room for the half of a CRLF at the end of a line. */
const SPARE = 1;
