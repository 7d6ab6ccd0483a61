import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Diagnostic } from '../../core/diagnostic';
import { Icon } from './icon';
import { translated } from './l10n';

/** What was noticed while a reply was read, one line each. */
export function NoteList({ notes }: { readonly notes: readonly Diagnostic[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note, index) => (
        <li key={index} class="note" title={visibleText(translated(note.hint))}>
          <Icon name={note.level} />
          <span>{visibleText(translated(note.message))}</span>
        </li>
      ))}
    </ul>
  );
}
