import { Emitter } from '../../../base/disposable';

/** Texts for the chat's message box, held until a page takes them. Nothing here is sent. */
export class MessageBox {
  private readonly added = new Emitter<void>();
  private held: readonly string[] = [];

  readonly onAdded = this.added.event;

  add(text: string): void {
    this.held = [...this.held, text];
    this.added.fire();
  }

  /** Hands them out; each is handed out once. */
  take(): readonly string[] {
    const { held } = this;
    this.held = [];
    return held;
  }
}
