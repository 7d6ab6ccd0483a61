import * as z from 'zod/mini';
import type { ImageAttachment } from '../../../core/words/attachment';
import { limits } from '../../../base/limits';
import type { SessionFolder } from '../../../sessions/folder';

export interface ImageStorage {
  readonly folder: Pick<SessionFolder, 'names' | 'head' | 'read' | 'put' | 'rename' | 'remove'>;
  /** Name of this window, letters and digits: the same after a reload, different for any other window. */
  readonly window: string;
}

interface KeptImagesOptions {
  /** Called when there is something to read or keep; nothing of it is loaded before. */
  readonly storage: () => Promise<ImageStorage>;
  /** Receives errors of saving and reading, for the log. */
  readonly onError: (error: unknown) => void;
}

export interface WaitingImage {
  readonly image: ImageAttachment;
  /** It was pasted for an earlier message that is being edited. */
  readonly isForEarlier: boolean;
}

/**
 * Images for a message that was not sent, kept over a reload of the window. Each is a file named after its window,
 * because VS Code writes the state of an extension with a delay. They are deleted when the message was sent or the
 * user removes them.
 */
export class KeptImages {
  /** Names of their files. */
  private readonly files = new Map<ImageAttachment, string>();
  private turns: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(private readonly options: KeptImagesOptions) {}

  /** Images from before the reload. Never rejects: unreadable ones are reported. */
  load(): Promise<readonly WaitingImage[]> {
    return this.inTurn(() => this.read(), []);
  }

  /** Resolves when the image would survive a reload, or cannot be saved. Never rejects. */
  keep({ image, isForEarlier }: WaitingImage): Promise<void> {
    return this.inTurn(async () => {
      const { folder, window } = await this.options.storage();
      const known = this.files.get(image);
      if (known === undefined && this.files.size >= limits.keptImages) return;
      const name = known === undefined ? this.newName(window) : (FILE.exec(known)?.[1] ?? known);
      const file = fileOf(name, isForEarlier);
      if (known === undefined) await folder.put(file, Buffer.from(JSON.stringify(image)));
      else if (known !== file) await folder.rename(known, file);
      this.files.set(image, file);
      if (known === undefined) await this.removeOld();
    }, undefined);
  }

  /** Never rejects. */
  forget(images: readonly ImageAttachment[]): Promise<void> {
    return this.inTurn(async () => {
      for (const image of images) {
        const file = this.files.get(image);
        this.files.delete(image);
        if (file !== undefined) await (await this.options.storage()).folder.remove(file);
      }
    }, undefined);
  }

  /** In the order of pasting. */
  private newName(window: string): string {
    const time = String(Date.now()).padStart(15, '0');
    const count = String(this.count++).padStart(6, '0');
    return `${window}-${time}-${count}`;
  }

  private async read(): Promise<readonly WaitingImage[]> {
    const { folder, window } = await this.options.storage();
    const names = (await folder.names()).filter((name) => FILE.test(name) && name.startsWith(`${window}-`));
    const found: WaitingImage[] = [];
    for (const name of [...names].sort()) {
      const image = await this.readFile(name);
      if (image) {
        this.files.set(image, name);
        found.push({ image, isForEarlier: name.endsWith(EARLIER) });
      } else {
        this.options.onError(new Error('A pasted image can no longer be read.'));
        await folder.remove(name);
      }
    }
    return found;
  }

  private async readFile(name: string): Promise<ImageAttachment | undefined> {
    try {
      const bytes = await (await this.options.storage()).folder.read(name);
      const image = StoredImage.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
      return image.success ? image.data : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined;
      throw error;
    }
  }

  /** Images of windows that never came back. */
  private async removeOld(): Promise<void> {
    const { folder } = await this.options.storage();
    const own = new Set(this.files.values());
    for (const name of await folder.names()) {
      if (!FILE.test(name) || own.has(name)) continue;
      const { modified } = await folder.head(name, 0);
      if (Date.now() - modified > limits.keptImageMs) await folder.remove(name);
    }
  }

  /** Runs one after another. Errors are reported, and the image stays as long as the window. */
  private inTurn<T>(action: () => Promise<T>, otherwise: T): Promise<T> {
    const turn = this.turns.then(action).catch((error: unknown) => {
      this.options.onError(error);
      return otherwise;
    });
    this.turns = turn;
    return turn;
  }
}

const EARLIER = '-earlier.json';

const FILE = /^([0-9a-z]+-\d{15}-\d{6})(?:-earlier)?\.json$/;

function fileOf(name: string, isForEarlier: boolean): string {
  return `${name}${isForEarlier ? EARLIER : '.json'}`;
}

const StoredImage = z.object({
  type: z.literal('image'),
  label: z.string(),
  image: z.object({
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string(),
  }),
  isPasted: z.literal(true),
});
