import type { RawCall } from './calls';
import type { Cursor } from './cursor';
import type { ReplyWriter } from './text-parser';

/** Takes what a grammar reports about one block and lets none of it happen: whether it counts is decided afterwards. */
export class Trial implements ReplyWriter {
  readonly calls: RawCall[] = [];
  private rejected = false;
  private begun = 0;

  constructor(readonly cursor: Cursor) {}

  /** Whether calls were read, and nothing but calls. */
  get isClean(): boolean {
    return this.calls.length > 0 && !this.rejected;
  }

  get callCount(): number {
    return this.begun;
  }

  begin(): number {
    return this.begun++;
  }

  finish(call: RawCall): void {
    this.calls.push(call);
  }

  reject(): void {
    this.rejected = true;
  }

  text(): void {}
  reasoning(): void {}
  delta(): void {}
  warn(): void {}
  doubt(): void {}

  readAgain(): boolean {
    return false;
  }

  recover(): boolean {
    return false;
  }
}
