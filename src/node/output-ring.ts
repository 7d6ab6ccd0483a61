import type { CommandOutput } from '../tools/workspace';

/** Keeps the beginning and the end of an output that may be endless. */
export class OutputRing {
  private readonly head: Buffer[] = [];
  private headRoom: number;
  private tail: Buffer[] = [];
  private tailSize = 0;
  private dropped = 0;

  constructor(private readonly most: { head: number; tail: number }) {
    this.headRoom = most.head;
  }

  add(chunk: Buffer): void {
    const first = chunk.subarray(0, this.headRoom);
    if (first.length > 0) {
      this.head.push(first);
      this.headRoom -= first.length;
    }
    const rest = chunk.subarray(first.length);
    if (rest.length > 0) this.addToTail(rest);
  }

  /** In UTF-8; at the cut no character is torn. */
  end(): CommandOutput {
    const head = Buffer.concat(this.head);
    const tail = Buffer.concat(this.tail);
    const over = Math.max(0, tail.length - this.most.tail);
    if (this.dropped + over === 0)
      return { head: Buffer.concat([head, tail]).toString(), tail: '', omitted: 0 };
    const first = head.subarray(0, completeUtf8(head));
    const last = tail.subarray(nextUtf8(tail, over));
    const omitted = this.dropped + head.length - first.length + tail.length - last.length;
    return { head: first.toString(), tail: last.toString(), omitted };
  }

  private addToTail(chunk: Buffer): void {
    this.tail.push(chunk);
    this.tailSize += chunk.length;
    for (
      let first = this.tail[0];
      first && this.tailSize - first.length >= this.most.tail;
      first = this.tail[0]
    ) {
      this.tailSize -= first.length;
      this.dropped += first.length;
      this.tail.shift();
    }
  }
}

/** How many of the bytes are whole characters: all but an unfinished last one. */
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

/** The beginning of the first character at or after an offset. */
function nextUtf8(bytes: Buffer, offset: number): number {
  let at = offset;
  while (at < offset + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
