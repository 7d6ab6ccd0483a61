import { Emitter } from '../../../base/disposable';
import type { PastedImage } from '../../../contract/chat';
import type { ImageAttachment } from '../../../core/words/attachment';
import type { KeptImages, WaitingImage } from './kept-images';
import type { WindowContext } from './window-context';

interface Pasted extends WaitingImage {
  readonly id: number;
}

/**
 * Images pasted or dropped for the next message, or for an earlier one that is being edited. They outlive pages and
 * the window: they are kept until their message was sent.
 */
export class PastedImages {
  private readonly changed = new Emitter<undefined>();
  private images: readonly Pasted[] = [];
  private count = 0;
  private adding: Promise<unknown> = Promise.resolve();

  readonly onChange = this.changed.event;

  private restoring: Promise<void> | undefined;

  constructor(
    private readonly context: Pick<WindowContext, 'pastedImage'>,
    private readonly kept: Pick<KeptImages, 'load' | 'keep' | 'forget'>,
  ) {}

  /** Restores unsent images of before a reload. Never rejects. */
  restore(): Promise<void> {
    this.restoring ??= this.kept.load().then((waiting) => this.show(waiting));
    return this.restoring;
  }

  get shown(): readonly PastedImage[] {
    return this.images.map(({ id, image: { label, image }, isForEarlier }) => ({
      id,
      label,
      url: `data:${image.mediaType};base64,${image.data}`,
      ...(isForEarlier && { isForEarlier }),
    }));
  }

  /** Resolves to a sentence for the user if it is rejected. */
  add(name: string, data: string, isForEarlier = false): Promise<string | undefined> {
    const added = this.adding.then(() => this.check(name, data, isForEarlier));
    this.adding = added.catch(() => undefined);
    return added;
  }

  /** Resolves when everything added so far is stored, or was rejected. */
  async ready(): Promise<void> {
    await this.adding;
  }

  remove(id: number): void {
    this.forget(this.images.flatMap((each) => (each.id === id ? [each.image] : [])));
    this.images = this.images.filter((each) => each.id !== id);
    this.changed.fire(undefined);
  }

  /**
   * Takes the images for a message: for an earlier message its own, for a new one all. The caller must restore or
   * forget them.
   */
  take({ isForEarlier }: { readonly isForEarlier: boolean }): readonly ImageAttachment[] {
    const taken = this.images.filter((each) => each.isForEarlier || !isForEarlier);
    this.images = this.images.filter((each) => !taken.includes(each));
    if (taken.length > 0) this.changed.fire(undefined);
    return taken.map(({ image }) => image);
  }

  /** The message was not accepted. */
  putBack(images: readonly ImageAttachment[], isForEarlier = false): void {
    const waiting = images.map((image) => ({ image, isForEarlier }));
    this.show(waiting);
    for (const each of waiting) void this.kept.keep(each);
  }

  /** Their message was sent, or removed with them. */
  forget(images: readonly ImageAttachment[]): void {
    void this.kept.forget(images);
  }

  private show(waiting: readonly WaitingImage[]): void {
    this.images = [...this.images, ...waiting.map((each) => ({ ...each, id: this.count++ }))];
    if (waiting.length > 0) this.changed.fire(undefined);
  }

  private async check(name: string, data: string, isForEarlier: boolean): Promise<string | undefined> {
    const image = await this.context.pastedImage(
      { name, bytes: Buffer.from(data, 'base64') },
      () => this.all,
    );
    if (image.type === 'missing') return image.problem;
    // What is shown survives a reload.
    await this.kept.keep({ image, isForEarlier });
    this.show([{ image, isForEarlier }]);
    return undefined;
  }

  private get all(): readonly ImageAttachment[] {
    return this.images.map(({ image }) => image);
  }
}
