import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { DoctorCost, DoctorFault, DoctorPage } from '../../contract/lab-doctor';
import { t, secondsText } from '../shared/l10n';
import { dollarsText } from '../shared/usage-texts';
import { HeatMap } from './heat-map';
import { useLab } from './lab-state';
import { ParseButtons } from './parse-buttons';
import { useHostPage } from './use-host-page';
import { WorkTable } from './work-table';

/** Finds the best protocol of a model: the cost, the progress and the result. */
export function DoctorTab(): JSX.Element {
  const { page, problem } = useHostPage('doctor', 'doctor-state', 'doctor-changed');
  const why = problem ?? page?.problem;
  return (
    <div class="doctor-tab">
      {page && <h2>{t('Best protocol for {0}', visibleText(page.model))}</h2>}
      {why !== undefined && <p role="alert">{visibleText(why)}</p>}
      {page && why === undefined && <Examination page={page} />}
    </div>
  );
}

function Examination({ page }: { readonly page: DoctorPage }): JSX.Element {
  return (
    <>
      <Controls page={page} />
      <Outcome page={page} />
      {page.work && <WorkTable work={page.work} />}
      {page.rows.some(({ n }) => n > 0) && <HeatMap tasks={page.tasks} rows={page.rows} />}
      <Faults faults={page.faults} />
      <Counts counts={page.counts} />
    </>
  );
}

/** The default request limit, which can be changed. */
const USUAL_MOST = 400;

function Controls({ page }: { readonly page: DoctorPage }): JSX.Element {
  const lab = useLab();
  const [most, setMost] = useState(USUAL_MOST);
  const { state, cost, used, minutes, isQuick = false } = page;
  const start = (label: string, look: { readonly isQuick?: true } = {}): JSX.Element => (
    <button
      type="button"
      class={look.isQuick ? 'button button-secondary' : 'button'}
      onClick={() => lab.post({ type: 'start-doctor', mostRequests: most, ...look })}
    >
      {label}
    </button>
  );
  return (
    <section class="doctor-controls" aria-label={t('Examination')}>
      <p class="quiet">
        {t(
          'The model solves small tasks in each protocol, for which no tools are run. Then it does three jobs in a folder of its own: commands run in the sandbox, otherwise only the one that a job names.',
        )}
      </p>
      <p class="quiet">
        {t('A quick look has only the jobs, each in up to three ways to work, and ends after ten minutes.')}
      </p>
      {used.requests === 0 ? (
        <>
          <p>{t('Takes {0} to {1}.', costText(cost.least), costText(cost.most))}</p>
          {minutes && (
            <p>
              {t(
                'At the measured speed: {0} to {1} minutes, a quick look about {2}.',
                minutes.least,
                minutes.most,
                minutes.quick,
              )}
            </p>
          )}
        </>
      ) : (
        <p>
          {t('Used so far: {0}, in {1}.', costText(used), secondsText(page.usedMs))}
          {state !== 'over' &&
            !isQuick &&
            ` ${t('At this speed, up to {0} left.', secondsText(leftMs(page, most)))}`}
        </p>
      )}
      <div class="buttons">
        <label class="field">
          <span>{t('Maximum requests')}</span>
          <input
            class="text-field"
            type="number"
            min={1}
            step={50}
            value={most}
            disabled={state === 'running'}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              if (Number.isSafeInteger(valueAsNumber) && valueAsNumber > 0) setMost(valueAsNumber);
            }}
          />
        </label>
        {state === 'ready' && start(t('A quick look'), QUICK)}
        {state === 'ready' && start(t('Start'))}
        {state === 'stopped' && start(t('Continue'), isQuick ? QUICK : {})}
        {(state === 'stopped' || state === 'over') && isQuick && start(t('Compare all protocols'))}
        {state === 'running' && (
          <button type="button" class="button" onClick={() => lab.post({ type: 'stop-doctor' })}>
            {t('Stop')}
          </button>
        )}
        {(state === 'stopped' || state === 'over') && (
          <button
            type="button"
            class="button button-secondary"
            onClick={() => lab.post({ type: 'restart-doctor' })}
          >
            {t('Start over')}
          </button>
        )}
      </div>
    </section>
  );
}

const QUICK = { isQuick: true } as const;

/** Milliseconds for all remaining requests at the average speed so far. */
function leftMs({ cost, used, usedMs }: DoctorPage, most: number): number {
  const left = Math.max(0, Math.min(most, cost.most.requests) - used.requests);
  return (left * usedMs) / used.requests;
}

/** The result and actions on it. */
function Outcome({ page }: { readonly page: DoctorPage }): JSX.Element | null {
  const lab = useLab();
  const { state, why, recommended, speed, thinking } = page;
  const found = [
    ...(speed.prompt === undefined ? [] : [t('reads {0} tokens per second', speed.prompt.toLocaleString())]),
    ...(speed.output === undefined ? [] : [t('writes {0} tokens per second', speed.output.toLocaleString())]),
    ...(thinking.replies === 0
      ? []
      : [t('thinks in {0} of {1} replies', thinking.replies.toLocaleString(), thinking.of.toLocaleString())]),
  ];
  return (
    <section class="doctor-outcome" aria-label={t('Outcome')}>
      <p role="status">{state === 'running' ? t('In progress: {0}', leaderText(page)) : (why ?? '')}</p>
      {found.length > 0 && <p class="quiet">{found.join(' · ')}</p>}
      {why !== undefined && (
        <div class="buttons">
          {recommended?.isUsed === false && (
            <button type="button" class="button" onClick={() => lab.post({ type: 'use-protocol' })}>
              {t('Use this')}
            </button>
          )}
          {recommended?.isUsed === true && <span>{t('Set in the profile.')}</span>}
          <button
            type="button"
            class="button button-secondary"
            onClick={() => lab.post({ type: 'save-report' })}
          >
            {t('Save Report…')}
          </button>
        </div>
      )}
    </section>
  );
}

function leaderText({ rows, work }: DoctorPage): string {
  const way = work?.ways.findLast(({ n }) => n > 0);
  if (way) return t('{0} has done {1} of {2} jobs', way.id, way.solved, way.n);
  const [leader] = rows
    .filter(({ n, isOut }) => n > 0 && !isOut)
    .toSorted((one, other) => other.right / other.n - one.right / one.n);
  return leader ? t('{0} is ahead with {1} of {2}', leader.id, leader.right, leader.n) : t('the first task');
}

/** The last failed exams. */
function Faults({ faults }: { readonly faults: readonly DoctorFault[] }): JSX.Element | null {
  if (faults.length === 0) return null;
  return (
    <section aria-label={t('What went wrong')}>
      <h2>{t('What went wrong')}</h2>
      <ul class="served-list">
        {faults.map(({ exam, contestant, task, fault, replies }) => (
          <li key={exam} class="served">
            <div class="served-head">
              <code>{contestant}</code>
              <span>{task}</span>
            </div>
            <p class="quiet">{visibleText(fault)}</p>
            <ParseButtons count={replies} message={(reply) => ({ type: 'parse-exam', exam, reply })} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Calls of this model in the chat so far. */
function Counts({ counts }: Pick<DoctorPage, 'counts'>): JSX.Element | null {
  const lab = useLab();
  if (counts.length === 0) return null;
  return (
    <section aria-label={t('Calls in the chat so far')}>
      <h2>{t('Calls in the chat so far')}</h2>
      <ul class="served-list">
        {counts.map(({ protocol, clean, repaired, recovered, malformed }) => (
          <li key={protocol} class="served">
            <div class="served-head">
              <code>{protocol}</code>
              <span>
                {[
                  t('{0} clean', clean),
                  t('{0} repaired', repaired),
                  t('{0} recovered', recovered),
                  t('{0} malformed', malformed),
                ].join(' · ')}
              </span>
            </div>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button
          type="button"
          class="button button-secondary"
          onClick={() => lab.post({ type: 'save-counts' })}
        >
          {t('Save Counts…')}
        </button>
        <button
          type="button"
          class="button button-secondary"
          onClick={() => lab.post({ type: 'forget-counts' })}
        >
          {t('Delete Counts of All Models')}
        </button>
      </div>
    </section>
  );
}

function costText({ requests, inputTokens, outputTokens, dollars }: DoctorCost): string {
  const texts = [
    t('{0} requests', requests.toLocaleString()),
    t('{0} in', inputTokens.toLocaleString()),
    t('{0} out', outputTokens.toLocaleString()),
    ...(dollars === undefined ? [] : [dollarsText(dollars)]),
  ];
  return texts.join(', ');
}
