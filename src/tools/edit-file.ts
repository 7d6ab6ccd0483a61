import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Caller, type Preview, type RunContext, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { applyEdit, insertLines, type Edit } from './edit/apply-edit';
import {
  editError,
  editReport,
  tooLarge,
  type Applied,
  type EditAt,
  type EditContext,
} from './edit/edit-report';
import { lineChanges } from './edit/line-changes';
import { editAccess, readAccess } from './files/entries';
import { resolveMeant } from './files/look-alikes';
import { mustExist } from './files/paths';
import { recordChange } from './files/record-change';
import type { SeenFiles } from './files/seen-files';
import { editNotebook } from './notebooks/edit-notebook';
import { isNotebookName, readNotebook, type Notebook } from './notebooks/notebook';
import { runsCodeIn, type Place } from './ports/files';
import type { Surroundings } from './ports/surroundings';
import { withNewProblems } from './problems';
import { byteSize, count, utf8Length } from './text/amounts';
import { countLines, mustBeWholeCharacters } from './text/lines';
import { savedOtherwise } from './write-file';

/** Several edits at once, and what calls of other agents' tools become. */
const OTHER_FORMS = { arguments: ['edits', 'replace_all', 'after_line'], required: ['path', 'old', 'new'] };

export function editFile(
  surroundings: Pick<Surroundings, 'files' | 'images' | 'search' | 'languages'>,
  seen: SeenFiles,
): Tool {
  const { files } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'editFile',
    userDescription: 'Changes parts of a text file.',
    effect: 'write',
    description:
      'Replaces old with new in a file. Copy old exactly, with its indentation, and enough text that it occurs once, or expect times.',
    isCore: true,
    unshown: () => OTHER_FORMS,
    example: { path: 'src/greeting.txt', old: 'Hello', new: 'Good morning' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).describe('The file, relative to the workspace.'),
        edits: z.array(z.strictObject(editShape())).min(1).optional().describe('The edits, in order.'),
        old: editShape().old.optional().describe('For a single edit instead of edits: the text to replace.'),
        new: editShape().new.optional().describe('With old: the replacement text.'),
        expect: z.int().min(1).optional().describe('With old: how often it occurs. All places are replaced.'),
        replace_all: z.boolean().default(false).describe('With old: replace it wherever it occurs.'),
        after_line: z
          .int()
          .min(-1)
          .optional()
          .describe('Instead of old: insert new as lines after this one; 0: at the start, -1: at the end.'),
      }),
    prepare: async ({ path, edits, ...single }, signal, caller) => {
      const wanted = allChanges(edits, single);
      if (wanted.length > limits.patchHunks) {
        throw new ToolError(`A call takes up to ${count(limits.patchHunks, 'edit')}. Split it.`);
      }
      const { place, path: meant, note } = await resolveMeant(path, 'write', files);
      const reading = await files.resolve(meant, 'read');
      const title = `Edit ${place.display}`;
      if (reading.verdict.decision !== 'auto') {
        // Not even an error may show its text before the user was asked.
        return {
          title,
          accesses: [readAccess(reading), editAccess(place)],
          preview: previewOf(place, wanted),
          run: async (context) => {
            const found = await plan(caller, place, wanted, context.signal);
            return { text: (await write(caller, place, found, context)) + note };
          },
        };
      }
      const planned = await plan(caller, place, wanted, signal);
      return {
        title,
        accesses: [editAccess(place)],
        preview: {
          type: 'diff',
          path: place.display,
          ...(planned.shown ?? { before: planned.before, after: planned.after }),
          ...runsCodeIn(place),
        },
        run: async (context) => {
          context.signal.throwIfAborted();
          return { text: (await write(caller, place, planned, context)) + note };
        },
      };
    },
  });

  /** Makes the edits on a copy. */
  async function plan(
    caller: Caller,
    place: Place,
    changes: readonly Change[],
    signal: AbortSignal,
  ): Promise<Planned> {
    const info = await mustExist(place, 'file', surroundings, signal);
    if (info.kind !== 'file') throw new ToolError(`${place.display} is not a file. Give the path of a file.`);
    const isSmall = info.size <= limits.writeFileBytes;
    const mayBeNotebook = isNotebookName(place);
    if (!isSmall && !mayBeNotebook) throw tooLargeToEdit(place, info.size);
    const { text: before } = await files.readText(place);
    seen.mustBeCurrent(caller, place, before);
    const notebook = mayBeNotebook ? readNotebook(before) : undefined;
    if (notebook) return planCells(place, before, notebook, changes);
    if (!isSmall) throw tooLargeToEdit(place, info.size);
    const applied: Applied[] = [];
    let text = before;
    const pace = new Pace(limits.patchMatchingMs);
    for (const [index, change] of changes.entries()) {
      await pace.step(signal);
      const context = { path: place.display, text, before };
      const outcome =
        'after' in change
          ? inserted(change, context)
          : replaced(context, { edit: change, number: index + 1, of: changes.length });
      applied.push(outcome);
      text = outcome.text;
    }
    if (text === before) throw new ToolError('The edits together change nothing. Leave them out.');
    mustBeWholeCharacters(text, place.display);
    if (utf8Length(text) > limits.writeFileBytes) throw new ToolError(tooLarge(place.display));
    return { before, after: text, report: editReport(applied, text) };
  }

  async function write(
    caller: Caller,
    place: Place,
    { before, after, shown, report }: Planned,
    context: RunContext,
  ): Promise<string> {
    const change = async (): Promise<string> => {
      const stored = await files.writeText(place, after, before);
      seen.saw(caller, place, stored);
      const { added, removed } = lineChanges(shown?.before ?? before, shown?.after ?? stored);
      const changes = `added ${count(added, 'line')}, removed ${count(removed, 'line')}`;
      return [`Edited ${place.display}: ${changes}.${savedOtherwise(stored, after)}`, ...report].join('\n');
    };
    const recorded = (): Promise<string> => recordChange([place], change, surroundings, context);
    // Language services check the cells of an open notebook, not its file.
    if (shown) return recorded();
    return withNewProblems({ place, before, after }, recorded, surroundings, context);
  }
}

interface Planned {
  readonly before: string;
  readonly after: string;
  /** One line for each edit. */
  readonly report: readonly string[];
  /** What people see instead: the cells of a notebook. */
  readonly shown?: { readonly before: string; readonly after: string };
}

function tooLargeToEdit(place: Place, size: number): ToolError {
  const most = byteSize(limits.writeFileBytes);
  return new ToolError(
    `${place.display} has ${byteSize(size)}; the limit for edits is ${most}. Use a command.`,
  );
}

function planCells(place: Place, before: string, notebook: Notebook, changes: readonly Change[]): Planned {
  const edits = changes.flatMap((change) => ('after' in change ? [] : [change]));
  if (edits.length < changes.length) {
    throw new ToolError(`${place.display} is a notebook, which has no lines of its own. Give old and new.`);
  }
  const { text, shown, report } = editNotebook({ path: place.display, text: before, notebook }, edits);
  if (text === before) throw new ToolError('The edits together change nothing. Leave them out.');
  mustBeWholeCharacters(shown.after, place.display);
  return { before, after: text, shown, report };
}

function editShape() {
  return {
    old: z.string().min(1).describe('The exact text to replace.'),
    new: z.string().describe('The replacement text.'),
    expect: z.int().min(1).default(1).describe('How often old occurs. All places are replaced.'),
    replace_all: z.boolean().default(false).describe('Replace old wherever it occurs.'),
  };
}

interface Insertion {
  /** A line from 1; 0: at the start of the file, -1: at its end. */
  readonly after: number;
  readonly new: string;
}

type Change = Edit | Insertion;

interface GivenEdit {
  readonly old: string;
  readonly new: string;
  readonly expect?: number | undefined;
  readonly replace_all: boolean;
}

interface SingleChange {
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly expect?: number | undefined;
  readonly replace_all: boolean;
  readonly after_line?: number | undefined;
}

function allChanges(edits: readonly GivenEdit[] | undefined, given: SingleChange): readonly Change[] {
  const { old, expect, after_line: after } = given;
  // Beside a list of edits, an empty text is no edit.
  const fresh = edits && old === undefined && given.new === '' ? undefined : given.new;
  if (old === undefined && fresh === undefined && expect === undefined) {
    if (edits) return edits.map(asEdit);
    throw new ToolError('No edit was given. Give edits, or old and new for a single one.');
  }
  if (edits) throw new ToolError('Both edits and a single edit are given. Put all of them into edits.');
  if (after !== undefined && old === undefined && fresh !== undefined) return [{ after, new: fresh }];
  if (old === undefined || fresh === undefined) {
    throw new ToolError('A single edit needs old and new. Give both.');
  }
  if (after !== undefined) throw new ToolError('Both old and after_line are given. Give one of them.');
  return [asEdit({ old, new: fresh, expect, replace_all: given.replace_all })];
}

function asEdit({ old, new: fresh, expect, replace_all: isAll }: GivenEdit): Edit {
  return { old, new: fresh, expect: isAll ? 'any' : (expect ?? 1) };
}

function replaced(context: EditContext, at: EditAt): Applied {
  const outcome = applyEdit(context.text, at.edit, limits.writeFileBytes);
  if (outcome.type !== 'applied') throw editError(outcome, context, at);
  return outcome;
}

function inserted({ after, new: lines }: Insertion, { path, text }: EditContext): Applied {
  const outcome = insertLines(text, { after, lines });
  if (!outcome) {
    const last = count(countLines(text), 'line');
    throw new ToolError(`${path} has ${last}. Give a line of the file as after_line.`);
  }
  if (outcome.text.length > limits.writeFileBytes) throw new ToolError(tooLarge(path));
  return outcome;
}

function previewOf(place: Place, changes: readonly Change[]): Preview {
  const joined = (side: 'old' | 'new'): string =>
    changes.map((change) => ('after' in change ? { old: '', new: change.new } : change)[side]).join('\n⋯\n');
  return {
    type: 'diff',
    path: place.display,
    before: joined('old'),
    after: joined('new'),
    ...runsCodeIn(place),
  };
}

/** Yields between the steps of a long calculation, and ends it in time. */
class Pace {
  private readonly start = performance.now();
  private rested = this.start;

  constructor(private readonly most: number) {}

  async step(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    if (now - this.start > this.most)
      throw new ToolError('The edits take too long to match. Give fewer in one call.');
    if (now - this.rested < 50) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    this.rested = performance.now();
  }
}
