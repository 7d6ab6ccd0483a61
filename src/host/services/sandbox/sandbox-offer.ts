import { DisposableStore, Emitter, type Disposable } from '../../../base/disposable';
import type { AgentEvent } from '../../../core/words/events';
import type { Conversation } from '../conversation/conversation';
import type { SettingsStore } from '../../platform/settings';

const KEY = 'parley.sandboxOffer';

interface SandboxOfferParts {
  readonly settings: Pick<SettingsStore, 'get' | 'onChange'>;
  /** Across all windows of this machine. */
  readonly memory: {
    get(key: string): unknown;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  readonly platform?: NodeJS.Platform;
}

/** Offers the sandbox at the first command that asks in a window, until the user accepts or declines. */
export class SandboxOffer implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<undefined>());
  private madeWith: string | undefined;

  readonly onChange = this.changes.event;

  constructor(private readonly parts: SandboxOfferParts) {
    this.store.add(parts.settings.onChange(['sandbox.enabled'], () => this.changes.fire(undefined)));
  }

  /** The call whose card shows the offer. */
  get callId(): string | undefined {
    return this.isOpen ? this.madeWith : undefined;
  }

  follow(conversation: Pick<Conversation, 'onEvent'>): Disposable {
    return conversation.onEvent((event) => this.take(event));
  }

  /** The user has answered it, so it is not shown again. */
  async close(): Promise<void> {
    this.madeWith = undefined;
    this.changes.fire(undefined);
    await this.parts.memory.update(KEY, 'answered');
  }

  dispose(): void {
    this.store.dispose();
  }

  private get isOpen(): boolean {
    const { settings, memory, platform = process.platform } = this.parts;
    const isOff = settings.get('sandbox.enabled') === 'off';
    return platform === 'linux' && isOff && memory.get(KEY) === undefined;
  }

  private take(event: AgentEvent): void {
    if (event.type === 'sub-agent') return this.take(event.event);
    if (event.type !== 'approval-request' || this.madeWith !== undefined || !this.isOpen) return;
    const { call, preview } = event.request;
    if (preview?.type !== 'command') return;
    this.madeWith = call.id;
    this.changes.fire(undefined);
  }
}
