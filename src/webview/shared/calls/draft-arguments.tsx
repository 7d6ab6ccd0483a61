import type { JSX } from 'preact';
import { visibleText } from '../../../base/visible-text';
import type { CallPart } from '../../../core/transcript';
import { LiveOutput } from './live-output';

/** Arguments while the model writes them. */
export function DraftArguments({ draft }: { readonly draft: CallPart['draft'] }): JSX.Element | null {
  if (draft.length === 0) return null;
  return (
    <dl class="arguments">
      {draft.map(({ key, text }, index) => {
        const isLong = text.length > 200 || text.includes('\n');
        return (
          <div key={index} class={`argument${isLong ? ' argument-long' : ''}`}>
            <dt>{visibleText(key) || '…'}</dt>
            <dd>{isLong ? <LiveOutput label={visibleText(key)} text={text} /> : visibleText(text)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
