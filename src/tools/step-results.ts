import { ToolError, type Preview, type Tool } from '../core/words/tool';
import { nearestRegion } from './edit/nearest-region';
import { splitLines } from './text/lines';

/** Without it, small models go on "to save the changes", and destroy a right edit. */
const NEXT = 'If that was the whole task, finish now; if not, do the next part.';

/** Files up to this many lines are shown whole. */
const WHOLE = 60;
/** Lines shown around a change in longer files. */
const AROUND = 2;

/**
 * A tool whose results move a small model on: a change says that it is saved and what the file is now, and a failed one
 * shows the file. `read` reads a file; nothing if it is not offered.
 */
export function withStepResults(tool: Tool, read: Tool | undefined): Tool {
  if (tool.spec.name === 'search_text') return withDefinitionFirst(tool);
  if (tool.effect !== 'write') return tool;
  return {
    ...tool,
    prepare: async (input, signal, caller) => {
      try {
        const prepared = await tool.prepare(input, signal, caller);
        return {
          ...prepared,
          run: async (context) => {
            const output = await prepared.run(context);
            const shown = prepared.preview ? shownChange(prepared.preview) : '';
            return {
              ...output,
              text: [`Done and saved. ${output.text}`, shown, NEXT].filter(Boolean).join('\n'),
            };
          },
        };
      } catch (error) {
        const { path } = input;
        if (!(error instanceof ToolError) || typeof path !== 'string') throw error;
        const text = await shownFile(path);
        throw text === undefined ? error : new ToolError(`Not changed: ${error.message}\n${text}`);
      }

      async function shownFile(path: string): Promise<string | undefined> {
        try {
          const reading = await read?.prepare({ path }, signal, caller);
          // What would ask is not shown unasked.
          if (!reading?.accesses.every(({ verdict }) => verdict.decision === 'auto')) return undefined;
          const { text } = await reading.run({
            signal,
            onOutput: () => undefined,
            onFileChange: () => undefined,
            delegate: () => Promise.reject(new ToolError('A read delegates nothing.')),
          });
          const places = placesOf(input['old'], text);
          if (places.length > 1)
            return `Begin one line earlier or end one line later, so that it is in only one place:\n${places.join('\n\n')}`;
          return splitLines(text).length > WHOLE ? nearestLines(input['old'], text) : `${path} is:\n${text}`;
        } catch (error) {
          if (error instanceof ToolError) return undefined;
          throw error;
        }
      }
    },
  };
}

/** What introduces a name, in front of it. */
const INTRODUCES = /\b(?:function\*?|class|def|fn|func|interface|enum|trait|struct)\s+$/;

/** Small models take the first hit of a search, so the one that defines the name is said first. */
function withDefinitionFirst(tool: Tool): Tool {
  return {
    ...tool,
    prepare: async (input, signal, caller) => {
      const prepared = await tool.prepare(input, signal, caller);
      return {
        ...prepared,
        run: async (context) => {
          const output = await prepared.run(context);
          const { query } = input;
          const found = typeof query === 'string' ? definitionIn(output.text, query) : undefined;
          return found === undefined ? output : { ...output, text: `${found}\n${output.text}` };
        },
      };
    },
  };
}

function definitionIn(result: string, name: string): string | undefined {
  let file = '';
  for (const line of result.split('\n').slice(1)) {
    if (/^\S/.test(line)) file = line;
    const [, number, text = ''] = /^ +(\d+): (.*)$/.exec(line) ?? [];
    const at = text.indexOf(name);
    if (number !== undefined && at >= 0 && INTRODUCES.test(text.slice(0, at)))
      return `${name} is defined in ${file}, line ${number}: ${text.trim()}`;
  }
  return undefined;
}

function shownChange(preview: Preview): string {
  if (preview.type !== 'diff') return '';
  const { path, before, after } = preview;
  const lines = splitLines(after);
  if (lines.length <= WHOLE) return `${path} is now:\n${after}`;
  const old = splitLines(before);
  let start = 0;
  while (start < lines.length && lines[start] === old[start]) start++;
  let end = 0;
  while (end < lines.length - start && lines.at(-1 - end) === old.at(-1 - end)) end++;
  const from = Math.max(0, start - AROUND);
  const shown = lines.slice(from, Math.min(lines.length - end + AROUND, from + WHOLE));
  return `${path} from line ${from + 1} is now:\n${shown.join('\n')}`;
}

/** Raw, because small models copy what they see. */
function nearestLines(old: unknown, text: string): string | undefined {
  const region = typeof old === 'string' ? nearestRegion(text, old) : undefined;
  if (!region) return undefined;
  const { firstLine, lastLine } = region;
  const lines = splitLines(text).slice(Math.max(0, firstLine - 1 - AROUND), lastLine + AROUND);
  return `The lines there are:\n${lines.join('\n')}`;
}

/** Every place of lines that occur several times, with the line before and after it. */
function placesOf(old: unknown, text: string): readonly string[] {
  if (typeof old !== 'string' || old.trim() === '') return [];
  const wanted = splitLines(old.replace(/\r?\n$/, ''));
  const lines = splitLines(text);
  return lines.flatMap((_, at) => {
    const isHere = wanted.every((line, offset) => lines[at + offset]?.trim() === line.trim());
    return isHere ? [lines.slice(Math.max(0, at - 1), at + wanted.length + 1).join('\n')] : [];
  });
}
