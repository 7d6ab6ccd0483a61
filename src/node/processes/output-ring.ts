import type { CommandOutput } from '../../tools/ports/processes';

/** Keeps the beginning and the end of a possibly endless output in fixed-size memory. */
export class OutputRing {
  private readonly head: FirstBytes;
  private readonly tail: LastBytes;

  constructor(most: { head: number; tail: number }) {
    this.head = new FirstBytes(most.head);
    this.tail = new LastBytes(most.tail);
  }

  /** Whether this many more bytes fit without loss. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= this.head.room + this.tail.room;
  }

  add(chunk: Buffer): void {
    const first = chunk.subarray(0, this.head.room);
    if (first.length > 0) this.head.add(first);
    if (first.length < chunk.length) this.tail.add(chunk.subarray(first.length));
  }

  /** The kept bytes, in order. */
  bytes(): Buffer {
    return Buffer.concat([this.head.bytes(), this.tail.bytes()]);
  }

  /** The output as UTF-8, without broken characters at the cut. */
  excerpt(): CommandOutput {
    const { dropped } = this.tail;
    if (dropped === 0) return { head: this.bytes().toString(), tail: '', omitted: 0 };
    const head = this.head.bytes();
    const tail = this.tail.bytes();
    const first = head.subarray(0, completeUtf8(head));
    const last = tail.subarray(nextUtf8(tail));
    const omitted = dropped + head.length - first.length + tail.length - last.length;
    return { head: first.toString(), tail: last.toString(), omitted };
  }
}

/** Allocates memory when needed: most commands print little. */
const FIRST_SIZE = 4096;

class FirstBytes {
  private kept = Buffer.alloc(0);
  private size = 0;

  constructor(private readonly most: number) {}

  get room(): number {
    return this.most - this.size;
  }

  /** Adds at most as much as there is room for. */
  add(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (size > this.kept.length) {
      const grown = Buffer.alloc(Math.min(this.most, Math.max(size, 2 * this.kept.length, FIRST_SIZE)));
      this.kept.copy(grown, 0, 0, this.size);
      this.kept = grown;
    }
    chunk.copy(this.kept, this.size);
    this.size = size;
  }

  bytes(): Buffer {
    return this.kept.subarray(0, this.size);
  }
}

class LastBytes {
  private kept: Buffer | undefined;
  /** The number of bytes so far; also determines where the next one goes in the ring. */
  private total = 0;

  constructor(private readonly most: number) {}

  get room(): number {
    return Math.max(0, this.most - this.total);
  }

  get dropped(): number {
    return Math.max(0, this.total - this.most);
  }

  add(chunk: Buffer): void {
    const circle = (this.kept ??= Buffer.alloc(this.most));
    const last = chunk.subarray(Math.max(0, chunk.length - this.most));
    const at = (this.total + chunk.length - last.length) % this.most;
    const copied = last.copy(circle, at);
    last.copy(circle, 0, copied);
    this.total += chunk.length;
  }

  bytes(): Buffer {
    if (!this.kept) return Buffer.alloc(0);
    if (this.total <= this.most) return this.kept.subarray(0, this.total);
    const at = this.total % this.most;
    return Buffer.concat([this.kept.subarray(at), this.kept.subarray(0, at)]);
  }
}

/** The number of bytes that form whole characters: all but an incomplete last one. */
export function completeUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needed = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The index of the first whole character. */
function nextUtf8(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** Splits a text that arrives in chunks into lines. A very long line becomes several, so that none of it is lost. */
export class LinePieces {
  private open = '';

  constructor(private readonly most: number) {}

  /** Returns the lines that this text completes. */
  push(text: string): string[] {
    const lines = (this.open + text).split('\n');
    const last = this.pieces(lines.pop() ?? '');
    this.open = last.pop() ?? '';
    return [...lines.flatMap((line) => this.pieces(withoutReturn(line))), ...last];
  }

  /** Returns a last line without a line break. */
  end(): string[] {
    const rest = this.open;
    this.open = '';
    return rest === '' ? [] : [rest];
  }

  private pieces(line: string): string[] {
    if (line.length <= this.most) return [line];
    const pieces: string[] = [];
    for (let at = 0; at < line.length;) {
      let end = Math.min(at + this.most, line.length);
      // Do not split a surrogate pair.
      if (end < line.length && /[\ud800-\udbff]/.test(line.charAt(end - 1))) end--;
      pieces.push(line.slice(at, end));
      at = end;
    }
    return pieces;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
