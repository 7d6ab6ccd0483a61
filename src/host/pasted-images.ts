import { Emitter } from '../base/emitter';
import type { PastedImage } from '../contract/chat';
import type { ImageAttachment } from '../core/attachment';
import type { WindowContext } from './window-context';

interface Pasted {
  readonly id: number;
  readonly image: ImageAttachment;
  readonly isForEarlier: boolean;
}

/**
 * The images that the user has pasted or dropped for their next message, or for an earlier one while they change that.
 * They outlive the pages.
 */
export class PastedImages {
  private readonly changed = new Emitter<undefined>();
  private images: readonly Pasted[] = [];
  private count = 0;
  private adding: Promise<unknown> = Promise.resolve();

  readonly onChange = this.changed.event;

  constructor(private readonly context: Pick<WindowContext, 'pastedImage'>) {}

  get shown(): readonly PastedImage[] {
    return this.images.map(({ id, image: { label, image }, isForEarlier }) => ({
      id,
      label,
      url: `data:${image.mediaType};base64,${image.data}`,
      ...(isForEarlier && { isForEarlier }),
    }));
  }

  /** Resolves to a sentence for people where it is not taken. */
  add(name: string, data: string, isForEarlier = false): Promise<string | undefined> {
    const added = this.adding.then(() => this.check(name, data, isForEarlier));
    this.adding = added.catch(() => undefined);
    return added;
  }

  /** Resolves when what was added so far is there, or was not taken. */
  async settled(): Promise<void> {
    await this.adding;
  }

  remove(id: number): void {
    this.images = this.images.filter((each) => each.id !== id);
    this.changed.fire(undefined);
  }

  /** They go along with a message now: with an earlier one those that were given to it, with a new one all. */
  take({ isForEarlier }: { readonly isForEarlier: boolean }): readonly ImageAttachment[] {
    const taken = this.images.filter((each) => each.isForEarlier || !isForEarlier);
    this.images = this.images.filter((each) => !taken.includes(each));
    if (taken.length > 0) this.changed.fire(undefined);
    return taken.map(({ image }) => image);
  }

  /** The message was not taken. */
  putBack(images: readonly ImageAttachment[], isForEarlier = false): void {
    this.images = [...this.images, ...images.map((image) => ({ id: this.count++, image, isForEarlier }))];
    if (images.length > 0) this.changed.fire(undefined);
  }

  private async check(name: string, data: string, isForEarlier: boolean): Promise<string | undefined> {
    const image = await this.context.pastedImage(
      { name, bytes: Buffer.from(data, 'base64') },
      () => this.all,
    );
    if (image.type === 'missing') return image.problem;
    this.putBack([image], isForEarlier);
    return undefined;
  }

  private get all(): readonly ImageAttachment[] {
    return this.images.map(({ image }) => image);
  }
}
