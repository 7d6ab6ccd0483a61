import type { JSX } from 'preact';
import type { AnsweredQuestion as Answered } from '../../../core/transcript';
import { CappedText } from '../capped-text';
import { Icon } from '../icon';
import { t } from '../l10n';

/** What was asked, and what the user said to it. */
export function AnsweredQuestion({ answered }: { readonly answered: Answered }): JSX.Element {
  return (
    <div class="answered">
      <div class="quiet">
        <CappedText label={t('Question')} text={answered.question} lines={6} scrolls={false} />
      </div>
      <div class="answer">
        <Icon name="reply" />
        <CappedText label={t('Your answer')} text={answered.answer} lines={6} scrolls={false} />
      </div>
    </div>
  );
}
