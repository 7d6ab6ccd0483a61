import type { JSX } from 'preact';
import type { AnsweredQuestion as Answered } from '../../core/transcript';
import { CappedText } from '../shared/capped-text';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';

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
