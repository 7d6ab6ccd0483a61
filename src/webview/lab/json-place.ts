import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the value at the end of the path stands in the text; as far as it leads, where it leads nowhere. */
export function placeOf(path: readonly string[], state: EditorState): Range {
  let value = syntaxTree(state).topNode.firstChild;
  for (const step of path) {
    const next =
      value?.name === 'Object'
        ? value
            .getChildren('Property')
            .find((property) => keyOf(property.getChild('PropertyName'), state) === step)?.lastChild
        : value && itemsOf(value)[Number(step)];
    if (!next) break;
    value = next;
  }
  if (!value) return { from: 0, to: state.doc.length };
  // All of an object would be much to underline: its bracket stands for it.
  const { from, to } = value;
  return value.name === 'Object' || value.name === 'Array' ? { from, to: from + 1 } : { from, to };
}

type Node = NonNullable<ReturnType<typeof syntaxTree>['topNode']['firstChild']>;

function keyOf(name: Node | null, state: EditorState): string | undefined {
  if (!name) return undefined;
  const key: unknown = JSON.parse(state.sliceDoc(name.from, name.to));
  return typeof key === 'string' ? key : undefined;
}

/** Those of a list, without its brackets and commas. */
function itemsOf(list: Node): readonly Node[] {
  const items: Node[] = [];
  for (let at = list.firstChild; at; at = at.nextSibling) {
    if (/^[A-Z]/.test(at.name)) items.push(at);
  }
  return items;
}
