import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Diagnostic } from '../../core/diagnostic';
import { Icon } from './icon';

/** What was noticed while a reply was read, one line each. */
export function NoteList({ notes }: { readonly notes: readonly Diagnostic[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note, index) => (
        <li key={index} class="note" title={visibleText(note.hint)}>
          <Icon name={note.level} />
          <span>{visibleText(note.message)}</span>
        </li>
      ))}
    </ul>
  );
}
