import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Caller, type Preview, type RunContext, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { spotsOf } from './edit/symbol-spots';
import { editAccess } from './files/entries';
import { mustExist } from './files/paths';
import { recordChange } from './files/record-change';
import type { SeenFiles } from './files/seen-files';
import { runsCodeIn, type Place } from './ports/files';
import { NO_EDITOR, type TextChange } from './ports/languages';
import type { Surroundings } from './ports/surroundings';
import { withNewProblems } from './problems';
import { count } from './text/amounts';
import { splitLines } from './text/lines';

/** A file before and after the rename. */
interface Renamed {
  readonly place: Place;
  readonly before: string;
  readonly after: string;
  readonly places: number;
}

export function renameSymbol(
  surroundings: Pick<Surroundings, 'files' | 'images' | 'search' | 'languages'>,
  seen: SeenFiles,
): Tool {
  const { files, languages } = surroundings;
  return defineTool({
    toolset: 'editor',
    method: 'renameSymbol',
    userDescription: 'Renames a symbol in all files that use it.',
    effect: 'write',
    ...(!languages && { whyNotOffered: NO_EDITOR }),
    summary: 'renames a symbol everywhere',
    description: 'Renames a symbol and all its uses, in every file, as the editor understands the code.',
    example: { path: 'src/app.ts', symbol: 'parse', new_name: 'parseConfig' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).describe('A file that defines or uses it.'),
        symbol: z.string().min(1).max(200).describe('Its name now.'),
        new_name: z.string().min(1).max(200).describe('Its new name.'),
        line: z.int().min(1).optional().describe('Its line, if the file has several of that name.'),
      }),
    prepare: async ({ path, symbol, new_name, line }, signal, caller) => {
      if (!languages) throw new ToolError(NO_EDITOR);
      if (symbol === new_name) throw new ToolError(`It is already called ${symbol}. Give another new_name.`);
      const place = await files.resolve(path, 'read');
      mustBeReadable(place);
      const info = await mustExist(place, 'file', surroundings, signal);
      if (info.kind !== 'file')
        throw new ToolError(`${place.display} is not a file. Give the path of a file.`);
      const spots = await spotsOf({ place, symbol, line }, { files, languages });
      const [spot, ...others] = spots;
      if (!spot) throw new ToolError(noSpot(place, symbol, line));
      if (others.length > 0) {
        const lines = spots.map((each) => each.line).join(', ');
        throw new ToolError(`${symbol} occurs in ${place.display} at lines ${lines}. Choose one with line.`);
      }
      const changes = await languages.rename(place, spot, new_name);
      signal.throwIfAborted();
      if (changes.length === 0) throw new ToolError(notUnderstood(place, symbol));
      if (changes.length > limits.patchFiles) {
        throw new ToolError(
          `${symbol} is used in ${changes.length} files; up to ${limits.patchFiles} can be changed at once. Do it in steps with edit_file.`,
        );
      }
      const renamed: Renamed[] = [];
      for (const change of changes) renamed.push(await planned(change));
      return {
        title: `Rename ${symbol} to ${new_name}`,
        accesses: renamed.map((each) => editAccess(each.place)),
        preview: previewOf(place, renamed),
        run: async (context) => ({
          text: [
            `Renamed ${symbol} to ${new_name}: ${count(total(renamed), 'place')} in ${count(renamed.length, 'file')}.`,
            await write(caller, renamed, context),
          ].join('\n'),
        }),
      };
    },
  });

  /** What the editor would do to each file. Every file is judged like a path from a model. */
  async function planned({ path, edits }: TextChange): Promise<Renamed> {
    const place = await files.resolve(path, 'write');
    mustBeReadable(await files.resolve(path, 'read'));
    const { text: before } = await files.readText(place);
    return { place, before, after: applied(before, edits, place), places: edits.length };
  }

  async function write(caller: Caller, renamed: readonly Renamed[], context: RunContext): Promise<string> {
    context.signal.throwIfAborted();
    const change = async (): Promise<string> => {
      await mustBeAsShown(renamed);
      const written: { readonly file: Renamed; readonly stored: string }[] = [];
      try {
        for (const file of renamed) {
          const stored = await files.writeText(file.place, file.after, file.before);
          written.push({ file, stored });
        }
      } catch (error) {
        // A partial rename is worse than no rename.
        for (const { file, stored } of written.reverse())
          await files.writeText(file.place, file.before, stored);
        throw error;
      }
      for (const { file, stored } of written) saw(caller, file, stored);
      return renamed.map(({ place, places }) => `${place.display}: ${count(places, 'place')}`).join('\n');
    };
    const recorded = (): Promise<string> =>
      recordChange(
        renamed.map(({ place }) => place),
        change,
        surroundings,
        context,
      );
    // SAFETY: a rename that changes no file was refused before it was shown.
    return withNewProblems(renamed[0]!, recorded, surroundings, context);
  }

  /** Write nothing if one of the files has changed. */
  async function mustBeAsShown(renamed: readonly Renamed[]): Promise<void> {
    for (const { place, before } of renamed) {
      if ((await files.readText(place)).text !== before) {
        throw new ToolError(
          `${place.display} has changed since this was shown, so nothing was renamed. Call rename_symbol again.`,
        );
      }
    }
  }

  /** A caller that knew the text still knows it: only the name changed. */
  function saw(caller: Caller, { place, before }: Renamed, stored: string): void {
    try {
      seen.mustBeCurrent(caller, place, before);
    } catch (error) {
      if (error instanceof ToolError) return;
      throw error;
    }
    seen.saw(caller, place, stored);
  }
}

function mustBeReadable({ verdict, display }: Place): void {
  if (verdict.decision === 'auto') return;
  throw new ToolError(`Not renamed, because ${display} is part of it: ${verdict.reason}. Use edit_file.`);
}

function applied(text: string, edits: TextChange['edits'], { display }: Place): string {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
  const offset = ({ line, column }: { line: number; column: number }): number =>
    (starts[line - 1] ?? text.length) + column - 1;
  let result = text;
  let end = Infinity;
  for (const edit of [...edits].sort((a, b) => offset(b.start) - offset(a.start))) {
    const [from, to] = [offset(edit.start), offset(edit.end)];
    if (to > end || to > text.length || from > to)
      throw new ToolError(
        `The editor would change ${display} in a way that does not match its text. Read it.`,
      );
    result = result.slice(0, from) + edit.text + result.slice(to);
    end = from;
  }
  return result;
}

/** The changed lines, file by file. */
function previewOf(named: Place, renamed: readonly Renamed[]): Preview {
  const runsCode = renamed.map(({ place }) => runsCodeIn(place)).find((each) => 'runsCode' in each) ?? {};
  const side = (which: 'before' | 'after'): string =>
    renamed.map((file) => changedLines(file, which)).join('\n\n');
  return { type: 'diff', path: named.display, before: side('before'), after: side('after'), ...runsCode };
}

function changedLines({ place, before, after }: Renamed, which: 'before' | 'after'): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shown = which === 'before' ? old : now;
  const numbers = old.flatMap((line, at) => (line === now[at] ? [] : [at]));
  return [place.display, ...numbers.map((at) => `${at + 1}: ${shown[at] ?? ''}`)].join('\n');
}

function total(renamed: readonly Renamed[]): number {
  return renamed.reduce((sum, { places }) => sum + places, 0);
}

function noSpot({ display }: Place, symbol: string, line: number | undefined): string {
  return line === undefined
    ? `${symbol} does not occur in ${display}. Find it with search_text.`
    : `${symbol} does not occur in line ${line} of ${display}. Read the file, or leave line out.`;
}

function notUnderstood({ display }: Place, symbol: string): string {
  return `The editor has no language service that can rename ${symbol} in ${display}. Use search_text and edit_file.`;
}
