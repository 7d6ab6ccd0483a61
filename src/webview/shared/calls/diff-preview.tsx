import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visibleText } from '../../../base/visible-text';
import { Icon } from '../icon';
import { useKept } from '../kept';
import { t } from '../l10n';
import { useCallHost } from './call-host';
import { countChanges, lineDiff } from './line-diff';
import type { DiffLine } from './line-diff';
import { showInnerPadding } from './show-padding';

const LINES_AT_FIRST = 40;
const MARKS = { same: ' ', removed: '−', added: '+', gap: '⋯' } as const;

interface Props {
  /** Of a call whose change the host can open in the diff editor. */
  readonly callId: string | undefined;
  readonly before: string;
  readonly after: string;
  /** What is written here is run later. */
  readonly runsCode: boolean;
}

/** The changed lines and a little around them. */
export function DiffPreview({ callId, before, after, runsCode }: Props): JSX.Element {
  const page = useCallHost();
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const [isWhole, setWhole] = useKept<boolean>('whole diff', false);
  const { added, removed } = countChanges(lines);
  const shown = isWhole ? lines : lines.slice(0, LINES_AT_FIRST);
  return (
    <div class="diff">
      <div class="diff-header">
        <span class="diff-count">
          <span class="unseen">{t('{0} lines added, {1} removed', added, removed)}</span>
          <span class="diff-added-count" aria-hidden="true">
            +{added}
          </span>
          <span class="diff-removed-count" aria-hidden="true">
            −{removed}
          </span>
        </span>
        {runsCode && (
          <span class="badge" title={t('Builds, tests or scripts may run what stands in this file.')}>
            <Icon name="play" />
            {t('Runs code')}
          </span>
        )}
        {callId !== undefined && (
          <button type="button" class="link-button" onClick={() => page.showDiff(callId)}>
            <Icon name="diff" />
            {t('Open diff')}
          </button>
        )}
      </div>
      <div class="text-box diff-lines" role="group" aria-label={t('Changes')} tabIndex={0}>
        <div class="diff-table">
          {added + removed === 0 && <div class="diff-line quiet">{t('Only line ends change.')}</div>}
          {shown.map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </div>
        {shown.length < lines.length && (
          <button type="button" class="link-button" onClick={() => setWhole(true)}>
            {t('Show all {0} lines', lines.length)}
          </button>
        )}
      </div>
    </div>
  );
}

function Line({ line }: { readonly line: DiffLine }): JSX.Element {
  return (
    <div class={`diff-line diff-${line.type}`}>
      <span class="diff-mark">{MARKS[line.type]}</span>
      {line.type !== 'gap' && showInnerPadding(visibleText(line.text))}
    </div>
  );
}
