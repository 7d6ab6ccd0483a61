import type { JSX } from 'preact';
import { never } from '../../base/never';
import { visibleText } from '../../base/visible-text';
import type { InspectedCall } from '../../contract/inspector';
import { durationText } from '../shared/duration-text';
import { t, translated } from '../shared/l10n';

/** What became of a call: who decided, how it ended, how long it took. */
export function CallFate({ state }: { readonly state: InspectedCall }): JSX.Element {
  const { durationMs, hasBegun } = state;
  const facts = [
    decisionText(state),
    stateText(state.state),
    ...(durationMs !== undefined && hasBegun ? [durationText(durationMs)] : []),
  ];
  return <p class="quiet">{facts.filter(Boolean).join(' · ')}</p>;
}

function decisionText({ decision, hasBegun, state }: InspectedCall): string {
  if (!decision) {
    if (hasBegun) return t('Allowed by rule, unasked');
    return state === 'denied' ? t('Refused by rule') : '';
  }
  const reason = visibleText(decision.reason);
  if (decision.type === 'run') return reason === '' ? t('Allowed by you') : t('Allowed by you: {0}', reason);
  if (decision.by === 'policy') return t('Refused by rule: {0}', visibleText(translated(decision.reason)));
  return reason === '' ? t('Rejected by you') : t('Rejected by you: {0}', reason);
}

function stateText(state: InspectedCall['state']): string {
  switch (state) {
    case 'open':
      return t('not begun');
    case 'waiting':
      return t('waits for you');
    case 'running':
      return t('running');
    case 'success':
      return t('succeeded');
    case 'error':
      return t('failed');
    case 'denied':
      return t('not run');
    default:
      return never(state);
  }
}
