import type { JSX } from 'preact';
import { t } from '../l10n';
import { TextLines } from '../text-lines';
import { useFollowEnd } from '../follow-end';

interface Props {
  readonly label?: string;
  readonly text: string;
}

/** Text that comes in now, in a low box that follows its end. */
export function LiveOutput({ label = t('Output'), text }: Props): JSX.Element | null {
  const { scroller, content } = useFollowEnd();
  return (
    <div
      class="text-box live"
      role="group"
      aria-label={label}
      tabIndex={0}
      hidden={text === ''}
      ref={scroller}
    >
      <div ref={content}>
        <TextLines text={text} />
      </div>
    </div>
  );
}
