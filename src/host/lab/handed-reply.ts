import type { OpenedReply } from '../../contract/lab-parse';
import { Emitter } from '../../base/emitter';

/** A reply that another part of the window wants looked into, until a page of the lab has taken it. */
export class HandedReply {
  private readonly handed = new Emitter<undefined>();
  private held: OpenedReply | undefined;

  readonly onHanded = this.handed.event;

  hand(reply: OpenedReply): void {
    this.held = reply;
    this.handed.fire(undefined);
  }

  take(): OpenedReply | undefined {
    const { held } = this;
    this.held = undefined;
    return held;
  }
}
