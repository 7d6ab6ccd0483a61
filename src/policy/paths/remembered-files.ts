import { limits } from '../../base/limits';
import type { Entry, FileKind, FileLinks, PathFileSystem } from './path-file-system';
import { join } from './path-text';

/** The cost of a file system access, in steps; comparing two names costs one. */
const LOOK = 40;

/**
 * The file system as one judgement sees it. Nothing is read twice, and after a number of steps it throws: what was not
 * read is unknown, so the verdict is `ask`. So a judgement ends soon, whatever the text and the folders.
 */
export class RememberedFiles implements PathFileSystem {
  private readonly kinds = new Map<string, Promise<FileKind | undefined>>();
  private readonly paths = new Map<string, Promise<string | undefined>>();
  private readonly targets = new Map<string, Promise<string>>();
  private readonly folders = new Map<string, Promise<readonly Entry[] | undefined>>();
  private readonly texts = new Map<string, Promise<string | undefined>>();
  private readonly names = new Map<string, Promise<FileLinks | undefined>>();
  private readonly found = new Map<string, Promise<unknown>>();
  private steps = 0;

  private constructor(private readonly files: PathFileSystem) {}

  /** Starts a judgement, or continues the current one. */
  static of(files: PathFileSystem): RememberedFiles {
    return files instanceof RememberedFiles ? files : new RememberedFiles(files);
  }

  get platform() {
    return this.files.platform;
  }

  get caseSensitive() {
    return this.files.caseSensitive;
  }

  get composesNames() {
    return this.files.composesNames === true;
  }

  get hasSpecialFolders() {
    return this.files.hasSpecialFolders;
  }

  /** Counts steps that were taken elsewhere. Throws if there were too many. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > limits.judgeSteps) throw new Error('There is too much to look at.');
  }

  realpath(path: string): Promise<string | undefined> {
    return this.look(this.paths, path, () => this.files.realpath(path));
  }

  kind(path: string): Promise<FileKind | undefined> {
    return this.look(this.kinds, path, () => this.files.kind(path));
  }

  readLink(path: string): Promise<string> {
    return this.look(this.targets, path, () => this.files.readLink(path));
  }

  entries(path: string): Promise<readonly Entry[] | undefined> {
    return this.look(this.folders, path, async () => {
      const entries = await this.files.entries(path);
      this.spend(entries?.length ?? 0);
      if (entries) await this.learn(path, entries);
      return entries;
    });
  }

  smallText(path: string): Promise<string | undefined> {
    return this.look(this.texts, path, async () => this.files.smallText?.(path));
  }

  links(path: string): Promise<FileLinks | undefined> {
    return this.look(this.names, path, async () => this.files.links?.(path));
  }

  /** The answer stored under this key, or a new one. */
  once<T>(name: string, find: () => Promise<T>): Promise<T> {
    const known = this.found.get(name);
    // SAFETY: a key belongs to one question, whose answers have one type.
    if (known) return known as Promise<T>;
    const answer = find();
    this.found.set(name, answer);
    return answer;
  }

  private look<T>(known: Map<string, Promise<T>>, path: string, look: () => Promise<T>): Promise<T> {
    const before = known.get(path);
    if (before) return before;
    const answer = this.afterSpending(look);
    known.set(path, answer);
    return answer;
  }

  private async afterSpending<T>(look: () => Promise<T>): Promise<T> {
    this.spend(LOOK);
    return look();
  }

  /** Entries need no separate lookup: an entry that is not a link is where its folder is. */
  private async learn(path: string, entries: readonly Entry[]): Promise<void> {
    const folder = await this.realpath(path);
    if (folder === undefined) return;
    for (const { name, kind } of entries) {
      const places = new Set([join(path, name, this.platform), join(folder, name, this.platform)]);
      for (const place of places) {
        this.kinds.set(place, Promise.resolve(kind));
        if (kind !== 'link') this.paths.set(place, Promise.resolve(join(folder, name, this.platform)));
      }
    }
  }
}
