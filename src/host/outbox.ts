import { Emitter } from '../base/emitter';
import type { Conversation } from './conversation';
import type { WindowContext } from './window-context';

export interface OutboxParts {
  readonly conversation: Pick<Conversation, 'session'>;
  readonly context: Pick<WindowContext, 'attachmentsFor'>;
}

/** What has become of a message: its run has begun, or it was not taken. */
export interface Settled {
  readonly text: string;
  readonly isTaken: boolean;
}

/**
 * Sends what the user says, with what goes along with it. One message at a time. It outlives the pages: what was not
 * taken is held until a page has it.
 */
export class Outbox {
  private readonly settled = new Emitter<Settled>();
  private current: string | undefined;
  private held: string[] = [];

  readonly onSettled = this.settled.event;

  constructor(private readonly parts: OutboxParts) {}

  /** The message that is on its way. */
  get sending(): string | undefined {
    return this.current;
  }

  /** What was not taken, and reached no page yet. */
  get unsent(): string | undefined {
    return this.held.length === 0 ? undefined : this.held.join('\n');
  }

  /** A page has it. */
  release(): void {
    this.held = [];
  }

  /** Resolves once the run has begun, or the message is held. Rejects when something broke before; it is held then, too. */
  async send(text: string): Promise<void> {
    let isTaken = false;
    try {
      isTaken = await this.deliver(text);
    } finally {
      if (!isTaken) this.held.push(text);
      this.settled.fire({ text, isTaken });
    }
  }

  private async deliver(text: string): Promise<boolean> {
    const { conversation, context } = this.parts;
    const { session } = conversation;
    const isRunning = (): boolean => session.transcript.running;
    if (this.current !== undefined || isRunning()) return false;
    this.current = text;
    try {
      const attachments = await context.attachmentsFor(text, session.transcript);
      // The user may have gone to another session while a question was open.
      if (conversation.session !== session || isRunning()) return false;
      void session.send(text, attachments);
      return isRunning();
    } finally {
      this.current = undefined;
    }
  }
}
