import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { LabRun } from '../../contract/lab-run';
import { CappedText } from '../shared/capped-text';
import { durationText } from '../shared/duration-text';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { mayFollowClick } from '../shared/may-take-focus';
import { statusIcon, statusText } from './run-status';

/** What a call has returned. */
export function RunResult({ run }: { readonly run: LabRun }): JSX.Element {
  const { status, result, images = [], durationMs } = run.result;
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // What had the focus went with the call that waited.
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
        <p class="quiet">{t('It returned no text.')}</p>
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
