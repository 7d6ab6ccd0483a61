import type { JSX } from 'preact';
import type { DoctorCell, DoctorFaults, DoctorPage, DoctorRow } from '../../contract/lab-doctor';
import { t } from '../shared/l10n';

/** Success rate per protocol and task, then how the calls were written. Colours only repeat the numbers. */
export function HeatMap({ tasks, rows }: Pick<DoctorPage, 'tasks' | 'rows'>): JSX.Element {
  return (
    <div class="heat-map" tabIndex={0} role="region" aria-label={t('Results')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Protocol')}</th>
            <th scope="col">{t('Right')}</th>
            <th scope="col">{t('95 % between')}</th>
            <th scope="col">{t('Three in a row')}</th>
            <th scope="col">{t('Clean calls')}</th>
            {tasks.map(({ id, title }) => (
              <th key={id} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { readonly row: DoctorRow }): JSX.Element {
  const { id, right, n, interval, threeInARow, clean, called, isOut, cells } = row;
  return (
    <tr class={isOut ? 'heat-out' : ''}>
      <th scope="row">
        <code>{id}</code>
        {isOut && <span class="quiet"> {t('out')}</span>}
      </th>
      <td>{t('{0} of {1}', right, n)}</td>
      <td>{n === 0 ? '' : shareText(interval)}</td>
      <td>{n === 0 ? '' : shareText(threeInARow)}</td>
      <td>{called === 0 ? '' : t('{0} of {1}', clean, called)}</td>
      {cells.map((cell, at) => (
        <Cell key={at} cell={cell} />
      ))}
    </tr>
  );
}

function shareText([low, high]: DoctorRow['interval']): string {
  return t('{0}–{1} %', Math.round(low * 100), Math.round(high * 100));
}

function Cell({ cell }: { readonly cell: DoctorCell }): JSX.Element {
  const { right, n, skipped, faults } = cell;
  if (n === 0) return <td class="quiet">{skipped > 0 ? t('too long') : ''}</td>;
  return (
    <td class="heat" style={{ '--share': (right / n).toFixed(2) }}>
      {t('{0} of {1}', right, n)}
      {faults && <div class="quiet">{faultsText(faults)}</div>}
    </td>
  );
}

/** Why the others are not right. */
function faultsText({ wrong, noCall, malformed }: DoctorFaults): string {
  return [
    ...(wrong > 0 ? [t('{0} wrong', wrong)] : []),
    ...(noCall > 0 ? [t('{0} no call', noCall)] : []),
    ...(malformed > 0 ? [t('{0} malformed', malformed)] : []),
  ].join(' · ');
}
