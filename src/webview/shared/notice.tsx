import type { ComponentChildren, JSX } from 'preact';
import { visibleText } from '../../base/text';
import type { Diagnostic } from '../../core/words/messages';
import { Icon } from './icon';
import { translated } from './l10n';

interface NoticeProps {
  readonly icon: 'error' | 'warning' | 'info' | 'lightbulb' | 'circle-slash' | 'fold' | 'history';
  readonly text: string;
  /** Announced at once by a screen reader. */
  readonly isAlert?: boolean;
  /** Actions. */
  readonly children?: ComponentChildren;
}

/** A sentence about the conversation itself. */
export function Notice({ icon, text, isAlert = false, children }: NoticeProps): JSX.Element {
  return (
    <div class={`notice notice-${icon}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={icon} />
      <div class="notice-body">
        <p>{visibleText(text)}</p>
        {children}
      </div>
    </div>
  );
}

/** Notes from parsing a reply, one line each. */
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
