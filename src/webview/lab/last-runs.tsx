import type { JSX } from 'preact';
import { visibleText } from '../../base/text';
import type { LabRun } from '../../contract/lab-run';
import { Icon } from '../shared/icon';
import { durationText, t } from '../shared/l10n';
import { useLab } from './lab-state';
import { statusIcon, statusText } from './run-result';

/** The last runs. A click shows one and loads its tool and arguments. */
export function LastRuns(): JSX.Element | null {
  const { run } = useLab();
  const runs = run.runs.value;
  const shown = run.shown.value;
  if (runs.length === 0) return null;
  return (
    <section class="last-runs" aria-label={t('Last runs')}>
      <div class="detail-head">
        <h2>{t('Last runs')}</h2>
        <button type="button" class="link-button" onClick={() => run.forget()}>
          {t('Clear')}
        </button>
      </div>
      <ul>
        {runs.map((each) => (
          <li key={each.id}>
            <RunButton
              run={each}
              isShown={shown?.type === 'kept' && shown.id === each.id}
              onOpen={() => run.open(each)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RunButtonProps {
  readonly run: LabRun;
  readonly isShown: boolean;
  readonly onOpen: () => void;
}

function RunButton({ run, isShown, onOpen }: RunButtonProps): JSX.Element {
  const { tool, arguments: values, time, result } = run;
  return (
    <button
      type="button"
      class={`last-run run-${result.status}`}
      aria-current={isShown ? 'true' : undefined}
      onClick={onOpen}
    >
      <Icon name={statusIcon(result.status)} />
      <span class="unseen">{statusText(result.status)}</span>
      <span class="tool-name">{visibleText(tool)}</span>
      <span class="last-run-arguments quiet">{visibleText(JSON.stringify(values).slice(0, 200))}</span>
      <span class="quiet">{durationText(result.durationMs)}</span>
      <time class="quiet" dateTime={new Date(time).toISOString()}>
        {new Date(time).toLocaleTimeString(document.documentElement.lang || 'en')}
      </time>
    </button>
  );
}
