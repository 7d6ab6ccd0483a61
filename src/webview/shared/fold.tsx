import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly summary: string;
  /** Quieter, behind the summary. */
  readonly detail?: string;
  readonly children: ComponentChildren;
}

/** Content that is made when it is unfolded for the first time. */
export function Fold({ summary, detail, children }: Props): JSX.Element {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
      <summary>
        {summary}
        {detail !== undefined && <span class="quiet fold-detail">{detail}</span>}
      </summary>
      {wasOpen && children}
    </details>
  );
}
