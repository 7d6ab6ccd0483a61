import type { Conversation } from './conversation';
import type { WindowContext } from './window-context';

export interface OutboxParts {
  readonly conversation: Conversation;
  readonly context: Pick<WindowContext, 'attachmentsFor'>;
}

/** Sends what the user says, with what goes along with it. One message at a time. */
export class Outbox {
  private isSending = false;

  constructor(private readonly parts: OutboxParts) {}

  /** Resolves once the run has begun; `false` when the message was not taken. Rejects when something broke before. */
  async send(text: string): Promise<boolean> {
    const { conversation, context } = this.parts;
    const { session } = conversation;
    const isRunning = (): boolean => session.transcript.running;
    if (this.isSending || isRunning()) return false;
    this.isSending = true;
    try {
      const attachments = await context.attachmentsFor(text, session.transcript);
      // The user may have gone to another session while a question was open.
      if (conversation.session !== session || isRunning()) return false;
      void session.send(text, attachments);
      return isRunning();
    } finally {
      this.isSending = false;
    }
  }
}
