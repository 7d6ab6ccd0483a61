import type { JSX } from 'preact';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { Markdown } from '../shared/markdown';

/** What the model thought before it answered, folded. */
export function Reasoning({ text, open }: { readonly text: string; readonly open: boolean }): JSX.Element {
  const [isUnfolded, setUnfolded] = useKept<boolean>('thoughts', false);
  return (
    <details class="reasoning" open={isUnfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
      <summary class={open ? 'thinking' : ''}>{open ? t('Thinking') : t('Thoughts')}</summary>
      {isUnfolded && <Markdown text={text} open={open} />}
    </details>
  );
}
