import { visibleName } from '../../base/text';
import { ToolError } from '../../core/words/tool';
import type { Entry, Place } from '../ports/files';
import type { Census } from '../ports/search';
import type { Surroundings } from '../ports/surroundings';
import { byteSize, count, grouped } from '../text/amounts';

interface FolderTreeOptions {
  /** How many levels are shown. */
  readonly depth: number;
  /** How many entries are shown. */
  readonly most: number;
  /** Also shows what ignore files hide. */
  readonly includeIgnored: boolean;
}

/** A folder as a tree: folders with the number of files in them, files with their size. Says what is left out. */
export async function folderTree(
  place: Place,
  { files, search }: Pick<Surroundings, 'files' | 'search'>,
  { depth, most, includeIgnored }: FolderTreeOptions,
  signal: AbortSignal,
): Promise<string> {
  const census = includeIgnored ? undefined : await search.census(place, depth, signal);
  const tree = new Tree(census, depth, most);
  await grow(place, '');
  return tree.render(place.display);

  async function grow(folder: Place, path: string): Promise<void> {
    signal.throwIfAborted();
    for (const entry of await files.list(folder)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isWithheld) tree.withhold();
      else if (entry.kind !== 'folder') tree.addLeaf(entry, below);
      else {
        const inner = await resolveBelow(folder, entry.name);
        const isEmpty = inner && !tree.holdsVisible(below) && (await files.list(inner)).length === 0;
        const goDown = tree.addFolder(entry, below, isEmpty === true);
        if (goDown && inner) await grow(inner, below);
      }
      if (tree.isFull) return;
    }
  }

  /** Returns a folder that may be listed like its parent; its name alone may forbid it. */
  async function resolveBelow(folder: Place, name: string): Promise<Place | undefined> {
    try {
      const inner = await files.resolve(`${folder.resolved}/${name}`, 'list');
      return inner.verdict.decision === folder.verdict.decision ? inner : undefined;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }
}

/** Collects the lines of a listing and what is left out of it. */
class Tree {
  private readonly lines: string[] = [];
  private hidden = 0;
  private withheld = 0;

  constructor(
    private readonly census: Census | undefined,
    private readonly depth: number,
    private readonly most: number,
  ) {}

  get isFull(): boolean {
    return this.lines.length >= this.most;
  }

  /** Whether something under the folder is visible, if known. */
  holdsVisible(path: string): boolean {
    return !this.census || this.census.cut !== undefined || this.census.folders.has(path);
  }

  /** Counts an entry that an ignore file for agents names. */
  withhold(): void {
    this.withheld++;
  }

  addLeaf(entry: Entry, path: string): void {
    const isHidden = this.census && !this.census.cut && entry.kind === 'file' && !this.census.files.has(path);
    if (isHidden) this.hidden++;
    else this.add(path, `${visibleName(entry.name)}${leafNote(entry)}`);
  }

  /** Whether the listing continues inside it. */
  addFolder(entry: Entry, path: string, isEmpty: boolean): boolean {
    if (!isEmpty && !this.holdsVisible(path)) {
      this.hidden++;
      return false;
    }
    const files = this.census?.folders.get(path);
    const note = isEmpty ? ' (empty)' : files === undefined ? '' : ` (${count(files, 'file')})`;
    this.add(path, `${visibleName(entry.name)}/${note}`);
    return !isEmpty && levelOf(path) < this.depth;
  }

  render(display: string): string {
    const total = this.census?.folders.get('');
    const head = `${display}${total === undefined ? '' : `: ${count(total, 'file')} in all`}`;
    const notes = [
      ...(this.lines.length + this.hidden + this.withheld === 0 ? ['(empty folder)'] : []),
      ...(this.isFull ? [`[Cut at ${grouped(this.most)} entries. List a subfolder, or fewer levels.]`] : []),
      ...(this.hidden > 0
        ? [
            `[Hidden by ignore files: ${count(this.hidden, 'entry', 'entries')}. include_ignored=true shows them.]`,
          ]
        : []),
      ...(this.withheld > 0
        ? [`[Left out by ignore files for agents: ${count(this.withheld, 'entry', 'entries')}.]`]
        : []),
      ...(this.census?.cut ? ['[Too many files to count them all; ignore files were not applied.]'] : []),
    ];
    return [head, ...this.lines, ...notes].join('\n');
  }

  private add(path: string, text: string): void {
    this.lines.push(`${'  '.repeat(levelOf(path) - 1)}${text}`);
  }
}

function levelOf(path: string): number {
  return path.split('/').length;
}

function leafNote({ kind, size }: Entry): string {
  if (kind === 'link') return ' (link)';
  if (kind === 'other') return ' (not a regular file)';
  return size === undefined ? '' : ` (${byteSize(size)})`;
}
