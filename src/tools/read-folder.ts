import * as z from 'zod';
import { visibleText } from '../base/visible-text';
import { ToolError, type Tool } from '../core/tool';
import { byteSize, count, grouped } from './amounts';
import { defineTool } from './define';
import { missingPath } from './missing-path';
import type { Census, Entry, Place, Surroundings } from './workspace';

export function readFolder(surroundings: Surroundings): Tool {
  const { files, search, limits } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'readFolder',
    effect: 'read',
    description:
      'Lists a folder as a tree: folders with the number of files in them, files with their size. ' +
      'Use it to get to know a workspace; to look for files by name use find_files.',
    input: () =>
      z.strictObject({
        path: z.string().min(1).default('.').describe('The folder, relative to the workspace.'),
        depth: z.int().min(1).max(limits.listDepth).default(1).describe('How many levels to show.'),
        include_ignored: z
          .boolean()
          .default(false)
          .describe('Also show what ignore files such as .gitignore hide.'),
      }),
    prepare: async ({ path, depth, include_ignored }) => {
      const place = await files.resolve(path, 'list');
      return {
        title: `List ${place.display}`,
        accesses: [{ effect: 'read', target: place.display, kind: 'path', verdict: place.verdict }],
        run: async ({ signal }) => {
          const info = await files.stat(place);
          if (!info) throw await missingPath(place, 'folder', surroundings, signal);
          if (info.kind !== 'folder')
            throw new ToolError(`${place.display} is no folder. Read it with read_file.`);
          const census = include_ignored ? undefined : await search.census(place, depth, signal);
          const tree = new Tree(census, depth, limits.listEntries);
          await grow(tree, place, '', signal);
          return { text: tree.render(place.display) };
        },
      };
    },
  });

  async function grow(tree: Tree, place: Place, path: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (const entry of await files.list(place)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.kind !== 'folder') tree.addLeaf(entry, below);
      else {
        const folder = await resolveBelow(place, entry.name);
        const isEmpty = folder && !tree.holdsVisible(below) && (await files.list(folder)).length === 0;
        const goDown = tree.addFolder(entry, below, isEmpty === true);
        if (goDown && folder) await grow(tree, folder, below, signal);
      }
      if (tree.isFull) return;
    }
  }

  /** A folder that may be listed like the one it is in; its name alone may be reason enough that it may not. */
  async function resolveBelow(place: Place, name: string): Promise<Place | undefined> {
    try {
      const folder = await files.resolve(`${place.resolved}/${name}`, 'list');
      return folder.verdict.decision === place.verdict.decision ? folder : undefined;
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

  constructor(
    private readonly census: Census | undefined,
    private readonly depth: number,
    private readonly most: number,
  ) {}

  get isFull(): boolean {
    return this.lines.length >= this.most;
  }

  /** Whether something under the folder is visible, as far as it is known. */
  holdsVisible(path: string): boolean {
    return !this.census || this.census.cut !== undefined || this.census.folders.has(path);
  }

  addLeaf(entry: Entry, path: string): void {
    const isHidden = this.census && !this.census.cut && entry.kind === 'file' && !this.census.files.has(path);
    if (isHidden) this.hidden++;
    else this.add(path, `${visibleText(entry.name)}${leafNote(entry)}`);
  }

  /** Whether the listing goes on inside. */
  addFolder(entry: Entry, path: string, isEmpty: boolean): boolean {
    if (!isEmpty && !this.holdsVisible(path)) {
      this.hidden++;
      return false;
    }
    const files = this.census?.folders.get(path);
    const note = isEmpty ? ' (empty)' : files === undefined ? '' : ` (${count(files, 'file')})`;
    this.add(path, `${visibleText(entry.name)}/${note}`);
    return !isEmpty && levelOf(path) < this.depth;
  }

  render(display: string): string {
    const total = this.census?.folders.get('');
    const head = `${display}${total === undefined ? '' : `: ${count(total, 'file')} in all`}`;
    const notes = [
      ...(this.lines.length === 0 && this.hidden === 0 ? ['(empty folder)'] : []),
      ...(this.isFull
        ? [`[Cut at ${grouped(this.most)} entries. List a folder in it, or fewer levels.]`]
        : []),
      ...(this.hidden > 0
        ? [
            `[Hidden by ignore files: ${count(this.hidden, 'entry', 'entries')}. include_ignored=true shows them.]`,
          ]
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
  if (kind === 'other') return ' (no regular file)';
  return size === undefined ? '' : ` (${byteSize(size)})`;
}
