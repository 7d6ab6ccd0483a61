import * as z from 'zod';
import { limits } from '../base/limits';
import { visibleText } from '../base/text';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { spotsOf } from './edit/symbol-spots';
import { readAccess } from './files/entries';
import { liesIn, mustExist } from './files/paths';
import type { Place } from './ports/files';
import { NO_EDITOR, type CodeSymbol } from './ports/languages';
import type { Surroundings } from './ports/surroundings';
import { reachable } from './problems';
import { count, grouped } from './text/amounts';
import { splitLines } from './text/lines';

export function getSymbols(surroundings: Pick<Surroundings, 'files' | 'search' | 'languages'>): Tool {
  const { files, languages } = surroundings;
  return defineTool({
    toolset: 'editor',
    method: 'getSymbols',
    userDescription: 'Shows the outline of a file, or finds symbols by name.',
    effect: 'read',
    ...(!languages && { whyNotOffered: NO_EDITOR }),
    summary: 'outline of a file, symbols by name',
    description:
      'Shows classes, functions and other symbols that the editor knows, with their lines: the outline of a file (path), ' +
      'or workspace symbols by name (query). With references: all uses of the symbol query in path.',
    example: { query: 'parseConfig' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).optional().describe('A file for its outline; a folder narrows a query.'),
        query: z
          .string()
          .min(1)
          .max(limits.searchPatternCharacters)
          .optional()
          .describe('A name or a part of it.'),
        references: z.boolean().default(false).describe('Show all uses of that symbol of the file.'),
      }),
    prepare: async ({ path, query, references }, signal) => {
      if (path === undefined && query === undefined)
        throw new ToolError('Give the path of a file for its outline, or a query to find symbols by name.');
      if (references && (path === undefined || query === undefined))
        throw new ToolError(
          'References need both: path, a file that contains the symbol, and query, its name.',
        );
      const scope = await files.resolve(path ?? '.', path === undefined ? 'list' : 'read');
      return {
        title: references
          ? `Find uses of ${query}`
          : query === undefined
            ? `Outline ${scope.display}`
            : `Find the symbol ${query}`,
        accesses: [readAccess(scope)],
        run: async () => {
          const info = await mustExist(scope, 'file', surroundings, signal);
          if (info.kind === 'file' && references && query !== undefined)
            return { text: await uses(scope, query) };
          if (info.kind === 'file') return { text: await outline(scope, query) };
          if (query !== undefined) return { text: await named(query, scope, path !== undefined) };
          throw new ToolError(`${scope.display} is a folder. Give a query with it, or the path of a file.`);
        },
      };
    },
  });

  async function outline(place: Place, query: string | undefined): Promise<string> {
    if (!languages) throw new ToolError(NO_EDITOR);
    const all = await languages.outline(place);
    const part = query?.toLowerCase() ?? '';
    const found = all.filter(({ name }) => name.toLowerCase().includes(part));
    if (found.length === 0) {
      const fitting = query === undefined ? 'no symbol' : `no symbol with "${query}"`;
      return `The editor knows of ${fitting} in ${place.display}. It may have no language service for it. Read it with read_file.`;
    }
    const lines = found.map(
      ({ depth, ...symbol }) => `${'  '.repeat(query === undefined ? depth : 0)}${text(symbol)}`,
    );
    return listed(`${count(found.length, 'symbol')} in ${place.display}:`, lines);
  }

  async function uses(scope: Place, symbol: string): Promise<string> {
    if (!languages) throw new ToolError(NO_EDITOR);
    const spots = await spotsOf({ place: scope, symbol }, { files, languages });
    if (spots.length === 0)
      throw new ToolError(`${symbol} does not occur in ${scope.display}. Find it with search_text.`);
    const placeOf = reachable(files, scope);
    const found = new Map<string, { place: Place; lines: Set<number> }>();
    for (const spot of spots.slice(0, SPOTS)) {
      for (const { path, line } of await languages.references(scope, spot)) {
        const place = await placeOf(path);
        if (!place) continue;
        const file = found.get(place.resolved) ?? { place, lines: new Set() };
        found.set(place.resolved, file);
        file.lines.add(line);
      }
    }
    if (found.size === 0)
      return `The editor knows of no use of ${symbol} in ${scope.display}. It may have no language service for it. Use search_text.`;
    const lines: string[] = [];
    for (const { place, lines: numbers } of found.values()) {
      const texts = splitLines((await files.readText(place)).text);
      for (const number of [...numbers].sort((a, b) => a - b))
        lines.push(`${place.display}:${number}: ${oneLine((texts[number - 1] ?? '').trim())}`);
    }
    return listed(
      `${symbol} is used in ${count(lines.length, 'line')} of ${count(found.size, 'file')}:`,
      lines,
    );
  }

  async function named(query: string, scope: Place, isNarrow: boolean): Promise<string> {
    if (!languages) throw new ToolError(NO_EDITOR);
    const placeOf = reachable(files, scope);
    const lines: string[] = [];
    for (const symbol of await languages.find(query)) {
      const place = await placeOf(symbol.path);
      // Libraries are full of symbols that a query does not mean.
      if (place && (!isNarrow || liesIn(scope, place, files))) lines.push(`${place.display}:${text(symbol)}`);
    }
    const where = isNarrow ? ` in ${scope.display}` : '';
    if (lines.length === 0) {
      return (
        `The editor knows of no symbol like "${query}"${where}. ` +
        'Try a part of the name, or use search_text.'
      );
    }
    return listed(`${count(lines.length, 'symbol')} like "${query}"${where}:`, lines);
  }

  function listed(head: string, lines: readonly string[]): string {
    const more = lines.length - limits.symbols;
    const rest = more > 0 ? [`[${grouped(more)} more left out. Narrow it by query or path.]`] : [];
    return [head, ...lines.slice(0, limits.symbols), ...rest].join('\n');
  }
}

/** How many symbols with the same name in a file are looked up. */
const SPOTS = 5;

/** `3-10 function greet (in Greeter)` */
function text({ line, endLine, kind, name, container }: CodeSymbol): string {
  const lines = endLine > line ? `${line}-${endLine}` : String(line);
  const within = container === undefined || container === '' ? '' : ` (in ${oneLine(container)})`;
  return `${lines} ${kind} ${oneLine(name)}${within}`;
}

function oneLine(name: string): string {
  return visibleText(name.replace(/\s+/g, ' ').slice(0, 200));
}
