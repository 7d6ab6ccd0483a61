import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Caller, type Preview, type RunContext, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { applyEdit, type Edit } from './edit/apply-edit';
import { editError, editReport, tooLarge, type Applied } from './edit/edit-report';
import { lineChanges } from './edit/line-changes';
import { editAccess, readAccess } from './files/entries';
import { mustExist } from './files/paths';
import { recordChange } from './files/record-change';
import type { SeenFiles } from './files/seen-files';
import { runsCodeIn, type Place } from './ports/files';
import type { Surroundings } from './ports/surroundings';
import { withNewProblems } from './problems';
import { byteSize, count, utf8Length } from './text/amounts';
import { mustBeWholeCharacters } from './text/lines';
import { savedOtherwise } from './write-file';

const LIST_FORM = { arguments: ['edits'], required: ['path', 'old', 'new'] };

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
    // Several edits at once, for models that know this form.
    unshown: () => LIST_FORM,
    example: { path: 'src/greeting.txt', old: 'Hello', new: 'Good morning' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).describe('The file, relative to the workspace.'),
        edits: z.array(z.strictObject(editShape())).min(1).optional().describe('The edits, in order.'),
        old: editShape().old.optional().describe('For a single edit instead of edits: the text to replace.'),
        new: editShape().new.optional().describe('With old: the replacement text.'),
        expect: z.int().min(1).optional().describe('With old: how often it occurs. All places are replaced.'),
      }),
    prepare: async ({ path, edits, ...single }, signal, caller) => {
      const wanted = allEdits(edits, single);
      if (wanted.length > limits.patchHunks) {
        throw new ToolError(`A call takes up to ${count(limits.patchHunks, 'edit')}. Split it.`);
      }
      const place = await files.resolve(path, 'write');
      const reading = await files.resolve(path, 'read');
      const title = `Edit ${place.display}`;
      if (reading.verdict.decision !== 'auto') {
        // Not even an error may show its text before the user was asked.
        return {
          title,
          accesses: [readAccess(reading), editAccess(place)],
          preview: previewOf(place, wanted),
          run: async (context) => {
            const found = await plan(caller, place, wanted, context.signal);
            return { text: await write(caller, place, found, context) };
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
          before: planned.before,
          after: planned.after,
          ...runsCodeIn(place),
        },
        run: async (context) => {
          context.signal.throwIfAborted();
          return { text: await write(caller, place, planned, context) };
        },
      };
    },
  });

  /** Makes the edits on a copy. */
  async function plan(
    caller: Caller,
    place: Place,
    edits: readonly Edit[],
    signal: AbortSignal,
  ): Promise<Planned> {
    const info = await mustExist(place, 'file', surroundings, signal);
    if (info.kind !== 'file') throw new ToolError(`${place.display} is not a file. Give the path of a file.`);
    if (info.size > limits.writeFileBytes) {
      const most = byteSize(limits.writeFileBytes);
      throw new ToolError(
        `${place.display} has ${byteSize(info.size)}; the limit for edits is ${most}. Use a command.`,
      );
    }
    const { text: before } = await files.readText(place);
    seen.mustBeCurrent(caller, place, before);
    const applied: Applied[] = [];
    let text = before;
    const pace = new Pace(limits.patchMatchingMs);
    for (const [index, edit] of edits.entries()) {
      await pace.step(signal);
      const outcome = applyEdit(text, edit, limits.writeFileBytes);
      if (outcome.type !== 'applied') {
        const context = { path: place.display, text, before };
        throw editError(outcome, context, { edit, number: index + 1, of: edits.length });
      }
      applied.push(outcome);
      text = outcome.text;
    }
    if (text === before) throw new ToolError('The edits together change nothing. Leave them out.');
    mustBeWholeCharacters(text, place.display);
    if (utf8Length(text) > limits.writeFileBytes) throw new ToolError(tooLarge(place.display));
    return { before, after: text, applied };
  }

  async function write(
    caller: Caller,
    place: Place,
    { before, after, applied }: Planned,
    context: RunContext,
  ): Promise<string> {
    const change = async (): Promise<string> => {
      const stored = await files.writeText(place, after, before);
      seen.saw(caller, place, stored);
      const { added, removed } = lineChanges(before, stored);
      const changes = `added ${count(added, 'line')}, removed ${count(removed, 'line')}`;
      return [
        `Edited ${place.display}: ${changes}.${savedOtherwise(stored, after)}`,
        ...editReport(applied, after),
      ].join('\n');
    };
    const recorded = (): Promise<string> => recordChange([place], change, surroundings, context);
    return withNewProblems({ place, before, after }, recorded, surroundings, context);
  }
}

interface Planned {
  readonly before: string;
  readonly after: string;
  readonly applied: readonly Applied[];
}

function editShape() {
  return {
    old: z.string().min(1).describe('The exact text to replace.'),
    new: z.string().describe('The replacement text.'),
    expect: z.int().min(1).default(1).describe('How often old occurs. All places are replaced.'),
  };
}

function allEdits(
  edits: readonly Edit[] | undefined,
  single: { old?: string | undefined; new?: string | undefined; expect?: number | undefined },
): readonly Edit[] {
  if (single.old === undefined && single.new === undefined && single.expect === undefined) {
    if (edits) return edits;
    throw new ToolError('No edit was given. Give edits, or old and new for a single one.');
  }
  if (edits) throw new ToolError('Both edits and a single edit are given. Put all of them into edits.');
  if (single.old === undefined || single.new === undefined) {
    throw new ToolError('A single edit needs old and new. Give both.');
  }
  return [{ old: single.old, new: single.new, expect: single.expect ?? 1 }];
}

function previewOf(place: Place, edits: readonly Edit[]): Preview {
  const joined = (side: 'old' | 'new'): string => edits.map((edit) => edit[side]).join('\n⋯\n');
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
