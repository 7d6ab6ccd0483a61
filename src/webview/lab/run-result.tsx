import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { LabRun } from '../../contract/lab-run';
import type { CallPart, Transcript } from '../../core/transcript/transcript';
import type { ToolResult } from '../../core/words/messages';
import { ToolCallCard } from '../shared/calls/tool-call-card';
import { mayFollowClick } from '../shared/focus';
import { Icon } from '../shared/icon';
import { durationText, t } from '../shared/l10n';
import { CappedText } from '../shared/text/capped-text';
import { useLab } from './lab-state';

/** The current run with its approval, or the result of a finished one. */
export function RunView(): JSX.Element {
  const { run } = useLab();
  const shown = run.shown.value;
  const live = run.live.value;
  const kept = shown?.type === 'kept' ? run.runs.value.find(({ id }) => id === shown.id) : undefined;
  const part = live.running || shown?.type === 'live' ? callIn(live) : undefined;
  return (
    <div class="run-view">
      <p class="unseen" role="status">
        {part?.state.type === 'waiting' && t('{0} is waiting for your approval', visibleText(part.name))}
        {kept && `${visibleText(kept.tool)}: ${statusText(kept.result.status)}`}
      </p>
      {part && <ToolCallCard part={part} />}
      {kept && <RunResult key={kept.id} run={kept} />}
    </div>
  );
}

function callIn({ entries }: Transcript): CallPart | undefined {
  const parts = entries.flatMap((entry) => (entry.type === 'reply' ? entry.parts : []));
  return parts.find((part) => part.type === 'call');
}

/** The result of a call. */
function RunResult({ run }: { readonly run: LabRun }): JSX.Element {
  const { status, result, images = [], durationMs } = run.result;
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // The focused element disappeared with the waiting call.
    if (document.activeElement === document.body && mayFollowClick()) box.current?.focus();
  }, []);
  return (
    <section class={`run-result run-${status}`} aria-label={t('Result')} tabIndex={-1} ref={box}>
      <h2>
        <Icon name={statusIcon(status)} />
        {visibleText(run.tool)}: {statusText(status)}
        <span class="quiet">{durationText(durationMs)}</span>
      </h2>
      {result === '' ? (
        <p class="quiet">{t('No text was returned.')}</p>
      ) : (
        <CappedText label={t('Returned text')} text={result} lines={200} />
      )}
      {images.map(({ mediaType, data }, index) => (
        <img
          key={index}
          src={`data:${mediaType};base64,${data}`}
          alt={t('Image {0} of the result', index + 1)}
        />
      ))}
    </section>
  );
}

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

function statusText(status: ToolResult['status']): string {
  switch (status) {
    case 'success':
      return t('Succeeded');
    case 'error':
      return t('Failed');
    case 'denied':
      return t('Denied');
  }
}

/** A codicon. */
function statusIcon(status: ToolResult['status']): string {
  switch (status) {
    case 'success':
      return 'check';
    case 'error':
      return 'error';
    case 'denied':
      return 'circle-slash';
  }
}
