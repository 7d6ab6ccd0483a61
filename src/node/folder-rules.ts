import { IgnoreFile, type IgnorableEntry } from './ignore-file';

/** Where ignore files are looked for in a folder; what the first one says goes before what the others say. */
const SOURCES = [
  { file: '.rgignore', isOfGit: false },
  { file: '.ignore', isOfGit: false },
  { file: '.gitignore', isOfGit: true },
  { file: '.git/info/exclude', isOfGit: true },
] as const;

/** What ignore files say about the entries of a folder: those in it and those above it. */
export class FolderRules {
  private constructor(
    private readonly parent: FolderRules | undefined,
    /** How many names the path of its folder has. */
    private readonly depth: number,
    /** Where rules of git for the outside end. */
    private readonly isRepository: boolean,
    private readonly files: ReadonlyMap<string, IgnoreFile>,
  ) {}

  /** Reads what a folder has. `inRepository`: whether the search is in one at all, so that others in it are of their own. */
  static async of(
    parent: FolderRules | undefined,
    folder: {
      readonly depth: number;
      readonly entries: readonly { readonly name: string; readonly kind: string }[];
      readonly inRepository: boolean;
      readonly read: (file: string) => Promise<string>;
    },
  ): Promise<FolderRules | undefined> {
    const { depth, entries, inRepository, read } = folder;
    const git = inRepository ? entries.find(({ name }) => name === '.git') : undefined;
    const present = SOURCES.filter(({ file }) =>
      file.startsWith('.git/')
        ? git?.kind === 'folder'
        : entries.some(({ name, kind }) => name === file && kind === 'file'),
    );
    if (present.length === 0 && !git) return parent;
    const files = new Map<string, IgnoreFile>();
    for (const { file } of present) files.set(file, new IgnoreFile(await read(file)));
    return new FolderRules(parent, depth, git !== undefined, files);
  }

  ignores(entry: IgnorableEntry): boolean {
    for (const { file, isOfGit } of SOURCES) {
      const decision = this.decide(file, isOfGit, entry);
      if (decision) return decision === 'ignored';
    }
    return false;
  }

  private decide(file: string, isOfGit: boolean, entry: IgnorableEntry): 'ignored' | 'kept' | undefined {
    const decision = this.files.get(file)?.decide(entry, this.depth);
    if (decision || (isOfGit && this.isRepository)) return decision;
    return this.parent?.decide(file, isOfGit, entry);
  }
}
