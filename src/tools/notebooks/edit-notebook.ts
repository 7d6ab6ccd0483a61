import { limits } from '../../base/limits';
import { ToolError } from '../../core/words/tool';
import { applyEdit, type Edit } from '../edit/apply-edit';
import { editError, type EditAt } from '../edit/edit-report';
import { byteSize, utf8Length } from '../text/amounts';
import { lineNumber } from '../text/lines';
import { sourcesText, type Cell, type Notebook } from './notebook';
import { withSources } from './write-cell';

interface EditedNotebook {
  /** The text of the file. */
  readonly text: string;
  /** The cells before and after, without outputs. */
  readonly shown: { readonly before: string; readonly after: string };
  /** One line for each edit. */
  readonly report: readonly string[];
}

/** Makes edits in the sources of cells. Each is in one cell. Throws `ToolError`. */
export function editNotebook(
  { path, text, notebook }: { readonly path: string; readonly text: string; readonly notebook: Notebook },
  edits: readonly Edit[],
): EditedNotebook {
  const sources = new Map(notebook.cells.map((cell) => [cell, cell.source]));
  const report = edits.map((edit, index) => {
    const places = editCells(sources, path, { edit, number: index + 1, of: edits.length });
    return `edit ${index + 1}: ${places.join(', ')}`;
  });
  const size = [...sources.values()].reduce((sum, source) => sum + utf8Length(source), 0);
  if (size > limits.writeFileBytes) {
    throw new ToolError(
      `The cells of ${path} would have ${byteSize(size)}; the limit is ${byteSize(limits.writeFileBytes)}. Use a command.`,
    );
  }
  const changed = new Map([...sources].filter(([cell, source]) => source !== cell.source));
  const after = notebook.cells.map((cell) => ({ ...cell, source: sources.get(cell) ?? '' }));
  return {
    text: withSources(text, changed),
    shown: { before: sourcesText(notebook.cells), after: sourcesText(after) },
    report,
  };
}

/** Makes one edit; returns where. */
function editCells(sources: Map<Cell, string>, path: string, at: EditAt): readonly string[] {
  const { edit, number, of } = at;
  const apply = (source: string) => applyEdit(source, edit, limits.writeFileBytes);
  const all = [...sources];
  const exact = all.filter(([, source]) => source.includes(edit.old));
  const holders = exact.length > 0 ? exact : all.filter(([, source]) => apply(source).type !== 'not-found');
  const failed = of > 1 ? `Edit ${number} of ${of}: ` : '';
  if (holders.length === 0) {
    throw new ToolError(
      `${failed}\`old\` was not found in a cell of ${path}. Copy it exactly from the source of one cell, without its heading.`,
    );
  }
  if (holders.length > 1 && edit.expect !== 'any') {
    const numbers = holders.map(([cell]) => cell.number);
    throw new ToolError(
      `${failed}\`old\` is in the cells ${numbers.join(', ')} of ${path}. Add lines around it until only one cell has it.`,
    );
  }
  return holders.map(([cell, source]) => {
    const name = `cell ${cell.number}`;
    const outcome = apply(source);
    if (outcome.type !== 'applied')
      throw editError(outcome, { path: `${name} of ${path}`, text: source, before: source }, at);
    sources.set(cell, outcome.text);
    return `${name}, line ${lineNumber(outcome.text, outcome.places[0]?.after.start ?? 0)}`;
  });
}
