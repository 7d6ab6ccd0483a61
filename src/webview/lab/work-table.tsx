import type { JSX } from 'preact';
import { visibleText } from '../../base/text';
import type { DoctorJob, DoctorWay, DoctorWork } from '../../contract/lab-doctor';
import { durationText, t } from '../shared/l10n';

/** What the model did of the small jobs, in each way to work. */
export function WorkTable({ work: { jobs, ways } }: { readonly work: DoctorWork }): JSX.Element {
  return (
    <div class="heat-map" tabIndex={0} role="region" aria-label={t('Jobs')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Way to work')}</th>
            <th scope="col">{t('Right')}</th>
            {jobs.map(({ name, title }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ways.map((way) => (
            <tr key={way.id}>
              <th scope="row">
                <code>{way.protocol}</code> <span class="quiet">{wayText(way)}</span>
              </th>
              <td>{way.n === 0 ? '' : t('{0} of {1}', way.solved, way.n)}</td>
              {way.cells.map((cell, at) => (
                <JobCell key={at} job={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `one call a step · few tools · temperature 0.2` */
function wayText({ steps, tools, temperature }: DoctorWay): string {
  return [
    steps === 'one' ? t('one call a step') : t('many calls'),
    tools === 'few' ? t('few tools') : t('all tools'),
    ...(temperature === undefined ? [] : [t('temperature {0}', temperature)]),
  ].join(' · ');
}

function JobCell({ job }: { readonly job: DoctorJob | null }): JSX.Element {
  if (!job) return <td class="quiet" />;
  const { outcome, fault = '', ms } = job;
  return (
    <td class="heat" style={{ '--share': outcome === 'solved' ? '1' : '0' }} title={visibleText(fault)}>
      {outcomeText(outcome)} <span class="quiet">{durationText(ms)}</span>
    </td>
  );
}

function outcomeText(outcome: DoctorJob['outcome']): string {
  switch (outcome) {
    case 'solved':
      return t('right');
    case 'wrong':
      return t('wrong');
    case 'no-call':
      return t('no call');
  }
}
