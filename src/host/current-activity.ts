import { Emitter } from '../base/emitter';
import { activityOf, type Activity } from '../core/activity';
import type { AgentEvent } from '../core/events';
import type { Conversation } from './conversation';

/** What goes on in the window's conversation. */
export class CurrentActivity {
  private readonly changes = new Emitter<Activity>();
  private readonly listening: readonly { dispose(): void }[];
  private now: Activity = { type: 'idle' };

  readonly onChange = this.changes.event;

  constructor(conversation: Pick<Conversation, 'session' | 'onEvent' | 'onReplaced'>) {
    const look = (): void => this.set(activityOf(conversation.session.transcript));
    this.listening = [
      conversation.onEvent((event) => {
        if (!isPiece(event)) look();
      }),
      conversation.onReplaced(look),
    ];
  }

  get activity(): Activity {
    return this.now;
  }

  /** How many calls wait for the user. */
  get waiting(): number {
    return this.now.type === 'waiting' ? this.now.calls : 0;
  }

  dispose(): void {
    for (const each of this.listening) each.dispose();
    this.changes.dispose();
  }

  private set(activity: Activity): void {
    if (JSON.stringify(activity) === JSON.stringify(this.now)) return;
    this.now = activity;
    this.changes.fire(activity);
  }
}

/** Of these there are very many, and they change nothing here. */
function isPiece(event: AgentEvent): boolean {
  if (event.type === 'sub-agent') return isPiece(event.event);
  return ['text', 'reasoning', 'call-delta', 'tool-output'].includes(event.type);
}
