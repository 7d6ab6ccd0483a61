import type { ComponentChildren, JSX } from 'preact';
import { KeptScope, useKept } from './kept';

interface Props {
  readonly summary: string;
  /** Quieter, behind the summary. */
  readonly detail?: string;
  readonly children: ComponentChildren;
}

/** Content that is made when it is unfolded. Whoever has unfolded it finds it so again. */
export function Fold({ summary, detail, children }: Props): JSX.Element {
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
