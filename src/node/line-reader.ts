/** Cuts a stream into lines and hands out each whole; one that is longer than `most` bytes is left out. */
export class LineReader {
  private readonly open: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly most: number,
    private readonly onLine: (line: Buffer) => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      if (this.size === 0) this.onLine(part);
      else {
        this.keep(part);
        const whole = this.size <= this.most;
        const line = whole ? Buffer.concat(this.open) : undefined;
        this.open.length = 0;
        this.size = 0;
        if (line) this.onLine(line);
      }
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  private keep(part: Buffer): void {
    this.size += part.length;
    if (this.size <= this.most) this.open.push(part);
    else this.open.length = 0;
  }
}
