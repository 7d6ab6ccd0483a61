import { warning, type RawCall } from './calls';
import type { Cursor, Reading } from './cursor';
import type { ReplyWriter } from './reader';

/** Records what a reader reports about one block, without effect: whether it counts is decided afterwards. */
export class Trial implements ReplyWriter {
  readonly calls: RawCall[] = [];
  private rejected = false;
  private begun = 0;

  constructor(readonly cursor: Cursor) {}

  /** Whether calls were read, and nothing else. */
  get isClean(): boolean {
    return this.calls.length > 0 && !this.rejected;
  }

  get callCount(): number {
    return this.begun;
  }

  startCall(): number {
    return this.begun++;
  }

  endCall(call: RawCall): void {
    this.calls.push(call);
  }

  rejectCall(): void {
    this.rejected = true;
  }

  get closers(): readonly string[] {
    return [];
  }

  endReasoning(): boolean {
    return false;
  }

  lostForm(): undefined {}
  text(): void {}
  reasoning(): void {}
  delta(): void {}
  warn(): void {}
  markRepaired(): void {}

  putBackSwallowed(): boolean {
    return false;
  }

  recover(): boolean {
    return false;
  }
}

/** Skips the rest of the reply: the model wrote it believing that the result is real. */
export function* dropInvented(reply: ReplyWriter, start: number): Reading<true> {
  // What ends reasoning ends everything written in it, including invented results.
  yield* reply.cursor.upTo(reply.closers, () => undefined);
  reply.warn(
    warning(
      { start, end: reply.cursor.position },
      'invented-result',
      'The model invented a tool result; it was dropped.',
      'Stop after the call and wait for its real result.',
    ),
  );
  return true;
}
