import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { linter, type Diagnostic } from '@codemirror/lint';
import { Compartment, type EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { parseObject } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { checkArguments } from './check-arguments';

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Schema; values that do not match are underlined. */
  readonly schema: JsonSchema;
  readonly onChange: (text: string) => void;
  /** Ctrl+Enter. */
  readonly onRun: () => void;
}

/** An editor for one JSON object. */
export function JsonEditor({ label, text, schema, onChange, onRun }: JsonEditorProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const checks = useRef(new Compartment());
  // The editor is created once; its callbacks are always the newest.
  const calls = useRef({ onChange, onRun });
  calls.current = { onChange, onRun };
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const run = (): boolean => {
      calls.current.onRun();
      return true;
    };
    const editor = new EditorView({
      parent: box.current,
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        keymap.of([{ key: 'Mod-Enter', run }, ...defaultKeymap, ...historyKeymap]),
        history(),
        json(),
        bracketMatching(),
        indentOnInput(),
        syntaxHighlighting(colours),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) calls.current.onChange(state.doc.toString());
        }),
        checks.current.of(checkedBy(schema)),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useLayoutEffect(() => {
    view.current?.dispatch({ effects: checks.current.reconfigure(checkedBy(schema)) });
  }, [schema]);
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  return <div class="json-editor" ref={box} />;
}

function checkedBy(schema: JsonSchema): Extension {
  const isJson = jsonParseLinter();
  return linter((view): readonly Diagnostic[] => {
    const wrong = isJson(view);
    if (wrong.length > 0) return wrong;
    const values = parseObject(view.state.doc.toString());
    return checkArguments(values ?? {}, schema).map(({ path, message }) => ({
      ...placeOf(path, view.state),
      severity: 'warning',
      message,
    }));
  });
}

/** The page's scripts carry a nonce; the styles they add need it too. */
function nonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--vscode-debugTokenExpression-name)' },
  { tag: tags.string, color: 'var(--vscode-debugTokenExpression-string)' },
  { tag: tags.number, color: 'var(--vscode-debugTokenExpression-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--vscode-debugTokenExpression-boolean)' },
]);

const theme = EditorView.theme({
  '&': {
    color: 'var(--vscode-input-foreground)',
    backgroundColor: 'var(--vscode-input-background)',
    border: '1px solid var(--field-line)',
    borderRadius: 'var(--radius)',
  },
  '&.cm-focused': { outline: 'none', borderColor: 'var(--vscode-focusBorder)' },
  '.cm-scroller': {
    minHeight: '7em',
    maxHeight: '50vh',
    overflow: 'auto',
    fontFamily: 'var(--code)',
    lineHeight: '1.45',
  },
  '.cm-content': { caretColor: 'var(--vscode-editorCursor-foreground, currentColor)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--vscode-editorBracketMatch-background, transparent)',
    outline: '1px solid var(--vscode-editorBracketMatch-border, transparent)',
  },
  '.cm-tooltip': {
    color: 'var(--vscode-editorHoverWidget-foreground)',
    backgroundColor: 'var(--vscode-editorHoverWidget-background)',
    border: '1px solid var(--vscode-editorHoverWidget-border, transparent)',
  },
});

interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Position of the value at the end of the path; as far as the path leads. */
function placeOf(path: readonly string[], state: EditorState): TextRange {
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
  // Underlining a whole object is too much, so only its bracket is underlined.
  const { from, to } = value;
  return value.name === 'Object' || value.name === 'Array' ? { from, to: from + 1 } : { from, to };
}

type Node = NonNullable<ReturnType<typeof syntaxTree>['topNode']['firstChild']>;

function keyOf(name: Node | null, state: EditorState): string | undefined {
  if (!name) return undefined;
  const key: unknown = JSON.parse(state.sliceDoc(name.from, name.to));
  return typeof key === 'string' ? key : undefined;
}

/** Items of a list, without brackets and commas. */
function itemsOf(list: Node): readonly Node[] {
  const items: Node[] = [];
  for (let at = list.firstChild; at; at = at.nextSibling) {
    if (/^[A-Z]/.test(at.name)) items.push(at);
  }
  return items;
}
