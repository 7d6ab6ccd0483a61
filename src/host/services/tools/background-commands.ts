import { DisposableStore, Emitter } from '../../../base/disposable';
import type { StartedCommand } from '../../../tools/ports/processes';
import type { Conversation } from '../conversation/conversation';
import type { WindowTools } from './window-tools';

/** The commands that run in the background of this window. */
export class BackgroundCommands {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<void>());
  /** Commands whose end is waited for. */
  private readonly followed = new WeakSet<StartedCommand>();

  /** Fires when one has started or ended. */
  readonly onChange = this.changes.event;

  constructor(
    private readonly tools: Pick<WindowTools, 'backgroundCommands'>,
    conversation: Pick<Conversation, 'onEvent'>,
  ) {
    this.store.add(
      conversation.onEvent(({ type }) => {
        if (type === 'tool-end') this.look();
      }),
    );
  }

  get all(): readonly StartedCommand[] {
    return this.tools.backgroundCommands;
  }

  dispose(): void {
    this.store.dispose();
  }

  private look(): void {
    const started = this.all.filter((command) => !this.followed.has(command));
    for (const command of started) {
      this.followed.add(command);
      void command.ended.then(() => this.changes.fire());
    }
    if (started.length > 0) this.changes.fire();
  }
}
