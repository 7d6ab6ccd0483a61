import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { ParseSettings, ProtocolComparison } from '../../contract/lab-parse';
import { t } from '../shared/l10n';

interface Props {
  readonly comparison: ProtocolComparison;
  readonly labels: ParseSettings['protocols'];
  readonly onPick: (protocol: string) => void;
}

/** What each protocol would make of the reply. */
export function ComparisonTable({ comparison, labels, onPick }: Props): JSX.Element {
  const labelOf = (id: string): string => labels.find((each) => each.id === id)?.label ?? id;
  return (
    <div class="table-box" role="group" aria-label={t('Protocols side by side')} tabIndex={0}>
      <table class="comparison">
        <thead>
          <tr>
            <th scope="col">{t('Protocol')}</th>
            <th scope="col">{t('Calls')}</th>
            <th scope="col">{t('Malformed')}</th>
            <th scope="col">{t('Warnings')}</th>
            <th scope="col">{t('Characters of text')}</th>
          </tr>
        </thead>
        <tbody>
          {comparison.protocols.map(({ id, calls, malformed, warnings, text }) => (
            <tr key={id}>
              <th scope="row">
                <button type="button" class="link-button" onClick={() => onPick(id)}>
                  {labelOf(id)}
                </button>
                {id === comparison.detected && <span class="quiet">{t('(auto)')}</span>}
              </th>
              <td>{callsText(calls)}</td>
              <td>{malformed}</td>
              <td>{warnings}</td>
              <td>{text.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The number and, as far as there is room, the names. */
function callsText(calls: readonly string[]): string {
  if (calls.length === 0) return '0';
  const names = calls.slice(0, 4).join(', ');
  return `${calls.length}: ${visibleText(names)}${calls.length > 4 ? '…' : ''}`;
}
