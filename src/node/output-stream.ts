import { completeUtf8 } from './output-ring';

export interface OutputStreamOptions {
  readonly perSecond: number;
  /** Bytes of one piece; of more only the newest are shown. */
  readonly most: number;
  readonly show: (text: string) => void;
}

/** Shows output while it comes, a few times a second. */
export class OutputStream {
  private pending: Buffer[] = [];
  private size = 0;
  private skipped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: OutputStreamOptions) {}

  add(chunk: Buffer): void {
    this.pending.push(chunk);
    this.size += chunk.length;
    while (this.pending.length > 1 && this.size > this.options.most) {
      this.size -= this.pending.shift()?.length ?? 0;
      this.skipped = true;
    }
    this.timer ??= setTimeout(() => this.flush(), 1000 / this.options.perSecond);
  }

  /** Shows the rest; nothing may come after. */
  end(): void {
    if (this.size > 0) this.flush();
    clearTimeout(this.timer);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = Buffer.concat(this.pending).subarray(-this.options.most).toString();
    const mark = this.skipped ? '[…]\n' : '';
    this.pending = [];
    this.size = 0;
    this.skipped = false;
    this.options.show(mark + text);
  }
}

/** Cuts the chunks of one stream where characters end, so that those of two streams can be mixed. */
export class WholeCharacters {
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    const whole = completeUtf8(bytes);
    this.rest = bytes.subarray(whole);
    return bytes.subarray(0, whole);
  }

  end(): Buffer {
    return this.rest;
  }
}
