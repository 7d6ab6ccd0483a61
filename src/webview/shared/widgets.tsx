import type { ComponentChildren, JSX } from 'preact';
import { visibleText } from '../../base/text';
import type { Diagnostic } from '../../core/words/messages';
import { KeptScope, useKept } from './kept';
import { translated } from './l10n';

/** A codicon. It is decoration: what it says stands in text or in the label of its button. */
export function Icon({
  name,
  spin = false,
}: {
  readonly name: string;
  readonly spin?: boolean;
}): JSX.Element {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

interface IconButtonProps {
  readonly icon: string;
  /** What it does, for those who cannot see it and for those who point at it. */
  readonly label: string;
  readonly onClick: () => void;
}

/** A button that is only an icon. */
export function IconButton({ icon, label, onClick }: IconButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

interface NoticeProps {
  readonly icon: 'error' | 'warning' | 'info' | 'lightbulb' | 'circle-slash' | 'fold' | 'history';
  readonly text: string;
  /** Read out at once by a screen reader. */
  readonly isAlert?: boolean;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}

/** One sentence about the conversation itself. */
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

interface FoldProps {
  readonly summary: string;
  /** Quieter, behind the summary. */
  readonly detail?: string;
  readonly children: ComponentChildren;
}

/** Content that is made when it is unfolded. Whoever has unfolded it finds it so again. */
export function Fold({ summary, detail, children }: FoldProps): JSX.Element {
  const [isOpen, setOpen] = useKept<boolean>(summary, false);
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {summary}
        {detail !== undefined && <span class="quiet fold-detail">{detail}</span>}
      </summary>
      {isOpen && <KeptScope name={summary}>{children}</KeptScope>}
    </details>
  );
}
