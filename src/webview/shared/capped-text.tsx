import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useKept } from './kept';
import { t } from './l10n';
import { TextLines } from './text-lines';
import { headOf, sizeOf } from './text-size';

interface Props {
  /** For screen readers: what this text is. */
  readonly label: string;
  readonly text: string;
  /** How many lines are shown at first. */
  readonly lines: number;
  /** Otherwise it takes all the height it needs. */
  readonly scrolls?: boolean;
}

/** Text of any length in a box: its beginning, and the rest on request. */
export function CappedText({ label, text, lines, scrolls = true }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useKept<boolean>(`whole ${label}`, false);
  const head = headOf(text, lines);
  const isCut = !isWhole && head.length < text.length;
  const showAll = (): void => {
    setWhole(true);
    // The button goes; what it showed takes its focus.
    box.current?.focus();
  };
  return (
    <div
      class={scrolls ? 'text-box' : 'text'}
      role="group"
      aria-label={label}
      tabIndex={scrolls ? 0 : -1}
      ref={box}
    >
      <TextLines text={isCut ? head : text} />
      {isCut && (
        <button type="button" class="link-button" onClick={showAll}>
          {t('Show all ({0})', sizeOf(text))}
        </button>
      )}
    </div>
  );
}
