import type { JSX } from 'preact';
import type { Usage } from '../../core/model';
import { t } from '../shared/l10n';
import { costText } from './run-usage';

/** How many tokens a run has used, and what that has cost if the price is known. */
export function UsageLine({ usage }: { readonly usage: Usage }): JSX.Element {
  const { inputTokens, outputTokens, cost } = usage;
  const tokens = t('{0} in · {1} out', inputTokens.toLocaleString(), outputTokens.toLocaleString());
  const parts = cost === undefined ? [tokens] : [tokens, costText(cost)];
  return (
    <p class="usage" title={t('Tokens that the model has read and written for this message')}>
      {parts.join(' · ')}
    </p>
  );
}
