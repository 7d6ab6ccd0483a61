import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Caller, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { lineChanges } from './edit/line-changes';
import { editAccess } from './files/entries';
import { newNameAccess } from './files/look-alikes';
import { recordChange } from './files/record-change';
import type { SeenFiles } from './files/seen-files';
import { runsCodeIn, type Place } from './ports/files';
import type { Surroundings } from './ports/surroundings';
import { withNewProblems } from './problems';
import { byteSize, count, utf8Length } from './text/amounts';
import { breakNear, countLines, mustBeWholeCharacters } from './text/lines';

export function writeFile(
  surroundings: Pick<Surroundings, 'files' | 'images' | 'languages'>,
  seen: SeenFiles,
): Tool {
  const { files } = surroundings;
  return defineTool({
    toolset: 'files',
    method: 'writeFile',
    userDescription: 'Creates a text file, or replaces one.',
    effect: 'write',
    description:
      'Creates a text file, or replaces one with overwrite; to change a part of one use edit_file.',
    isCore: true,
    xmlSchema: {
      tag_name: 'create-file',
      mappings: [
        { param_name: 'path', node_type: 'attribute', path: '.' },
        { param_name: 'content', node_type: 'content', path: '.' },
      ],
    },
    example: { path: 'src/greeting.txt', content: 'Hello,\nthis is the second line.\n' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).describe('The file, relative to the workspace.'),
        content: z.string().describe('The whole text of the file.'),
        overwrite: z.boolean().default(false).describe('Replace the file if it exists.'),
      }),
    prepare: async ({ path, content, overwrite }, _signal, caller) => {
      const size = utf8Length(content);
      if (size > limits.writeFileBytes) {
        const most = byteSize(limits.writeFileBytes);
        throw new ToolError(
          `content has ${byteSize(size)}; the limit is ${most}. Write less, or use a command.`,
        );
      }
      const place = await files.resolve(path, 'write');
      const info = await files.stat(place);
      if (info && info.kind !== 'file')
        throw new ToolError(`${place.display} is not a file. Choose another path.`);
      if (info && !overwrite) {
        throw new ToolError(
          `${place.display} exists already. Change it with edit_file, or set overwrite=true to replace it.`,
        );
      }
      mustBeWholeCharacters(content, place.display);
      // A secret file is never shown before the user was asked, not even as the old side of a preview.
      const readable = (await files.resolve(path, 'read')).verdict.decision === 'auto';
      const shown = info && readable ? await contentToReplace(caller, place) : undefined;
      const preview = {
        type: 'diff' as const,
        path: place.display,
        before: shown ?? '',
        after: shown === undefined ? content : inLineEndingsOf(shown, content),
        ...runsCodeIn(place),
      };
      const access = editAccess(place);
      return {
        title: info ? `Replace ${place.display}` : `Create ${place.display}`,
        accesses: [info ? access : await newNameAccess(access, place, files)],
        preview,
        run: async (context) => {
          context.signal.throwIfAborted();
          const write = (): Promise<string> =>
            info ? replace(caller, place, content, shown) : create(caller, place, content);
          const recorded = (): Promise<string> => recordChange([place], write, surroundings, context);
          const { before, after } = preview;
          return { text: await withNewProblems({ place, before, after }, recorded, surroundings, context) };
        },
      };
    },
  });

  async function contentToReplace(caller: Caller, place: Place): Promise<string> {
    const { text } = await files.readText(place);
    seen.mustBeCurrent(caller, place, text);
    return text;
  }

  async function create(caller: Caller, place: Place, content: string): Promise<string> {
    const stored = await files.writeText(place, content, undefined);
    seen.saw(caller, place, stored);
    const note = place.isWithoutFolderName ? AS_WRITTEN : '';
    return `Created ${place.display}: ${count(countLines(stored), 'line')}.${note}${savedOtherwise(stored, content)}`;
  }

  async function replace(
    caller: Caller,
    place: Place,
    content: string,
    approved: string | undefined,
  ): Promise<string> {
    const before = approved ?? (await contentToReplace(caller, place));
    const after = inLineEndingsOf(before, content);
    const stored = await files.writeText(place, after, before);
    seen.saw(caller, place, stored);
    const { added, removed } = lineChanges(before, stored);
    const kept = after === content ? '' : ' The line endings of the file were kept (CRLF).';
    return `Replaced ${place.display}: added ${count(added, 'line')}, removed ${count(removed, 'line')}.${kept}${savedOtherwise(stored, after)}`;
  }
}

/** Without it, a folder with the name of the workspace folder could not be made in it. */
const AS_WRITTEN =
  ' The name of the workspace folder was left out of the path. For a folder of that name in it, begin the path with "./".';

/** Models do not see line endings: a file that uses CRLF throughout keeps them. */
function inLineEndingsOf(before: string, content: string): string {
  const isCrlf = breakNear(before, 0) === '\r\n' && !/(?<!\r)\n/.test(before);
  return isCrlf && !content.includes('\r\n') ? content.replaceAll('\n', '\r\n') : content;
}

/** For the end of a result: an editor may format what it saves. */
export function savedOtherwise(stored: string, asked: string): string {
  return stored === asked
    ? ''
    : ' The editor changed it further while saving. Read it again before you edit it.';
}
